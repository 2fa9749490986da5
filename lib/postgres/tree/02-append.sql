-- Each function is one statement for the caller and takes the session's row lock first, so writers of one session queue
-- up. Refusals raise and leave nothing behind: GR001 unknown message, GR002 id taken, GR003 unknown session, GR004
-- unknown deletion, GR005 not a range, GR006 unknown compaction, GR007 session changed,
-- GR010 expired session, GR011 archived session.

-- Returns the session that this one is a fork of, or null.
create or replace function chat_lock_row(_owner text, _session text)
returns text
language plpgsql
as $$
declare
  _expires_after bigint;
  _parent text;
begin
  select session.expires_after_ms, session.parent_session_id into _expires_after, _parent
  from chat_session session
  where session.owner_id = _owner and session.session_id = _session and session.deleted_at is null
  for update;
  if not found then
    raise exception 'session not found' using errcode = 'GR003', detail = _session;
  end if;
  if _expires_after is not null then
    perform chat_open(_owner, _session);
    update chat_session set expires_at = now() + _expires_after * interval '1 millisecond'
    where owner_id = _owner and session_id = _session;
  end if;
  return _parent;
end
$$;

-- The caller has locked the session's row.
create or replace function chat_next_moment(_owner text, _session text)
returns bigint
language plpgsql
as $$
declare
  _moment bigint;
begin
  update chat_session set touches = touches + 1 where owner_id = _owner and session_id = _session
  returning touches into _moment;
  return _moment;
end
$$;

create or replace function chat_lock(_owner text, _session text)
returns void
language plpgsql
as $$
begin
  perform chat_lock_row(_owner, _session);
end
$$;

-- Forks share rows, so some writes reach rows of other sessions, whose own rows they do not lock. What hangs a branch on
-- rows of another session takes this lock of the owner with others; what copies shared rows takes it alone, so it meets no
-- branch that is not committed yet. Every write locks in one order: the session's row, the rows of its forks, this
-- lock, branches. A write that has this lock waits for no session.
create or replace function chat_share_loans(_owner text)
returns void
language sql
as $$
  select pg_advisory_xact_lock_shared(hashtextextended('chat_loans ' || _owner, 0))
$$;

-- Alone. With the session's row locked, one that is no fork and has none shares nothing and gets no fork meanwhile.
create or replace function chat_lock_loans(_owner text, _session text)
returns void
language plpgsql
as $$
begin
  if exists (
    select from chat_session session
    where session.owner_id = _owner and session.session_id = _session and session.parent_session_id is not null
  ) or exists (
    select from chat_session fork where fork.owner_id = _owner and fork.parent_session_id = _session
  ) then
    perform pg_advisory_xact_lock(hashtextextended('chat_loans ' || _owner, 0));
  end if;
end
$$;

-- As `chat_lock`, for what changes messages or summaries that forks may share.
create or replace function chat_lock_shared(_owner text, _session text)
returns void
language plpgsql
as $$
begin
  perform chat_lock(_owner, _session);
  perform chat_lock_loans(_owner, _session);
end
$$;

-- `enable_seqscan` is set for whole writes and windows: the planner would keep the sequential scan that suits a table
-- of one page. After 1,000 forks calls took three times as long. `plan_cache_mode` is, because small statements are planned
-- again for each call where that looks cheaper: reading replies took 80 µs of 260 for it.

-- `_place` is 'leaf', 'root' or 'message' (then under `_parent`); `_activate` is 'yes', 'no' or 'follow'; `_skills` is an
-- array of skill events, or null; `_requires` is 'nothing', 'session' or 'unarchived' (a session that is not archived).
create or replace function chat_append(
  _owner text, _session text, _id text, _role text, _content text, _preview text, _tsv tsvector,
  _created timestamptz, _place text, _parent text, _activate text, _skills json, _requires text
)
returns table (branch_id bigint, pos integer, parent_id text, created_at timestamptz)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  _state record;
  _via bigint;
  _at integer;
  _target bigint;
  _base integer;
  _pos integer;
  _parent_id text := _parent;
  _follows boolean := _activate <> 'no';
begin
  loop
    update chat_session session
    set touches = session.touches + 1, message_count = session.message_count + 1, updated_at = now(),
      expires_at = to_timestamp(extract(epoch from now()) + session.expires_after_ms / 1000.0)
    where session.owner_id = _owner and session.session_id = _session and session.deleted_at is null
      and (session.expires_at is null or session.expires_at > now())
    returning session.active_branch, session.active_pos, session.touches, session.parent_session_id,
      session.archived_at
    into _state;
    exit when found;
    perform chat_open(_owner, _session);
    if _requires <> 'nothing' then
      raise exception 'session not found' using errcode = 'GR003', detail = _session;
    end if;
    insert into chat_session (owner_id, session_id) values (_owner, _session) on conflict do nothing;
    if not found and exists (
      select from chat_session session
      where session.owner_id = _owner and session.session_id = _session and session.deleted_at is not null
    ) then
      raise exception 'session deleted' using errcode = 'GR003', detail = _session;
    end if;
  end loop;
  if _requires = 'unarchived' and _state.archived_at is not null then
    raise exception 'session archived' using errcode = 'GR011', detail = _session;
  end if;

  if _state.parent_session_id is not null and exists (select from chat_locate(_owner, _session, _id)) then
    raise exception 'message exists' using errcode = 'GR002', detail = _id;
  end if;

  if _place = 'root' or (_place = 'leaf' and _state.active_branch is null) then
    _parent_id := null;
    _pos := 1;
    _follows := _activate = 'yes' or (_activate = 'follow' and _state.active_branch is null);
    insert into chat_branch (owner_id, session_id, base, head, touched)
    values (_owner, _session, 0, 1, _state.touches)
    returning branch_id into _target;
  else
    if _place = 'leaf' then
      _via := _state.active_branch;
      _at := _state.active_pos;
    else
      select located.via, located.pos into _via, _at from chat_locate(_owner, _session, _parent) located;
      if not found then
        raise exception 'parent not found' using errcode = 'GR001', detail = _parent;
      end if;
      if _activate = 'follow' then
        _follows := exists (
          select from chat_session session
          join chat_branch branch on branch.owner_id = _owner and branch.branch_id = session.active_branch
          cross join lateral chat_at(_owner, branch.branch_id, coalesce(session.active_pos, branch.head)) leaf
          where session.owner_id = _owner and session.session_id = _session and leaf.id = _parent
        );
      end if;
    end if;

    update chat_branch branch
    set head = branch.head + 1, touched = _state.touches
    where branch.owner_id = _owner and branch.branch_id = _via and (_at is null or branch.head = _at)
    returning branch.branch_id, branch.head, branch.base into _target, _pos, _base;
    if not found then
      if _state.parent_session_id is not null then perform chat_share_loans(_owner); end if;
      _pos := _at + 1;
      _base := _at;
      insert into chat_branch (owner_id, session_id, parent_branch, base, head, touched, seen_as_of)
      select
        _owner, _session, segment.branch_id, _at, _pos, _state.touches,
        case when segment.session_id <> _session then segment.as_of end
      from chat_segments(_owner, _via, _at) segment
      where segment.lo < _at and _at <= segment.hi
      returning branch_id into _target;
    end if;

    if _place = 'leaf' then
      select message.id into _parent_id
      from chat_message message
      where message.owner_id = _owner and message.branch_id = _target and message.pos = _pos - 1;
      if not found then
        select leaf.id into _parent_id from chat_at(_owner, _target, _pos - 1) leaf;
      end if;
    end if;
  end if;

  insert into chat_message (owner_id, branch_id, pos, session_id, id, role, ordinal, created_at, preview, content)
  values (_owner, _target, _pos, _session, _id, _role, _state.touches, coalesce(_created, now()), _preview, _content);

  if _tsv <> ''::tsvector then
    insert into chat_search (owner_id, branch_id, pos, session_id, role, created_at, tsv)
    values (_owner, _target, _pos, _session, _role, coalesce(_created, now()), _tsv);
  end if;

  if _skills is not null then
    insert into chat_skill_event (owner_id, event_id, n, branch_id, pos, session_id, label, key, action)
    select _owner, _state.touches, event.n, _target, _pos, _session, event.label, event.key, event.action
    from rows from (
      json_to_recordset(_skills) as (label text, key text, action text)
    ) with ordinality event (label, key, action, n);
  end if;

  if _follows then
    if _state.active_branch is distinct from _target or _state.active_pos is not null then
      update chat_session session set active_branch = _target, active_pos = null
      where session.owner_id = _owner and session.session_id = _session;
    end if;
  elsif _state.active_branch = _target and _state.active_pos is null then
    -- The branch has grown meanwhile: stay at the message the session was at.
    update chat_session session set active_pos = _pos - 1
    where session.owner_id = _owner and session.session_id = _session;
  end if;

  return query select _target, _pos, _parent_id, coalesce(_created, now());
end
$$;

-- All or none; `_messages` are objects of `chat_append`'s arguments. When each but the first continues the one before it,
-- only the first looks for its place.
create or replace function chat_append_all(_owner text, _session text, _messages json, _in_a_row boolean)
returns table (branch_id bigint, pos integer, parent_id text, created_at timestamptz)
language plpgsql rows 64
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  _message record;
  _last record;
begin
  if not _in_a_row then
    -- Before the first branch is locked: one of the others may hang on rows of another session.
    perform from chat_session session
    where session.owner_id = _owner and session.session_id = _session and session.parent_session_id is not null
    for no key update;
    if found then perform chat_share_loans(_owner); end if;
  end if;
  for _message in
    select given.*
    from rows from (
      json_to_recordset(case when _in_a_row then json_build_array(_messages -> 0) else _messages end) as (
        id text, role text, content text, preview text, tsv tsvector, created timestamptz, place text, parent text,
        activate text, skills json, requires text
      )
    ) with ordinality given (
      id, role, content, preview, tsv, created, place, parent, activate, skills, requires, n
    )
    order by given.n
  loop
    select * into _last
    from chat_append(
      _owner, _session, _message.id, _message.role, _message.content, _message.preview, _message.tsv,
      _message.created, _message.place, _message.parent, _message.activate, _message.skills, _message.requires
    );
    return query select _last.branch_id, _last.pos, _last.parent_id, _last.created_at;
  end loop;
  if _in_a_row then
    return query
      select added.branch_id, added.pos, added.parent_id, added.created_at
      from chat_append_rest(_owner, _session, _messages, _last.branch_id, _last.pos, _message.id) added
      order by added.pos;
  end if;
end
$$;

-- Appends all but the first of `_messages` behind `_first_id`, the head of `_branch`. One insert for all, because a
-- function call for each costs more than the rows.
create or replace function chat_append_rest(
  _owner text, _session text, _messages json, _branch bigint, _first_pos integer, _first_id text
)
returns table (branch_id bigint, pos integer, parent_id text, created_at timestamptz)
language plpgsql rows 64
as $$
#variable_conflict use_column
declare
  _count integer := json_array_length(_messages) - 1;
  _state record;
  _taken text;
begin
  update chat_session session
  set touches = session.touches + _count, message_count = session.message_count + _count
  where session.owner_id = _owner and session.session_id = _session
  returning session.touches, session.parent_session_id into _state;

  update chat_branch branch
  set head = branch.head + _count, touched = _state.touches
  where branch.owner_id = _owner and branch.branch_id = _branch;

  if _state.parent_session_id is not null then
    select message.value ->> 'id' into _taken
    from json_array_elements(_messages) with ordinality message (value, n)
    where message.n > 1 and exists (select from chat_locate(_owner, _session, message.value ->> 'id'))
    order by message.n
    limit 1;
    if found then
      raise exception 'message exists' using errcode = 'GR002', detail = _taken;
    end if;
  end if;

  return query
    with given as materialized (
      select
        message.id, message.role, message.content, message.preview, message.tsv, message.skills,
        coalesce(message.created, now()) as created, _first_pos + message.n::integer - 1 as pos,
        _state.touches - _count + message.n - 1 as ordinal
      from rows from (
        json_to_recordset(_messages) as (
          id text, role text, content text, preview text, tsv tsvector, created timestamptz, skills json
        )
      ) with ordinality message (id, role, content, preview, tsv, created, skills, n)
      where message.n > 1
    ),
    stored as (
      insert into chat_message (owner_id, branch_id, pos, session_id, id, role, ordinal, created_at, preview, content)
      select
        _owner, _branch, given.pos, _session, given.id, given.role, given.ordinal, given.created, given.preview,
        given.content
      from given
    ),
    words as (
      insert into chat_search (owner_id, branch_id, pos, session_id, role, created_at, tsv)
      select _owner, _branch, given.pos, _session, given.role, given.created, given.tsv
      from given
      where given.tsv <> ''::tsvector
      order by given.pos
    ),
    skills as (
      insert into chat_skill_event (owner_id, event_id, n, branch_id, pos, session_id, label, key, action)
      select _owner, given.ordinal, event.n, _branch, given.pos, _session, event.label, event.key, event.action
      from given
      cross join lateral rows from (
        json_to_recordset(given.skills) as (label text, key text, action text)
      ) with ordinality event (label, key, action, n)
    )
    select _branch, given.pos, coalesce(lag(given.id) over path, _first_id), given.created
    from given
    window path as (order by given.pos)
    order by given.pos;
end
$$;

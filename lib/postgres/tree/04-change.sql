
-- False, and nothing is written, when the message has this content already.
create or replace function chat_update_message(
  _owner text, _session text, _id text, _content text, _preview text, _tsv tsvector, _skills json
)
returns boolean
language plpgsql
as $$
declare
  _own record;
  _moment bigint;
begin
  perform chat_lock_shared(_owner, _session);
  if exists (
    select from chat_locate(_owner, _session, _id) located
    join chat_message message
      on message.owner_id = _owner and message.branch_id = located.branch_id and message.pos = located.pos
    where message.content = _content
  ) then
    return false;
  end if;
  select own.branch_id, own.pos into _own from chat_own(_owner, _session, _id) own;

  update chat_message set content = _content, preview = _preview
  where owner_id = _owner and branch_id = _own.branch_id and pos = _own.pos;

  delete from chat_search
  where owner_id = _owner and branch_id = _own.branch_id and pos = _own.pos and compaction_id = 0;
  insert into chat_search (owner_id, branch_id, pos, session_id, role, created_at, tsv)
  select owner_id, branch_id, pos, session_id, role, created_at, _tsv
  from chat_message
  where owner_id = _owner and branch_id = _own.branch_id and pos = _own.pos and _tsv <> ''::tsvector;

  delete from chat_skill_event
  where owner_id = _owner and branch_id = _own.branch_id and pos = _own.pos and not noted;
  update chat_session set touches = touches + 1, updated_at = now()
  where owner_id = _owner and session_id = _session
  returning touches into _moment;
  insert into chat_skill_event (owner_id, event_id, n, branch_id, pos, session_id, label, key, action)
  select _owner, _moment, event.n, _own.branch_id, _own.pos, _session, event.label, event.key, event.action
  from rows from (
    json_to_recordset(_skills) as (label text, key text, action text)
  ) with ordinality event (label, key, action, n);
  return true;
end
$$;

create or replace function chat_pin(_owner text, _session text, _id text, _pinned boolean)
returns void
language plpgsql
as $$
declare
  _own record;
begin
  perform chat_lock_shared(_owner, _session);
  -- A statement of its own, so that the update sees copies made by it.
  select own.branch_id, own.pos into _own from chat_own(_owner, _session, _id) own;
  update chat_message set pinned = _pinned, label = case when _pinned then label end
  where owner_id = _owner and branch_id = _own.branch_id and pos = _own.pos;
end
$$;

create or replace function chat_label(_owner text, _session text, _id text, _label text)
returns void
language plpgsql
as $$
declare
  _own record;
begin
  perform chat_lock_shared(_owner, _session);
  -- A statement of its own, so that the update sees copies made by it.
  select own.branch_id, own.pos into _own from chat_own(_owner, _session, _id) own;
  update chat_message set label = _label, pinned = pinned or _label is not null
  where owner_id = _owner and branch_id = _own.branch_id and pos = _own.pos;
end
$$;

-- The message a session continues from; null in an empty one.
create or replace function chat_active_leaf(_owner text, _session text)
returns text
language plpgsql stable
as $$
begin
  return (
    select leaf.id
    from chat_active(_owner, _session) active
    cross join lateral chat_at(_owner, active.via, active.pos) leaf
  );
end
$$;

-- Makes a session continue from a message; nothing changes when it does not see the message.
create or replace function chat_continue_at(_owner text, _session text, _id text)
returns bigint
language plpgsql
as $$
declare
  _via bigint;
begin
  update chat_session session
  set
    active_branch = located.via,
    active_pos = case when branch.head = located.pos then null else located.pos end
  from chat_locate(_owner, _session, _id) located
  join chat_branch branch on branch.owner_id = _owner and branch.branch_id = located.via
  where session.owner_id = _owner and session.session_id = _session
  returning located.via into _via;
  return _via;
end
$$;

-- The leaf last used at or below a place of a path; null without one.
create or replace function chat_leaf_under(_owner text, _session text, _branch bigint, _pos integer)
returns text
language plpgsql stable
as $$
begin
  return (
    with recursive seen as materialized (
      select branch.branch_id, branch.parent_branch, branch.base, branch.head, branch.touched, true as own
      from chat_branch branch
      where branch.owner_id = _owner and branch.session_id = _session
      union all
      select branch.branch_id, branch.parent_branch, branch.base, max(borrowed.upto), 0, false
      from chat_borrowed(_owner, _session) borrowed
      join chat_branch branch on branch.owner_id = _owner and branch.branch_id = borrowed.branch_id
      group by branch.branch_id, branch.parent_branch, branch.base
    ),
    under as (
      select seen.*, _pos as floor
      from seen
      where seen.branch_id = _branch
      union all
      select seen.*, 0
      from under
      join seen on seen.parent_branch = under.branch_id and seen.base >= under.floor
    )
    select candidate.id
    from (
      select leaf.id, leaf.branch_id, leaf.pos, under.own, under.touched, under.branch_id as via
      from under
      cross join lateral chat_at(_owner, under.branch_id, under.head) leaf
      order by under.own desc, under.touched desc, under.branch_id desc
      offset 0
    ) candidate
    -- A branch with nothing left ends at a message that other branches may continue.
    where not exists (select from chat_children(_owner, _session, candidate.branch_id, candidate.pos))
    order by candidate.own desc, candidate.touched desc, candidate.via desc
    limit 1
  );
end
$$;

drop function if exists chat_settle(text, text);
drop function if exists chat_settle(text, text, boolean);

-- Sends a session whose active leaf was deleted to the leaf last used under the nearest sibling of the deleted branch,
-- the older one first; without siblings, or with `_to_parent`, to the nearest message that survives on its path. Without
-- that, to the leaf under another first message, otherwise nowhere.
create or replace function chat_settle(_owner text, _session text, _deletion text, _to_parent boolean)
returns void
language plpgsql
as $$
declare
  _active record;
  _parent record;
  _top bigint;
  _sibling record;
  _refuge text;
begin
  select active.via, active.pos into _active from chat_active(_owner, _session) active;
  if not found then return; end if;
  select above.branch_id, above.pos, above.id into _parent from chat_at(_owner, _active.via, _active.pos) above;
  _refuge := _parent.id;
  if _to_parent and _refuge is not null then
    perform chat_continue_at(_owner, _session, _refuge);
    return;
  end if;

  select gone.ordinal into _top
  from chat_segments(_owner, _active.via, _active.pos) segment
  cross join lateral (
    select message.pos, message.ordinal
    from chat_message message
    where message.owner_id = _owner and message.branch_id = segment.branch_id
      and message.pos > greatest(segment.lo, coalesce(_parent.pos, 0)) and message.pos <= segment.hi
      -- An earlier deletion has closed its gap, and a fork has no copies of what it took.
      and message.deletion_id = _deletion
    order by message.pos
    limit 1
  ) gone
  order by gone.pos
  limit 1;
  if found then
    select child.branch_id, child.pos into _sibling
    from chat_children(_owner, _session, _parent.branch_id, _parent.pos) child
    order by child.ordinal < _top desc, abs(child.ordinal - _top), child.branch_id
    limit 1;
    if found then
      _refuge := coalesce(chat_leaf_under(_owner, _session, _sibling.branch_id, _sibling.pos), _refuge);
    end if;
  end if;

  if chat_continue_at(_owner, _session, _refuge) is null then
    update chat_session set active_branch = null, active_pos = null
    where owner_id = _owner and session_id = _session;
  end if;
end
$$;

create or replace function chat_activate(_owner text, _session text, _id text)
returns void
language plpgsql
as $$
declare
  _at record;
  _used bigint := 0;
begin
  -- Several branches are locked below.
  if chat_lock_row(_owner, _session) is not null then perform chat_share_loans(_owner); end if;
  select located.via, located.branch_id, located.pos into _at from chat_locate(_owner, _session, _id) located;
  if chat_continue_at(_owner, _session, _id) is null then
    raise exception 'message not found' using errcode = 'GR001', detail = _id;
  end if;
  -- Only a leaf is used: a message on the way would count for whatever its branch ends at.
  if not exists (select from chat_children(_owner, _session, _at.branch_id, _at.pos)) then
    -- Deleted messages below are used with it, in the order of their earlier uses, which counts when they are restored.
    with recursive below as (
      select _at.branch_id::bigint as branch_id, _at.pos::integer as floor
      union all
      select branch.branch_id, 0
      from below
      join chat_branch branch
        on branch.owner_id = _owner and branch.session_id = _session and branch.parent_branch = below.branch_id
          and branch.base >= below.floor
    ),
    used as (
      select branch.branch_id, row_number() over (order by branch.touched, branch.branch_id) as n
      from chat_branch branch
      where branch.owner_id = _owner and branch.session_id = _session
        and (branch.branch_id = _at.via or branch.branch_id in (select below.branch_id from below))
    )
    update chat_branch branch set touched = session.touches + used.n
    from used, chat_session session
    where branch.owner_id = _owner and branch.branch_id = used.branch_id
      and session.owner_id = _owner and session.session_id = _session;
    get diagnostics _used = row_count;
  end if;
  update chat_session session set touches = session.touches + greatest(_used, 1)
  where session.owner_id = _owner and session.session_id = _session;
end
$$;

-- Moves the active leaf back over `_count` messages. Returns them, newest first, and then the new leaf; past the first
-- message there is none, and the next one becomes a root.
create or replace function chat_step_back(_owner text, _session text, _count integer)
returns table (id text, role text, created_at timestamptz, content text)
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  _line record;
  _lines integer := 0;
  _leaf text;
begin
  perform chat_lock(_owner, _session);
  for _line in
    select line.id, line.role, line.created_at, line.content
    from chat_lines(_owner, _session, null, -1, 2147483647, _count + 1, false, 0) line
    order by line.position desc
  loop
    _lines := _lines + 1;
    if _lines > _count then _leaf := _line.id; end if;
    return query select _line.id, _line.role, _line.created_at, _line.content;
  end loop;
  if least(_lines, _count) = 0 then return; end if;

  if _leaf is null then
    update chat_session set active_branch = null, active_pos = null
    where owner_id = _owner and session_id = _session;
  else
    perform chat_continue_at(_owner, _session, _leaf);
  end if;
  update chat_session set touches = touches + 1 where owner_id = _owner and session_id = _session;
end
$$;

-- Continues from `_leaf` (null: before the first message) and appends `_messages` there. GR007 unless the session still
-- has the `_touches` it had when this place was chosen (null: it did not exist).
create or replace function chat_follow(
  _owner text, _session text, _touches bigint, _leaf text, _messages json, _must_exist boolean
)
returns table (branch_id bigint, pos integer, parent_id text, created_at timestamptz)
language plpgsql rows 64
set enable_seqscan = off
as $$
begin
  if _touches is null and not _must_exist then
    insert into chat_session (owner_id, session_id) values (_owner, _session) on conflict do nothing;
  end if;
  perform chat_lock(_owner, _session);
  if coalesce(_touches, 0) <> (
    select session.touches from chat_session session
    where session.owner_id = _owner and session.session_id = _session
  ) then
    raise exception 'session changed' using errcode = 'GR007', detail = _session;
  end if;

  if json_array_length(_messages) > 0 then
    return query
      select added.branch_id, added.pos, added.parent_id, added.created_at
      from chat_append_all(_owner, _session, _messages, true) added
      order by added.pos;
  elsif _leaf is not null then
    perform chat_activate(_owner, _session, _leaf);
  else
    update chat_session session set active_branch = null, active_pos = null, touches = session.touches + 1
    where session.owner_id = _owner and session.session_id = _session;
  end if;
end
$$;

-- Gives every session that borrows from this one a copy of its own.
create or replace function chat_call_in_loans(_owner text, _session text)
returns void
language plpgsql
as $$
declare
  _loan record;
begin
  loop
    select borrower.session_id, lender.branch_id into _loan
    from chat_branch lender
    join chat_branch borrower on borrower.owner_id = _owner and borrower.parent_branch = lender.branch_id
    where lender.owner_id = _owner and lender.session_id = _session and borrower.session_id <> _session
    limit 1;
    exit when not found;
    perform chat_separate(_owner, _loan.session_id, _loan.branch_id);
  end loop;
end
$$;

-- Deletes the messages of a session, with all that belongs to them. By branch, which their indexes begin with: by session
-- it would read all of the owner's.
create or replace function chat_empty(_owner text, _session text)
returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  _branches bigint[] := array(
    select branch.branch_id from chat_branch branch where branch.owner_id = _owner and branch.session_id = _session
  );
begin
  delete from chat_search where owner_id = _owner and branch_id = any (_branches);
  delete from chat_compaction where owner_id = _owner and branch_id = any (_branches);
  delete from chat_skill_event where owner_id = _owner and branch_id = any (_branches);
  delete from chat_deletion where owner_id = _owner and session_id = _session and kind = 'messages';
  delete from chat_message where owner_id = _owner and session_id = _session;
  delete from chat_branch where owner_id = _owner and session_id = _session;
end
$$;

-- Removes a deleted session for good; false for any other. Sessions that borrow from it keep copies.
create or replace function chat_purge(_owner text, _session text)
returns boolean
language plpgsql
as $$
begin
  perform from chat_session
  where owner_id = _owner and session_id = _session and deleted_at is not null
  for update;
  if not found then return false; end if;
  perform from chat_session where owner_id = _owner and parent_session_id = _session order by session_id for update;
  perform chat_lock_loans(_owner, _session);
  perform chat_call_in_loans(_owner, _session);
  -- Forks go on borrowing from the parent, so they need it as theirs.
  update chat_session fork set parent_session_id = gone.parent_session_id
  from chat_session gone
  where gone.owner_id = _owner and gone.session_id = _session and gone.parent_session_id is not null
    and fork.owner_id = _owner and fork.parent_session_id = _session;
  perform chat_empty(_owner, _session);
  delete from chat_deletion where owner_id = _owner and session_id = _session;
  delete from chat_document where owner_id = _owner and session_id = _session;
  delete from chat_block where owner_id = _owner and session_id = _session;
  delete from chat_session where owner_id = _owner and session_id = _session;
  return true;
end
$$;

-- Removes a session for good, deleted or not, and moves its children up; false without one, and while it is imported. A
-- child that still borrows keeps a parent.
create or replace function chat_remove(_owner text, _session text)
returns boolean
language plpgsql
as $$
begin
  update chat_session set deleted_at = least(deleted_at, now())
  where owner_id = _owner and session_id = _session and source is distinct from 'importing';
  if not found then return false; end if;
  -- Once its run is gone, nothing finds a chunk.
  delete from chat_stream chunk
  using chat_run run
  where run.owner_id = _owner and run.session_id = _session
    and chunk.owner_id = _owner and chunk.run_id = run.run_id;
  perform chat_purge(_owner, _session);
  update chat_session set parent_session_id = null where owner_id = _owner and parent_session_id = _session;
  return true;
end
$$;

-- Removes sessions for good, with all that belongs to them, and returns their ids. Leaves out those that another
-- statement changes, and those with such forks, since it waits for no session. Sessions that stay keep copies of what
-- they borrow, and the nearest parent that stays. A statement for each table, not for each session: 100,000 sessions
-- took minutes one by one.
create or replace function chat_remove_all(_owner text, _sessions text[])
returns text[]
language plpgsql
set enable_seqscan = off
as $$
declare
  _gone text[] := array(
    select session.session_id
    from chat_session session
    where session.owner_id = _owner and session.session_id = any (_sessions)
    order by session.session_id
    for update skip locked
  );
  _forks text[] := array(
    select fork.session_id
    from chat_session fork
    where fork.owner_id = _owner and fork.parent_session_id = any (_gone) and fork.session_id <> all (_gone)
    order by fork.session_id
    for update skip locked
  );
  _loan record;
  _branches bigint[];
begin
  _gone := array(
    select taken.session_id
    from unnest(_gone) taken (session_id)
    where not exists (
      select from chat_session fork
      where fork.owner_id = _owner and fork.parent_session_id = taken.session_id
        and fork.session_id <> all (_gone) and fork.session_id <> all (_forks)
    )
  );
  -- As `chat_lock_loans`, for all of them.
  perform pg_advisory_xact_lock(hashtextextended('chat_loans ' || _owner, 0));
  loop
    select borrower.session_id, lender.branch_id into _loan
    from chat_branch lender
    join chat_branch borrower on borrower.owner_id = _owner and borrower.parent_branch = lender.branch_id
    where lender.owner_id = _owner and lender.session_id = any (_gone) and borrower.session_id <> all (_gone)
    limit 1;
    exit when not found;
    perform chat_separate(_owner, _loan.session_id, _loan.branch_id);
  end loop;
  with recursive above as (
    select child.session_id, child.parent_session_id as parent
    from chat_session child
    where child.owner_id = _owner and child.parent_session_id = any (_gone) and child.session_id <> all (_gone)
    union all
    select above.session_id, gone.parent_session_id
    from above
    join chat_session gone on gone.owner_id = _owner and gone.session_id = above.parent
    where above.parent = any (_gone)
  )
  update chat_session child set parent_session_id = above.parent
  from above
  where child.owner_id = _owner and child.session_id = above.session_id
    and (above.parent is null or above.parent <> all (_gone));

  _branches := array(
    select branch.branch_id from chat_branch branch
    where branch.owner_id = _owner and branch.session_id = any (_gone)
  );
  delete from chat_stream chunk
  using chat_run run
  where run.owner_id = _owner and run.session_id = any (_gone)
    and chunk.owner_id = _owner and chunk.run_id = run.run_id;
  delete from chat_run where owner_id = _owner and session_id = any (_gone);
  delete from chat_search where owner_id = _owner and branch_id = any (_branches);
  delete from chat_compaction where owner_id = _owner and branch_id = any (_branches);
  delete from chat_skill_event where owner_id = _owner and branch_id = any (_branches);
  delete from chat_message where owner_id = _owner and branch_id = any (_branches);
  delete from chat_branch where owner_id = _owner and branch_id = any (_branches);
  delete from chat_deletion where owner_id = _owner and session_id = any (_gone);
  delete from chat_document where owner_id = _owner and session_id = any (_gone);
  delete from chat_block where owner_id = _owner and session_id = any (_gone);
  delete from chat_session where owner_id = _owner and session_id = any (_gone);
  return _gone;
end
$$;

-- Removes at most `_most` sessions that were deleted or had expired by then. Skips those that another statement changes,
-- and those with such forks: two calls would each wait for what the other has locked.
create or replace function chat_remove_old(_owner text, _latest timestamptz, _most integer)
returns setof text
language plpgsql
as $$
declare
  _old text;
  _forks text[];
begin
  foreach _old in array array(
    select session.session_id
    from chat_session session
    where session.owner_id = _owner and coalesce(session.deleted_at, session.expires_at) <= _latest
      and session.source is distinct from 'importing'
    order by session.session_id
    limit _most
    for update skip locked
  )
  loop
    _forks := array(
      select fork.session_id from chat_session fork
      where fork.owner_id = _owner and fork.parent_session_id = _old
      for update skip locked
    );
    continue when exists (
      select from chat_session fork
      where fork.owner_id = _owner and fork.parent_session_id = _old and fork.session_id <> all (_forks)
    );
    if chat_remove(_owner, _old) then return next _old; end if;
  end loop;
end
$$;

-- Empties a session. Sessions that borrow from it keep a copy.
create or replace function chat_clear(_owner text, _session text)
returns void
language plpgsql
as $$
begin
  perform chat_lock_shared(_owner, _session);
  perform chat_call_in_loans(_owner, _session);

  update chat_session
  set active_branch = null, active_pos = null, touches = touches + 1, message_count = 0, frozen_prompt = null,
    frozen_versions = null, skills_before = '[]', updated_at = now()
  where owner_id = _owner and session_id = _session;
  perform chat_empty(_owner, _session);
end
$$;

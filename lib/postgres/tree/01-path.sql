-- A place is (via, pos): `via` is a branch of the session that looks, and the path through it passes `pos`, wherever
-- that position is stored. Messages of a fork's source are reached that way.

-- Raises GR010 for an expired session, which takes neither reads nor writes; otherwise true.
create or replace function chat_open(_owner text, _session text)
returns boolean
language plpgsql stable
as $$
begin
  if exists (
    select from chat_session session
    where session.owner_id = _owner and session.session_id = _session and session.deleted_at is null
      and session.expires_at <= now()
  ) then
    raise exception 'session expired' using errcode = 'GR010', detail = _session;
  end if;
  return true;
end
$$;

-- Leaf first: positions above `lo` up to `hi` lie in `branch_id`. Branches without any (lo >= hi) are listed, since the
-- sessions on the way decide which compactions are seen: those of `session_id` as of `as_of`.
create or replace function chat_segments(_owner text, _via bigint, _pos integer)
returns table (depth integer, branch_id bigint, session_id text, lo integer, hi integer, as_of bigint)
language plpgsql stable rows 4
as $$
#variable_conflict use_column
begin
  return query
    with recursive segment as (
      select
        0 as depth, branch.branch_id, branch.session_id, branch.parent_branch, branch.seen_as_of,
        branch.base as lo, least(_pos, branch.head) as hi, 9223372036854775807 as as_of
      from chat_branch branch
      where branch.owner_id = _owner and branch.branch_id = _via
      union all
      select
        child.depth + 1, parent.branch_id, parent.session_id, parent.parent_branch, parent.seen_as_of,
        parent.base, least(child.lo, child.hi), least(child.as_of, child.seen_as_of)
      from segment child
      join chat_branch parent on parent.owner_id = _owner and parent.branch_id = child.parent_branch
    )
    select segment.depth, segment.branch_id, segment.session_id, segment.lo, segment.hi, segment.as_of
    from segment;
end
$$;

-- Branches of other sessions that a session sees, and how far.
create or replace function chat_borrowed(_owner text, _session text)
returns table (via bigint, via_head integer, branch_id bigint, session_id text, upto integer)
language plpgsql stable rows 4
as $$
#variable_conflict use_column
begin
  return query
    with recursive reach as (
      select
        branch.branch_id as via, branch.head as via_head,
        branch.parent_branch as branch_id, branch.base as upto
      from chat_branch branch
      where branch.owner_id = _owner and branch.session_id = _session and branch.seen_as_of is not null
      union all
      select reach.via, reach.via_head, branch.parent_branch, branch.base
      from reach
      join chat_branch branch on branch.owner_id = _owner and branch.branch_id = reach.branch_id
      where branch.parent_branch is not null
    )
    select reach.via, reach.via_head, reach.branch_id, branch.session_id, reach.upto
    from reach
    join chat_branch branch on branch.owner_id = _owner and branch.branch_id = reach.branch_id;
end
$$;

-- Counts what is missing, in an index of deleted messages: looking at every row would read the whole conversation.
create or replace function chat_surviving(_owner text, _branch bigint, _lo integer, _hi integer)
returns integer
language plpgsql stable
as $$
begin
  if _lo >= _hi then return 0; end if;
  if exists (
    select from chat_branch branch where branch.owner_id = _owner and branch.branch_id = _branch and branch.sparse
  ) then
    return (
      select count(*) from chat_message message
      where message.owner_id = _owner and message.branch_id = _branch
        and message.pos > _lo and message.pos <= _hi and message.deletion_id is null
    );
  end if;
  return _hi - _lo - (
    select count(*) from chat_message message
    where message.owner_id = _owner and message.branch_id = _branch
      and message.pos > _lo and message.pos <= _hi and message.deletion_id is not null
  );
end
$$;

create or replace function chat_has_loans(_owner text, _session text)
returns boolean
language plpgsql stable
as $$
begin
  return exists (
    select from chat_branch branch
    where branch.owner_id = _owner and branch.session_id = _session and branch.seen_as_of is not null
  );
end
$$;

-- A branch that ends at the message comes first, because an append continues it.
create or replace function chat_locate(_owner text, _session text, _id text)
returns table (via bigint, branch_id bigint, pos integer)
language plpgsql stable rows 1
as $$
begin
  return query
    select message.branch_id, message.branch_id, message.pos
    from chat_message message
    where message.owner_id = _owner and message.session_id = _session and message.id = _id
      and message.deletion_id is null;
  if found then return; end if;

  return query
    select borrowed.via, message.branch_id, message.pos
    from chat_borrowed(_owner, _session) borrowed
    cross join lateral (
      select candidate.branch_id, candidate.pos
      from chat_message candidate
      where candidate.owner_id = _owner and candidate.session_id = borrowed.session_id and candidate.id = _id
        and candidate.branch_id = borrowed.branch_id and candidate.pos <= borrowed.upto
        and candidate.deletion_id is null
      offset 0
    ) message
    order by borrowed.via_head = message.pos desc, borrowed.via
    limit 1;
end
$$;

-- Walks up branch by branch: the first nearly always has it, while a regenerated conversation runs through hundreds.
create or replace function chat_at(_owner text, _via bigint, _pos integer)
returns table (branch_id bigint, pos integer, id text, ordinal bigint)
language plpgsql stable rows 1
as $$
#variable_conflict use_column
declare
  _branch bigint := _via;
  _parent bigint;
  _lo integer;
  _hi integer := _pos;
begin
  while _branch is not null loop
    select branch.parent_branch, branch.base, case when _branch = _via then least(_hi, branch.head) else _hi end
    into _parent, _lo, _hi
    from chat_branch branch
    where branch.owner_id = _owner and branch.branch_id = _branch;
    if _lo < _hi then
      return query
        select message.branch_id, message.pos, message.id, message.ordinal
        from chat_message message
        where message.owner_id = _owner and message.branch_id = _branch
          and message.pos > _lo and message.pos <= _hi
          and message.deletion_id is null
        order by message.pos desc
        limit 1;
      if found then return; end if;
    end if;
    _hi := least(_lo, _hi);
    _branch := _parent;
  end loop;
end
$$;

-- No row in an empty session. Statements that run for each message have its text instead of a call, which takes 10 µs.
create or replace function chat_active(_owner text, _session text)
returns table (via bigint, pos integer)
language plpgsql stable rows 1
as $$
#variable_conflict use_column
begin
  return query
    select branch.branch_id, coalesce(session.active_pos, branch.head)
    from chat_session session
    join chat_branch branch on branch.owner_id = _owner and branch.branch_id = session.active_branch
    where session.owner_id = _owner and session.session_id = _session and session.deleted_at is null;
end
$$;

-- The active leaf when `_id` is null.
create or replace function chat_place(_owner text, _session text, _id text)
returns table (via bigint, pos integer)
language plpgsql stable rows 1
set enable_seqscan = off
as $$
begin
  perform chat_open(_owner, _session);
  if _id is null then
    return query
      select branch.branch_id, coalesce(session.active_pos, branch.head)
      from chat_session session
      join chat_branch branch on branch.owner_id = _owner and branch.branch_id = session.active_branch
      where session.owner_id = _owner and session.session_id = _session and session.deleted_at is null;
  else
    return query select located.via, located.pos from chat_locate(_owner, _session, _id) located;
  end if;
end
$$;

create or replace function chat_first(_owner text, _session text, _branch bigint, _after integer)
returns table (pos integer, id text, ordinal bigint)
language plpgsql stable rows 1
as $$
declare
  _upto integer;
begin
  select case when branch.session_id = _session then branch.head end into _upto
  from chat_branch branch
  where branch.owner_id = _owner and branch.branch_id = _branch;
  if _upto is null then
    select max(borrowed.upto) into _upto
    from chat_borrowed(_owner, _session) borrowed
    where borrowed.branch_id = _branch;
  end if;
  return query
    select message.pos, message.id, message.ordinal
    from chat_message message
    where message.owner_id = _owner and message.branch_id = _branch
      and message.pos > _after and message.pos <= _upto
      and message.deletion_id is null
    order by message.pos
    limit 1;
end
$$;

-- With a null branch, the roots. A branch that left at a message deleted since hangs under the nearest surviving one,
-- hence the recursion: a run of deleted positions may hold further starts.
create or replace function chat_children(_owner text, _session text, _branch bigint, _pos integer)
returns table (branch_id bigint, pos integer, id text, ordinal bigint)
language plpgsql stable rows 2
as $$
#variable_conflict use_column
begin
  return query
    with recursive lent as materialized (
      select distinct borrowed.branch_id from chat_borrowed(_owner, _session) borrowed
    ),
    seed as (
      select _branch as branch_id, _pos as after
      where _branch is not null
      union all
      select branch.branch_id, branch.base
      from chat_branch branch
      where branch.owner_id = _owner and branch.parent_branch = _branch and branch.base = _pos
        and (branch.session_id = _session or branch.branch_id in (select lent.branch_id from lent))
      union all
      select branch.branch_id, 0
      from chat_branch branch
      where _branch is null
        and branch.owner_id = _owner and branch.session_id = _session and branch.parent_branch is null
      union all
      select distinct branch.branch_id, 0
      from lent
      join chat_branch branch on branch.owner_id = _owner and branch.branch_id = lent.branch_id
      where _branch is null and branch.parent_branch is null
    ),
    start as (
      select seed.branch_id, seed.after, first.pos, first.id, first.ordinal
      from seed
      left join lateral chat_first(_owner, _session, seed.branch_id, seed.after) first on true
      union all
      select branch.branch_id, branch.base, first.pos, first.id, first.ordinal
      from start
      join chat_branch branch
        on branch.owner_id = _owner and branch.parent_branch = start.branch_id
        and (branch.session_id = _session or branch.branch_id in (select lent.branch_id from lent))
        and branch.base > start.after and branch.base < coalesce(start.pos, 2147483647)
      left join lateral chat_first(_owner, _session, branch.branch_id, branch.base) first on true
    )
    select start.branch_id, start.pos, start.id, start.ordinal
    from start
    where start.pos is not null
    order by start.ordinal;
end
$$;

-- In the given order, without unknown ids. One is looked up most often, and by its own key.
create or replace function chat_messages(_owner text, _session text, _ids text[])
returns table (id text, role text, created_at timestamptz, content text)
language plpgsql stable rows 1
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  perform chat_open(_owner, _session);
  if cardinality(_ids) = 1 then
    return query
      select message.id, message.role, message.created_at, message.content
      from chat_message message
      where message.owner_id = _owner and message.session_id = _session and message.id = _ids[1]
        and message.deletion_id is null;
    if found then return; end if;
  end if;
  return query
    select message.id, message.role, message.created_at, message.content
    from unnest(_ids) with ordinality wanted (id, n)
    cross join lateral chat_locate(_owner, _session, wanted.id) located
    join chat_message message
      on message.owner_id = _owner and message.branch_id = located.branch_id and message.pos = located.pos
    order by wanted.n;
end
$$;

-- Increases with every append, summary, skill event and move of the active leaf; null without a session.
create or replace function chat_revision(_owner text, _session text)
returns bigint
language plpgsql stable
set enable_seqscan = off
as $$
begin
  return (
    select session.touches
    from chat_session session
    where session.owner_id = _owner and session.session_id = _session and session.deleted_at is null
  );
end
$$;

-- Those of `_ids` that are stored, with their parents; a deleted message has no content.
create or replace function chat_known(_owner text, _session text, _ids text[])
returns table (id text, role text, created_at timestamptz, content text, parent_id text)
language plpgsql stable rows 16
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
    select wanted.id, message.role, message.created_at, message.content, parent.id
    from unnest(_ids) wanted (id)
    left join lateral chat_locate(_owner, _session, wanted.id) located on true
    left join chat_message message
      on message.owner_id = _owner and message.branch_id = located.branch_id and message.pos = located.pos
    left join lateral chat_at(_owner, located.via, located.pos - 1) parent on true
    left join lateral (
      select own.id
      from chat_message own
      where own.owner_id = _owner and own.session_id = _session and own.id = wanted.id
      limit 1
    ) own on true
    where message.id is not null or own.id is not null;
end
$$;

-- Oldest first, for a session without loans or gaps at these places; otherwise null, and `chat_children` answers.
create or replace function chat_children_nearby(_owner text, _session text, _branch bigint, _pos integer)
returns text[]
language plpgsql stable
as $$
declare
  _ids text[];
  _gaps boolean;
begin
  if chat_has_loans(_owner, _session) then return null; end if;
  if _branch is null then
    select
      array_agg(message.id order by message.ordinal) filter (where message.id is not null),
      bool_or(message.id is null and branch.head > 0)
    into _ids, _gaps
    from chat_branch branch
    left join chat_message message
      on message.owner_id = _owner and message.branch_id = branch.branch_id and message.pos = 1
      and message.deletion_id is null
    where branch.owner_id = _owner and branch.session_id = _session and branch.parent_branch is null;
  else
    select
      array_agg(message.id order by message.ordinal) filter (where message.id is not null),
      bool_or(message.id is null and start.head > _pos)
    into _ids, _gaps
    from (
      select branch.branch_id, branch.head
      from chat_branch branch
      where branch.owner_id = _owner and branch.branch_id = _branch
      union all
      select branch.branch_id, branch.head
      from chat_branch branch
      where branch.owner_id = _owner and branch.parent_branch = _branch and branch.base = _pos
        and branch.session_id = _session
    ) start
    left join chat_message message
      on message.owner_id = _owner and message.branch_id = start.branch_id and message.pos = _pos + 1
      and message.deletion_id is null;
  end if;
  return case when not coalesce(_gaps, false) then coalesce(_ids, '{}') end;
end
$$;

-- The children of a message with their content, oldest first; the roots for null.
create or replace function chat_replies(_owner text, _session text, _id text)
returns table (id text, role text, created_at timestamptz, content text)
language plpgsql stable rows 2
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  _branch bigint;
  _pos integer := 0;
  _nearby text[];
begin
  perform chat_open(_owner, _session);
  if _id is not null then
    select located.branch_id, located.pos into _branch, _pos from chat_locate(_owner, _session, _id) located;
    if not found then return; end if;
  end if;
  _nearby := chat_children_nearby(_owner, _session, _branch, _pos);
  if _nearby is not null then
    return query
      select message.id, message.role, message.created_at, message.content
      from unnest(_nearby) with ordinality nearby (id, n)
      cross join lateral (
        select child.id, child.role, child.created_at, child.content
        from chat_message child
        where child.owner_id = _owner and child.session_id = _session and child.id = nearby.id
        offset 0
      ) message
      order by nearby.n;
  else
    return query
      select message.id, message.role, message.created_at, message.content
      from chat_children(_owner, _session, _branch, _pos) child
      join chat_message message
        on message.owner_id = _owner and message.branch_id = child.branch_id and message.pos = child.pos
      order by child.ordinal;
  end if;
end
$$;

-- `sibling_ids` is null when the message stands alone, which spares looking up the alternatives.
create or replace function chat_beside(_owner text, _session text, _via bigint, _pos integer)
returns table (parent_id text, sibling_ids text[])
language plpgsql stable rows 1
as $$
declare
  _parent record;
  _child record;
  _crowded boolean;
begin
  select parent.branch_id, parent.pos, parent.id into _parent from chat_at(_owner, _via, _pos - 1) parent;
  if _parent.id is null then
    _crowded := true;
  else
    select branch.branch_id into _child
    from chat_branch branch
    where branch.owner_id = _owner and branch.branch_id = _via and branch.base < _pos and _pos <= branch.head;
    if not found then
      select segment.branch_id into _child
      from chat_segments(_owner, _via, _pos) segment
      where segment.lo < _pos and _pos <= segment.hi;
    end if;
    _crowded := _child.branch_id <> _parent.branch_id or exists (
      select from chat_branch branch
      where branch.owner_id = _owner and branch.parent_branch = _parent.branch_id
        and branch.base >= _parent.pos and branch.base < _pos
    );
  end if;
  if _crowded then
    return query
      select _parent.id, coalesce(
        chat_children_nearby(_owner, _session, _parent.branch_id, _parent.pos),
        (
          select array_agg(child.id order by child.ordinal)
          from chat_children(_owner, _session, _parent.branch_id, _parent.pos) child
        )
      );
  else
    return query select _parent.id, null::text[];
  end if;
end
$$;

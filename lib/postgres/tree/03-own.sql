-- Forks share what they were made from. Before either side changes a shared message, whoever borrows it gets a copy.

-- Copies what `_session` borrows from a branch of another session into the session's own branch, so that either side may
-- change its copy. The branch that borrows most becomes the holder; the session's other branches on it move along, and so
-- do branches that its forks hung there, since they see the stretch through this session.
create or replace function chat_detach(_owner text, _session text, _lender bigint)
returns void
language plpgsql
as $$
declare
  _from record;
  _holder record;
  _copied integer;
begin
  select branch.branch_id, branch.session_id, branch.parent_branch, branch.base, branch.seen_as_of into _from
  from chat_branch branch
  where branch.owner_id = _owner and branch.branch_id = _lender;

  select branch.branch_id, branch.base, branch.seen_as_of into _holder
  from chat_branch branch
  where branch.owner_id = _owner and branch.session_id = _session and branch.parent_branch = _lender
  order by branch.base desc, branch.branch_id
  limit 1
  for update;
  if not found then return; end if;

  insert into chat_message (
    owner_id, branch_id, pos, session_id, id, role, ordinal, pinned, label, created_at, preview, content
  )
  select owner_id, _holder.branch_id, pos, _session, id, role, ordinal, pinned, label, created_at, preview, content
  from chat_message
  where owner_id = _owner and branch_id = _lender and pos <= _holder.base and deletion_id is null;
  get diagnostics _copied = row_count;

  insert into chat_search (owner_id, branch_id, pos, compaction_id, session_id, role, created_at, tsv)
  select search.owner_id, _holder.branch_id, search.pos, 0, _session, search.role, search.created_at, search.tsv
  from chat_search search
  where search.owner_id = _owner and search.branch_id = _lender and search.pos <= _holder.base
    and search.compaction_id = 0
    -- An offset keeps it from becoming a join: a plan without statistics would compare each copy with each.
    and exists (
      select from chat_message message
      where message.owner_id = search.owner_id and message.branch_id = _holder.branch_id and message.pos = search.pos
      offset 0
    )
  order by search.seq;

  insert into chat_skill_event (owner_id, event_id, n, branch_id, pos, session_id, label, key, action, noted)
  select
    event.owner_id, event.event_id, event.n, _holder.branch_id, event.pos, _session, event.label, event.key, event.action,
    event.noted
  from chat_skill_event event
  where event.owner_id = _owner and event.branch_id = _lender and event.pos <= _holder.base
    and event.event_id <= _holder.seen_as_of
    and exists (
      select from chat_message message
      where message.owner_id = event.owner_id and message.branch_id = _holder.branch_id and message.pos = event.pos
      offset 0
    );

  insert into chat_compaction (
    owner_id, compaction_id, made_moment, branch_id, session_id, id, from_pos, to_pos, from_message_id, to_message_id,
    summary, metadata, created_at
  )
  select
    owner_id, compaction_id, made_moment, _holder.branch_id, _session, id, from_pos, to_pos, from_message_id, to_message_id,
    summary, metadata, created_at
  from chat_compaction
  where owner_id = _owner and branch_id = _lender and to_pos <= _holder.base
    and compaction_id <= _holder.seen_as_of and (removed_moment is null or removed_moment > _holder.seen_as_of);

  update chat_branch branch
  set
    parent_branch = case when branch.branch_id = _holder.branch_id then _from.parent_branch else _holder.branch_id end,
    base = case when branch.branch_id = _holder.branch_id then _from.base else branch.base end,
    sparse = branch.sparse or (branch.branch_id = _holder.branch_id and _copied < _holder.base - _from.base),
    seen_as_of = case
      when branch.branch_id = _holder.branch_id and _from.parent_branch is not null
        then least(_holder.seen_as_of, _from.seen_as_of)
    end
  where branch.owner_id = _owner and branch.session_id = _session and branch.parent_branch = _lender;

  -- Forks see the stretch through this session, and so do theirs: all their branches on the lender hang on the holder.
  with recursive heir as (
    select _session as session_id
    union
    select fork.session_id
    from heir
    join chat_session fork on fork.owner_id = _owner and fork.parent_session_id = heir.session_id
  )
  update chat_branch branch
  set parent_branch = _holder.branch_id
  from heir
  where branch.owner_id = _owner and branch.parent_branch = _lender and branch.session_id = heir.session_id
    and branch.seen_as_of is not null;
end
$$;

-- Detaches a session from a branch of another one, with all the paths by which it sees that branch, since two copies of
-- one message would be two messages. Of the branches it borrows through, the one farthest from the root
-- goes first: what was reached through it then stands beside the session's other branches, and all of them end up on
-- the same copy.
create or replace function chat_separate(_owner text, _session text, _branch bigint)
returns void
language plpgsql
as $$
declare
  _lender bigint;
begin
  loop
    select branch.parent_branch into _lender
    from chat_branch branch
    cross join lateral (
      select count(*) as depth, bool_or(segment.branch_id = _branch) as passes
      from chat_segments(_owner, branch.branch_id, branch.head) segment
    ) path
    where branch.owner_id = _owner and branch.session_id = _session and branch.seen_as_of is not null and path.passes
    order by path.depth desc, branch.branch_id
    limit 1;
    exit when not found;
    perform chat_detach(_owner, _session, _lender);
  end loop;
end
$$;

-- Gives every session that borrows a stretch from `_pos` on a copy of its own, whichever branches it borrows it through.
create or replace function chat_give_copies(_owner text, _session text, _branch bigint, _pos integer)
returns void
language plpgsql
as $$
declare
  _borrower text;
begin
  loop
    with recursive carrier as (
      select branch.branch_id, branch.session_id
      from chat_branch branch
      where branch.owner_id = _owner and branch.parent_branch = _branch and branch.base >= _pos
      union all
      select branch.branch_id, branch.session_id
      from carrier
      join chat_branch branch on branch.owner_id = _owner and branch.parent_branch = carrier.branch_id
      where carrier.session_id = _session
    )
    select carrier.session_id into _borrower from carrier where carrier.session_id <> _session limit 1;
    exit when not found;
    perform chat_separate(_owner, _borrower, _branch);
  end loop;
end
$$;

-- Where a message is in the session's own branches; a borrowed stretch is copied in first.
create or replace function chat_take(_owner text, _session text, _id text)
returns table (branch_id bigint, pos integer)
language plpgsql
as $$
#variable_conflict use_column
declare
  _found record;
begin
  loop
    select located.branch_id, located.pos, branch.session_id into _found
    from chat_locate(_owner, _session, _id) located
    join chat_branch branch on branch.owner_id = _owner and branch.branch_id = located.branch_id;
    if not found then
      raise exception 'message not found' using errcode = 'GR001', detail = _id;
    end if;
    exit when _found.session_id = _session;
    perform chat_separate(_owner, _session, _found.branch_id);
  end loop;
  return query select _found.branch_id::bigint, _found.pos::integer;
end
$$;

-- Makes a message the session's alone before it changes: borrowed stretches are copied in, and sessions that borrow it
-- get their own copy first.
create or replace function chat_own(_owner text, _session text, _id text)
returns table (branch_id bigint, pos integer)
language plpgsql
as $$
#variable_conflict use_column
declare
  _own record;
begin
  select own.branch_id, own.pos into _own from chat_take(_owner, _session, _id) own;
  perform chat_give_copies(_owner, _session, _own.branch_id, _own.pos);
  return query select _own.branch_id::bigint, _own.pos::integer;
end
$$;

-- Gives every session that borrows one of these messages a copy of its own. The branches that others see are looked up
-- once: asking for each of 20,000 branches took longer than a statement may.
create or replace function chat_give_all_copies(_owner text, _session text, _branches bigint[], _from integer[])
returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  _lent record;
begin
  for _lent in
    with recursive lent as (
      select borrower.parent_branch as branch_id, borrower.base as upto
      from chat_branch lender
      join chat_branch borrower on borrower.owner_id = _owner and borrower.parent_branch = lender.branch_id
      where lender.owner_id = _owner and lender.session_id = _session and borrower.session_id <> _session
      union
      select branch.parent_branch, branch.base
      from lent
      join chat_branch branch on branch.owner_id = _owner and branch.branch_id = lent.branch_id
      where branch.parent_branch is not null
    )
    select stretch.branch_id, min(stretch.pos) as pos
    from unnest(_branches, _from) stretch (branch_id, pos)
    join lent on lent.branch_id = stretch.branch_id and lent.upto >= stretch.pos
    group by stretch.branch_id
    order by stretch.branch_id
  loop
    perform chat_give_copies(_owner, _session, _lent.branch_id, _lent.pos);
  end loop;
end
$$;

-- As `chat_own`, for many messages; those that the session does not see are passed over.
create or replace function chat_own_all(_owner text, _session text, _ids text[])
returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  _lender bigint;
  _branches bigint[];
  _from integer[];
begin
  while chat_has_loans(_owner, _session) loop
    select message.branch_id into _lender
    from chat_borrowed(_owner, _session) borrowed
    join chat_message message
      on message.owner_id = _owner and message.branch_id = borrowed.branch_id and message.pos <= borrowed.upto
        and message.session_id = borrowed.session_id and message.id = any (_ids) and message.deletion_id is null
    limit 1;
    exit when not found;
    perform chat_separate(_owner, _session, _lender);
  end loop;

  -- Nobody borrows: most sessions have no fork.
  if not exists (
    select from chat_branch lender
    join chat_branch borrower on borrower.owner_id = _owner and borrower.parent_branch = lender.branch_id
    where lender.owner_id = _owner and lender.session_id = _session and borrower.session_id <> _session
  ) then
    return;
  end if;
  select array_agg(stretch.branch_id), array_agg(stretch.pos) into _branches, _from
  from (
    select message.branch_id, min(message.pos) as pos
    from chat_message message
    where message.owner_id = _owner and message.session_id = _session and message.id = any (_ids)
      and message.deletion_id is null
    group by message.branch_id
  ) stretch;
  perform chat_give_all_copies(_owner, _session, _branches, _from);
end
$$;

-- Messages with all below them; unknown ids are left out. By ranges of branches, so that it costs what it returns.
create or replace function chat_with_descendants(_owner text, _session text, _ids text[])
returns text[]
language plpgsql stable
set enable_seqscan = off
as $$
begin
  perform chat_open(_owner, _session);
  return array(
    with recursive seen as materialized (
      select branch.branch_id, branch.session_id, branch.parent_branch, branch.base, branch.head as upto
      from chat_branch branch
      where branch.owner_id = _owner and branch.session_id = _session
      union all
      select branch.branch_id, branch.session_id, branch.parent_branch, branch.base, max(borrowed.upto)
      from chat_borrowed(_owner, _session) borrowed
      join chat_branch branch on branch.owner_id = _owner and branch.branch_id = borrowed.branch_id
      group by branch.branch_id, branch.session_id, branch.parent_branch, branch.base
    ),
    start as (
      select message.branch_id, min(message.pos) as floor
      from (select distinct seen.session_id from seen) lender
      join chat_message message
        on message.owner_id = _owner and message.session_id = lender.session_id and message.id = any (_ids)
          and message.deletion_id is null
      join seen on seen.branch_id = message.branch_id and seen.upto >= message.pos
      group by message.branch_id
    ),
    under as (
      select start.branch_id, start.floor
      from start
      union
      select seen.branch_id, 0
      from under
      join seen on seen.parent_branch = under.branch_id and seen.base >= under.floor
    )
    select message.id
    from (select under.branch_id, min(under.floor) as floor from under group by under.branch_id) stretch
    join seen on seen.branch_id = stretch.branch_id
    join chat_message message
      on message.owner_id = _owner and message.branch_id = stretch.branch_id and message.pos >= stretch.floor
        and message.pos <= seen.upto and message.deletion_id is null
    order by message.ordinal, message.branch_id
  );
end
$$;

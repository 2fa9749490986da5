drop function if exists chat_borrow(text, text, bigint, integer, bigint);

-- Borrows the branches of a session that leave the path to a place before it and go on beyond. In one statement: one for
-- each of 20,000 branches took twice the time that a statement has. An empty branch stores nothing, so the branch below
-- it is borrowed instead.
create or replace function chat_borrow_sides(
  _owner text, _fork text, _source text, _via bigint, _pos integer, _moment bigint
)
returns void
language plpgsql
set enable_seqscan = off
as $$
begin
  insert into chat_branch (owner_id, session_id, parent_branch, base, head, touched, seen_as_of)
  with recursive path as materialized (
    select segment.branch_id, segment.hi from chat_segments(_owner, _via, _pos) segment
  ),
  -- Up from each branch to the path.
  climb as (
    select branch.branch_id as via, branch.branch_id, branch.parent_branch, branch.base as lo, branch.head as hi
    from chat_branch branch
    where branch.owner_id = _owner and branch.session_id = _source
    union all
    select climb.via, parent.branch_id, parent.parent_branch, parent.base, least(climb.lo, climb.hi)
    from climb
    join chat_branch parent on parent.owner_id = _owner and parent.branch_id = climb.parent_branch
    where climb.branch_id not in (select path.branch_id from path)
  ),
  -- Up from each side branch to what it ends in.
  ending as (
    select
      side.branch_id as via, side.head, side.touched, side.branch_id, side.parent_branch, side.base as lo,
      9223372036854775807 as as_of, side.seen_as_of
    from climb
    join path on path.branch_id = climb.branch_id
    join chat_branch side on side.owner_id = _owner and side.branch_id = climb.via
    where least(climb.hi, path.hi) > 0 and least(climb.hi, path.hi) < _pos and least(climb.hi, path.hi) < side.head
    union all
    select
      ending.via, ending.head, ending.touched, parent.branch_id, parent.parent_branch, parent.base,
      least(ending.as_of, ending.seen_as_of), parent.seen_as_of
    from ending
    join chat_branch parent on parent.owner_id = _owner and parent.branch_id = ending.parent_branch
    where ending.lo >= ending.head
  )
  select
    _owner, _fork, ending.branch_id, ending.head, ending.head, ending.touched, least(ending.as_of, _moment)
  from ending
  where ending.lo < ending.head
  order by ending.via;
end
$$;

-- One branch borrows the path to a message, others the side branches that leave it before the message. The same fork
-- made again finds the first one; no row when the id is another session's.
create or replace function chat_fork(
  _owner text, _source text, _id text, _fork text, _title text, _side_branches boolean
)
returns setof chat_session
language plpgsql rows 1
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  _place record;
  _lent record;
  _branch bigint := nextval('chat_branch_id');
  _moment bigint;
  _touches bigint;
  _messages integer;
begin
  if chat_lock_row(_owner, _source) is not null then perform chat_share_loans(_owner); end if;
  select touches into _moment from chat_session where owner_id = _owner and session_id = _source;
  select located.via, located.pos into _place from chat_locate(_owner, _source, _id) located;
  if not found then
    raise exception 'message not found' using errcode = 'GR001', detail = _id;
  end if;

  select
    sum(chat_surviving(_owner, segment.branch_id, segment.lo, segment.hi)) as messages,
    max(segment.branch_id) filter (where segment.lo < _place.pos and _place.pos <= segment.hi) as branch_id,
    max(segment.as_of) filter (where segment.lo < _place.pos and _place.pos <= segment.hi) as as_of
  into _lent
  from chat_segments(_owner, _place.via, _place.pos) segment;

  insert into chat_session (
    owner_id, session_id, title, active_branch, touches, message_count, parent_session_id, forked_at_message_id, model,
    source, tags, metadata, skills_before
  )
  select
    owner_id, _fork, _title, _branch, touches + 1, _lent.messages, _source, _id, model, source, tags, metadata, skills_before
  from chat_session
  where owner_id = _owner and session_id = _source
  on conflict do nothing
  returning touches into _touches;
  if not found then
    return query
      select session.* from chat_session session
      where session.owner_id = _owner and session.session_id = _fork and session.deleted_at is null
        and session.parent_session_id = _source and session.forked_at_message_id = _id;
    return;
  end if;

  insert into chat_branch (owner_id, branch_id, session_id, parent_branch, base, head, touched, seen_as_of)
  values (_owner, _branch, _fork, _lent.branch_id, _place.pos, _place.pos, _touches, least(_lent.as_of, _moment));

  if _side_branches then
    perform chat_borrow_sides(_owner, _fork, _source, _place.via, _place.pos, _moment);

    select sum(chat_surviving(_owner, lent.branch_id, branch.base, lent.upto)) into _messages
    from (
      select borrowed.branch_id, max(borrowed.upto) as upto
      from chat_borrowed(_owner, _fork) borrowed
      group by borrowed.branch_id
    ) lent
    join chat_branch branch on branch.owner_id = _owner and branch.branch_id = lent.branch_id;
    update chat_session set message_count = _messages where owner_id = _owner and session_id = _fork;
  end if;

  insert into chat_block (
    owner_id, session_id, block_id, label, description, kind, scope, writers, max_tokens, origin, moment
  )
  select owner_id, _fork, block_id, label, description, kind, scope, writers, max_tokens, origin, moment
  from chat_block
  where owner_id = _owner and session_id = _source and deleted_at is null;

  insert into chat_document (owner_id, block_id, session_id, key, version, title, description, content, tsv)
  select owner_id, block_id, _fork, key, version, title, description, content, tsv
  from chat_document document
  where owner_id = _owner and session_id = _source and exists (
    select from chat_block block
    where block.owner_id = _owner and block.block_id = document.block_id and block.session_id in ('', _fork)
      and block.deleted_at is null
  );
  if found then
    insert into chat_document_version (
      owner_id, block_id, session_id, key, version, content, author, program, written_in, message_id, proposal_id,
      created_at
    )
    select
      owner_id, block_id, _fork, key, version, content, author, program, written_in, message_id, proposal_id,
      created_at
    from chat_document_version version
    where owner_id = _owner and session_id = _source and exists (
      select from chat_document copy
      where copy.owner_id = _owner and copy.block_id = version.block_id and copy.session_id = _fork
        and copy.key = version.key
    );
  end if;

  return query
    select session.* from chat_session session where session.owner_id = _owner and session.session_id = _fork;
end
$$;

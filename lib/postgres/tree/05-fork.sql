-- An empty branch stores nothing, so the branch below it is borrowed instead.
create or replace function chat_borrow(
  _owner text, _fork text, _source_via bigint, _pos integer, _moment bigint
)
returns void
language plpgsql
as $$
begin
  insert into chat_branch (owner_id, session_id, parent_branch, base, head, touched, seen_as_of)
  select _owner, _fork, segment.branch_id, _pos, _pos, source.touched, least(segment.as_of, _moment)
  from chat_segments(_owner, _source_via, _pos) segment
  join chat_branch source on source.owner_id = _owner and source.branch_id = _source_via
  where segment.lo < _pos and _pos <= segment.hi;
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
  _side record;
  _branch bigint := nextval('chat_branch_id');
  _moment bigint;
  _touches bigint;
begin
  if chat_lock_row(_owner, _source) is not null then perform chat_share_loans(_owner); end if;
  -- Not before: a message that came while this waited would be borrowed without the skills it loaded.
  _moment := nextval('chat_moment');
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
    for _side in
      select branch.branch_id, branch.head
      from chat_branch branch
      cross join lateral (
        select max(least(segment.hi, path.hi)) as pos
        from chat_segments(_owner, branch.branch_id, branch.head) segment
        join chat_segments(_owner, _place.via, _place.pos) path on path.branch_id = segment.branch_id
      ) parting
      where branch.owner_id = _owner and branch.session_id = _source
        and parting.pos > 0 and parting.pos < _place.pos and parting.pos < branch.head
      order by branch.branch_id
    loop
      perform chat_borrow(_owner, _fork, _side.branch_id, _side.head, _moment);
    end loop;

    update chat_session
    set message_count = (
      select sum(chat_surviving(_owner, lent.branch_id, branch.base, lent.upto))
      from (
        select borrowed.branch_id, max(borrowed.upto) as upto
        from chat_borrowed(_owner, _fork) borrowed
        group by borrowed.branch_id
      ) lent
      join chat_branch branch on branch.owner_id = _owner and branch.branch_id = lent.branch_id
    )
    where owner_id = _owner and session_id = _fork;
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

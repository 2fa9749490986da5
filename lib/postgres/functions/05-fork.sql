-- One branch of a fork: it borrows a path of the source up to a position, as of a moment. An empty branch stores nothing,
-- so what it stands on is borrowed instead.
create or replace function chat_borrow(
  _owner text, _fork text, _source_via bigint, _pos integer, _moment bigint
)
returns bigint
language sql
as $$
  insert into chat_branch (owner_id, session_id, parent_branch, base, head, seen_as_of)
  select _owner, _fork, segment.branch_id, _pos, _pos, least(segment.as_of, _moment)
  from chat_segments(_owner, _source_via, _pos) segment
  where segment.lo < _pos and _pos <= segment.hi
  returning branch_id
$$;

-- A fork is a session with one branch that borrows the path to a message, and one more for each side branch that is
-- taken along: those that leave the path before the message. What follows the message is never taken.
create or replace function chat_fork(
  _owner text, _source text, _id text, _fork text, _title text, _side_branches boolean
)
returns boolean
language plpgsql
as $$
declare
  _place record;
  _side record;
  _branch bigint;
  _moment bigint := nextval('chat_moment');
begin
  perform chat_lock(_owner, _source);
  select located.via, located.pos into _place from chat_locate(_owner, _source, _id) located;
  if not found then
    raise exception 'message not found' using errcode = 'GR001', detail = _id;
  end if;

  insert into chat_session (
    owner_id, session_id, title, touches, parent_session_id, forked_at_message_id, model, source, tags, metadata
  )
  select owner_id, _fork, _title, touches, _source, _id, model, source, tags, metadata
  from chat_session
  where owner_id = _owner and session_id = _source
  on conflict do nothing;
  if not found then
    return exists (
      select from chat_session
      where owner_id = _owner and session_id = _fork and deleted_at is null
        and parent_session_id = _source and forked_at_message_id = _id
    );
  end if;

  _branch := chat_borrow(_owner, _fork, _place.via, _place.pos, _moment);
  update chat_session set active_branch = _branch
  where owner_id = _owner and session_id = _fork;

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
  end if;

  update chat_session
  set message_count = (
    select coalesce(sum(counted.count), 0)
    from (
      select borrowed.branch_id, max(borrowed.upto) as upto
      from chat_borrowed(_owner, _fork) borrowed
      group by borrowed.branch_id
    ) lent
    -- Both numbers come from an index alone; to look at every row for its mark would read the whole conversation.
    cross join lateral (
      select
        (
          select count(*) from chat_message message
          where message.owner_id = _owner and message.branch_id = lent.branch_id and message.pos <= lent.upto
        ) - (
          select count(*) from chat_message message
          where message.owner_id = _owner and message.branch_id = lent.branch_id and message.pos <= lent.upto
            and message.deletion_id is not null
        ) as count
    ) counted
  )
  where owner_id = _owner and session_id = _fork;

  insert into chat_document (owner_id, scope, label, key, version, title, description, content, tsv)
  select owner_id, _fork, label, key, version, title, description, content, tsv
  from chat_document
  where owner_id = _owner and scope = _source;
  insert into chat_document_version (
    owner_id, scope, label, key, version, content, author, session_id, message_id, created_at
  )
  select owner_id, _fork, label, key, version, content, author, session_id, message_id, created_at
  from chat_document_version
  where owner_id = _owner and scope = _source;
  return true;
end
$$;

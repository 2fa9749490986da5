
-- Those a path sees: laid on one of its branches within reach, as of the moment that branch is seen.
create or replace function chat_seen_compactions(_owner text, _via bigint, _pos integer)
returns setof chat_compaction
language plpgsql stable rows 2
as $$
#variable_conflict use_column
begin
  return query
    select compaction.*
    from chat_segments(_owner, _via, _pos) segment
    join chat_compaction compaction
      on compaction.owner_id = _owner and compaction.branch_id = segment.branch_id
      and compaction.to_pos > segment.lo and compaction.to_pos <= segment.hi
      and compaction.compaction_id <= segment.as_of
      and (compaction.removed_moment is null or compaction.removed_moment > segment.as_of);
end
$$;

create or replace function chat_seen_skill_events(_owner text, _via bigint, _pos integer)
returns setof chat_skill_event
language plpgsql stable rows 2
as $$
#variable_conflict use_column
begin
  return query
    select event.*
    from chat_segments(_owner, _via, _pos) segment
    join chat_skill_event event
      on event.owner_id = _owner and event.branch_id = segment.branch_id
      and event.pos > segment.lo and event.pos <= segment.hi
      and event.event_id <= segment.as_of
    join chat_message message
      on message.owner_id = _owner and message.branch_id = event.branch_id and message.pos = event.pos
      and message.deletion_id is null;
end
$$;

-- Notes that a person loaded or unloaded a skill, at the message the session continues from; in a session without
-- messages, before all that will come.
create or replace function chat_note_skill(_owner text, _session text, _label text, _key text, _action text)
returns void
language plpgsql
as $$
declare
  _leaf text;
  _own record;
begin
  perform chat_lock_shared(_owner, _session);
  _leaf := chat_active_leaf(_owner, _session);
  if _leaf is null then
    update chat_session set skills_before = skills_before || jsonb_build_object('label', _label, 'key', _key, 'action', _action)
    where owner_id = _owner and session_id = _session;
    return;
  end if;
  select own.branch_id, own.pos into _own from chat_take(_owner, _session, _leaf) own;
  insert into chat_skill_event (owner_id, event_id, branch_id, pos, session_id, label, key, action, noted)
  values (
    _owner, chat_next_moment(_owner, _session), _own.branch_id, _own.pos, _session, _label, _key, _action, true
  );
end
$$;

-- Those that show: nothing on the path contains them (of equal ranges the newer counts) or partly overlaps and is newer,
-- and at least one message they stand for survives. Any two that intersect supersede one another one way, so those that
-- show are disjoint and every message is either shown or under exactly one of them.
create or replace function chat_shown_compactions(_owner text, _via bigint, _pos integer)
returns setof chat_compaction
language plpgsql stable rows 1
as $$
#variable_conflict use_column
begin
  return query
    with seen as materialized (
      select compaction.*
      from chat_seen_compactions(_owner, _via, _pos) compaction
      where exists (
        select from chat_at(_owner, _via, compaction.to_pos) last where last.pos >= compaction.from_pos
      )
    )
    select seen.*
    from seen
    where not exists (
      select from seen other
      where other.made_moment <> seen.made_moment
        and other.from_pos <= seen.to_pos and other.to_pos >= seen.from_pos
        and case
          when other.from_pos = seen.from_pos and other.to_pos = seen.to_pos
            then other.made_moment > seen.made_moment
          when other.from_pos <= seen.from_pos and other.to_pos >= seen.to_pos then true
          when seen.from_pos <= other.from_pos and seen.to_pos >= other.to_pos then false
          else other.made_moment > seen.made_moment
        end
    );
end
$$;

create or replace function chat_add_compaction(
  _owner text, _session text, _compaction text, _from text, _to text, _summary text, _metadata jsonb, _tsv tsvector
)
returns table (from_message_id text, to_message_id text, created_at timestamptz)
language plpgsql
as $$
#variable_conflict use_column
declare
  _start record;
  _end record;
  _new bigint;
begin
  perform chat_lock_shared(_owner, _session);
  -- A summary lies where its session's own messages lie, so that forks see it the way they see those.
  select own.branch_id, own.pos into _end from chat_take(_owner, _session, _to) own;
  select located.branch_id, located.pos into _start from chat_locate(_owner, _session, _from) located;
  if not found then
    raise exception 'message not found' using errcode = 'GR001', detail = _from;
  end if;
  if not exists (
    select from chat_segments(_owner, _end.branch_id, _end.pos) segment
    where segment.branch_id = _start.branch_id and segment.lo < _start.pos and _start.pos <= segment.hi
  ) then
    raise exception 'not a range' using errcode = 'GR005', detail = _from;
  end if;

  update chat_session set touches = touches + 1, updated_at = now()
  where owner_id = _owner and session_id = _session
  returning touches into _new;
  insert into chat_compaction (
    owner_id, compaction_id, made_moment, branch_id, session_id, id, from_pos, to_pos, from_message_id, to_message_id,
    summary, metadata
  )
  values (
    _owner, _new, _new, _end.branch_id, _session, _compaction, _start.pos, _end.pos, _from, _to, _summary, _metadata
  );
  insert into chat_search (owner_id, branch_id, pos, compaction_id, session_id, role, tsv)
  select _owner, _end.branch_id, _end.pos, _new, _session, 'user', _tsv where _tsv <> ''::tsvector;
  return query select _from, _to, now();
end
$$;

-- The session's own row of a compaction; one that is borrowed is copied in first.
create or replace function chat_own_compaction(_owner text, _session text, _compaction text, _removed boolean)
returns chat_compaction
language plpgsql
as $$
declare
  _row chat_compaction;
  _lender record;
begin
  loop
    select compaction.* into _row
    from chat_compaction compaction
    where compaction.owner_id = _owner and compaction.session_id = _session and compaction.id = _compaction
      and (compaction.removed_moment is not null) = _removed
    order by compaction.compaction_id desc
    limit 1;
    if found then return _row; end if;

    if _removed then
      raise exception 'compaction not found' using errcode = 'GR006', detail = _compaction;
    end if;
    select seen.branch_id into _lender
    from chat_branch branch
    cross join lateral chat_seen_compactions(_owner, branch.branch_id, branch.head) seen
    where branch.owner_id = _owner and branch.session_id = _session and seen.id = _compaction
    limit 1;
    if not found then
      raise exception 'compaction not found' using errcode = 'GR006', detail = _compaction;
    end if;
    perform chat_separate(_owner, _session, _lender.branch_id);
  end loop;
end
$$;

create or replace function chat_remove_compaction(_owner text, _session text, _compaction text)
returns void
language plpgsql
as $$
declare
  _row chat_compaction;
begin
  perform chat_lock_shared(_owner, _session);
  _row := chat_own_compaction(_owner, _session, _compaction, false);
  update chat_compaction set removed_moment = chat_next_moment(_owner, _session)
  where owner_id = _owner and branch_id = _row.branch_id and compaction_id = _row.compaction_id;
end
$$;

-- Exchanges a summary for another of the same range. Both happen or neither: there is no moment without a summary.
create or replace function chat_replace_compaction(
  _owner text, _session text, _old text, _compaction text, _summary text, _metadata jsonb, _tsv tsvector
)
returns table (from_message_id text, to_message_id text, created_at timestamptz)
language plpgsql
as $$
declare
  _row chat_compaction;
begin
  perform chat_lock_shared(_owner, _session);
  _row := chat_own_compaction(_owner, _session, _old, false);
  perform chat_remove_compaction(_owner, _session, _old);
  return query
    select added.from_message_id, added.to_message_id, added.created_at
    from chat_add_compaction(
      _owner, _session, _compaction, _row.from_message_id, _row.to_message_id, _summary, _metadata, _tsv
    ) added;
end
$$;

-- What comes back or changes is a new row in the old one's place, so that forks go on seeing what they saw.
create or replace function chat_renew_compaction(_owner text, _old chat_compaction, _summary text)
returns bigint
language plpgsql
as $$
declare
  _new bigint := chat_next_moment(_owner, _old.session_id);
begin
  insert into chat_compaction (
    owner_id, compaction_id, made_moment, branch_id, session_id, id, from_pos, to_pos, from_message_id, to_message_id,
    summary, metadata, created_at
  )
  values (
    _owner, _new, _old.made_moment, _old.branch_id, _old.session_id, _old.id, _old.from_pos, _old.to_pos, _old.from_message_id,
    _old.to_message_id, _summary, _old.metadata, _old.created_at
  );
  update chat_search set compaction_id = _new
  where owner_id = _owner and branch_id = _old.branch_id and pos = _old.to_pos and compaction_id = _old.compaction_id;
  return _new;
end
$$;

create or replace function chat_restore_compaction(_owner text, _session text, _compaction text)
returns void
language plpgsql
as $$
declare
  _row chat_compaction;
begin
  perform chat_lock_shared(_owner, _session);
  if exists (
    select from chat_compaction
    where owner_id = _owner and session_id = _session and id = _compaction and removed_moment is null
  ) then
    raise exception 'compaction not removed' using errcode = 'GR006', detail = _compaction;
  end if;
  _row := chat_own_compaction(_owner, _session, _compaction, true);
  perform chat_renew_compaction(_owner, _row, _row.summary);
end
$$;

create or replace function chat_update_compaction(_owner text, _session text, _compaction text, _summary text, _tsv tsvector)
returns void
language plpgsql
as $$
declare
  _old chat_compaction;
  _new bigint;
begin
  perform chat_lock_shared(_owner, _session);
  _old := chat_own_compaction(_owner, _session, _compaction, false);
  update chat_compaction set removed_moment = chat_next_moment(_owner, _session)
  where owner_id = _owner and branch_id = _old.branch_id and compaction_id = _old.compaction_id;
  _new := chat_renew_compaction(_owner, _old, _summary);
  update chat_search set tsv = _tsv
  where owner_id = _owner and branch_id = _old.branch_id and pos = _old.to_pos and compaction_id = _new;
end
$$;

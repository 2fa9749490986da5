-- A deletion has the id its client chose and happens once: a repeated request finds it here. GR012: the id belongs to
-- another deletion.

-- Null for a new deletion, otherwise the one that the first request with this id made.
create or replace function chat_note_deletion(
  _owner text, _deletion text, _kind text, _session text, _block text, _named text[]
)
returns text
language plpgsql
as $$
declare
  _noted record;
begin
  insert into chat_deletion (owner_id, deletion_id, kind, session_id, block_id, named)
  values (_owner, _deletion, _kind, _session, _block, _named)
  on conflict do nothing;
  if found then return null; end if;
  select deletion.kind, deletion.session_id, deletion.block_id, deletion.named, deletion.same_as into _noted
  from chat_deletion deletion
  where deletion.owner_id = _owner and deletion.deletion_id = _deletion;
  if (_noted.kind, _noted.session_id, _noted.block_id, _noted.named)
    is distinct from (_kind, _session, _block, _named) then
    raise exception 'deletion conflict' using errcode = 'GR012', detail = _deletion;
  end if;
  return coalesce(_noted.same_as, _deletion);
end
$$;

drop function if exists chat_delete(text, text, text[], text);
drop function if exists chat_delete(text, text, text[], text[], text);

-- Deletes `_ids`, for a request that named `_named`.
create or replace function chat_delete(
  _owner text, _session text, _ids text[], _named text[], _deletion text, _to_parent boolean default false
)
returns table (deletion_id text, message_ids text[], changed boolean)
language plpgsql
as $$
#variable_conflict use_column
declare
  _removed text[] := '{}';
  _before text;
  _earlier text;
begin
  perform chat_lock_shared(_owner, _session);
  _earlier := chat_note_deletion(_owner, _deletion, 'messages', _session, '', _named);
  if _earlier is null then
    _before := chat_active_leaf(_owner, _session);
    -- Owned first, removed afterwards: making one message the session's own may move others.
    perform chat_own_all(_owner, _session, _ids);
    with gone as (
      update chat_message message set deletion_id = _deletion, deleted_at = now()
      where message.owner_id = _owner and message.session_id = _session and message.id = any (_ids)
        and message.deletion_id is null
      returning message.id
    )
    select coalesce(array_agg(gone.id order by wanted.n), '{}') into _removed
    from gone
    join (select given.id, min(given.n) as n from unnest(_ids) with ordinality given (id, n) group by given.id) wanted
      on wanted.id = gone.id;
  end if;

  if _removed = '{}' and _earlier is null then
    select min(message.deletion_id) into _earlier
    from chat_message message
    join chat_deletion deletion
      on deletion.owner_id = message.owner_id and deletion.deletion_id = message.deletion_id
    where message.owner_id = _owner and message.session_id = _session and message.id = any (_named)
    having count(distinct message.deletion_id) = 1;
    update chat_deletion deletion set same_as = _earlier
    where deletion.owner_id = _owner and deletion.deletion_id = _deletion;
  elsif _earlier is null then
    perform chat_settle(_owner, _session, _deletion, _to_parent);
    update chat_session session
    set touches = session.touches + 1, message_count = session.message_count - cardinality(_removed), updated_at = now()
    where session.owner_id = _owner and session.session_id = _session;
    update chat_deletion deletion
    set removed = _removed, leaf_before = _before, leaf_after = chat_active_leaf(_owner, _session)
    where deletion.owner_id = _owner and deletion.deletion_id = _deletion;
  end if;

  return query
    select deletion.deletion_id, deletion.removed, _removed <> '{}'
    from chat_deletion deletion
    where deletion.owner_id = _owner and deletion.deletion_id = coalesce(_earlier, _deletion);
end
$$;

drop function if exists chat_restore(text, text, text);

-- False when it was restored before.
create or replace function chat_restore(_owner text, _session text, _deletion text)
returns boolean
language plpgsql
as $$
declare
  _undone record;
  _now text;
  _count integer;
begin
  perform chat_lock_shared(_owner, _session);
  select done.deletion_id, done.leaf_before, done.leaf_after into _undone
  from chat_deletion asked
  join chat_deletion done
    on done.owner_id = asked.owner_id and done.deletion_id = coalesce(asked.same_as, asked.deletion_id)
  where asked.owner_id = _owner and asked.session_id = _session and asked.deletion_id = _deletion
    and asked.kind = 'messages';
  if not found then
    raise exception 'deletion not found' using errcode = 'GR004', detail = _deletion;
  end if;
  _now := chat_active_leaf(_owner, _session);

  perform chat_give_all_copies(_owner, _session, array_agg(stretch.branch_id), array_agg(stretch.pos))
  from (
    select message.branch_id, min(message.pos) as pos
    from chat_message message
    where message.owner_id = _owner and message.session_id = _session and message.deletion_id = _undone.deletion_id
    group by message.branch_id
  ) stretch;
  update chat_message set deletion_id = null, deleted_at = null
  where owner_id = _owner and session_id = _session and deletion_id = _undone.deletion_id;
  get diagnostics _count = row_count;
  if _count = 0 then return false; end if;
  update chat_session set touches = touches + 1, message_count = message_count + _count, updated_at = now()
  where owner_id = _owner and session_id = _session;

  -- Back to where it was, unless someone has moved on since.
  if _now is not distinct from _undone.leaf_after then
    perform chat_continue_at(_owner, _session, _undone.leaf_before);
  end if;
  return true;
end
$$;

-- True when this call deleted the session, null without one.
create or replace function chat_delete_session(_owner text, _session text, _deletion text)
returns boolean
language plpgsql
as $$
begin
  perform from chat_session
  where owner_id = _owner and session_id = _session and source is distinct from 'importing'
    and not (source is not distinct from 'moved' and deleted_at is not null)
  for update;
  if not found then return null; end if;
  if chat_note_deletion(_owner, _deletion, 'session', _session, '', '{}') is not null then return false; end if;
  update chat_session set deleted_at = now()
  where owner_id = _owner and session_id = _session and deleted_at is null;
  if found then return true; end if;
  update chat_deletion deletion
  set same_as = (
    select earlier.deletion_id
    from chat_deletion earlier
    join chat_session session
      on session.owner_id = earlier.owner_id and session.session_id = earlier.session_id
        and session.deleted_at = earlier.created_at
    where earlier.owner_id = _owner and earlier.session_id = _session and earlier.kind = 'session'
      and earlier.same_as is null and earlier.deletion_id <> _deletion
    limit 1
  )
  where deletion.owner_id = _owner and deletion.deletion_id = _deletion;
  return false;
end
$$;

-- True when this call deleted the block, null without one.
create or replace function chat_delete_block(_owner text, _session text, _block text, _deletion text)
returns boolean
language plpgsql
as $$
begin
  perform from chat_block where owner_id = _owner and session_id = _session and block_id = _block for update;
  if not found then return null; end if;
  if chat_note_deletion(_owner, _deletion, 'block', _session, _block, '{}') is not null then return false; end if;
  update chat_block set deleted_at = now()
  where owner_id = _owner and session_id = _session and block_id = _block and deleted_at is null;
  if found then return true; end if;
  update chat_deletion deletion
  set same_as = (
    select earlier.deletion_id
    from chat_deletion earlier
    join chat_block block
      on block.owner_id = earlier.owner_id and block.session_id = earlier.session_id
        and block.block_id = earlier.block_id and block.deleted_at = earlier.created_at
    where earlier.owner_id = _owner and earlier.session_id = _session and earlier.block_id = _block
      and earlier.kind = 'block' and earlier.same_as is null and earlier.deletion_id <> _deletion
    limit 1
  )
  where deletion.owner_id = _owner and deletion.deletion_id = _deletion;
  return false;
end
$$;

-- Deletes an entry, and with `_files` those whose keys continue its own after a slash: 'deleted', 'repeated', 'none', or
-- 'conflict' when another version than `_expected` is the newest. GR008: the block is deleted.
create or replace function chat_delete_entry(
  _owner text, _session text, _block text, _key text, _files boolean, _expected integer, _author text, _deletion text
)
returns text
language plpgsql
as $$
declare
  _entry record;
  _keys text[];
  _versions integer[];
begin
  if chat_block_of(_owner, _session, _block, null) is null then
    raise exception 'block not found' using errcode = 'GR008', detail = _block;
  end if;
  select document.version, document.content is null as is_gone into _entry
  from chat_document document
  where document.owner_id = _owner and document.block_id = _block and document.session_id = _session
    and document.key = _key and _key <> ''
  for update;
  if not found then return 'none'; end if;
  if chat_note_deletion(_owner, _deletion, 'entry', _session, _block, array[_key]) is not null then
    return 'repeated';
  end if;
  if _entry.is_gone then
    update chat_deletion deletion
    set same_as = (
      select earlier.deletion_id
      from chat_deletion earlier
      where earlier.owner_id = _owner and earlier.session_id = _session and earlier.block_id = _block
        and earlier.kind = 'entry' and earlier.same_as is null
        and earlier.versions[array_position(earlier.removed, _key)] = _entry.version
      limit 1
    )
    where deletion.owner_id = _owner and deletion.deletion_id = _deletion;
    return 'repeated';
  end if;
  if _expected <> _entry.version then
    delete from chat_deletion where owner_id = _owner and deletion_id = _deletion;
    return 'conflict';
  end if;

  with gone as (
    update chat_document document
    set version = document.version + 1, content = null, tsv = null, updated_at = now()
    where document.owner_id = _owner and document.block_id = _block and document.session_id = _session
      and (document.key = _key or (_files and starts_with(document.key, _key || '/')))
      and document.content is not null
    returning document.key, document.version
  ),
  written as (
    insert into chat_document_version (owner_id, block_id, session_id, key, version, content, author)
    select _owner, _block, _session, gone.key, gone.version, null, _author
    from gone
  )
  select array_agg(gone.key order by gone.key <> _key, gone.key), array_agg(gone.version order by gone.key <> _key, gone.key)
  into _keys, _versions
  from gone;
  update chat_deletion set removed = _keys, versions = _versions
  where owner_id = _owner and deletion_id = _deletion;
  update chat_session set expires_at = to_timestamp(extract(epoch from now()) + expires_after_ms / 1000.0)
  where owner_id = _owner and session_id = _session and expires_after_ms is not null;
  return 'deleted';
end
$$;

-- Writes again what an entry and its files held: 'restored', 'repeated', or 'taken' when the entry was written since.
-- `_words` has the search words of each key. GR004: no such deletion. GR008: the block is deleted.
create or replace function chat_restore_entry(_owner text, _deletion text, _words json, _author text)
returns text
language plpgsql
as $$
declare
  _undone record;
  _entry record;
begin
  select deletion.session_id, deletion.block_id, deletion.removed, deletion.versions into _undone
  from chat_deletion deletion
  where deletion.owner_id = _owner and deletion.deletion_id = _deletion and deletion.kind = 'entry';
  if not found then
    raise exception 'deletion not found' using errcode = 'GR004', detail = _deletion;
  end if;
  if chat_block_of(_owner, _undone.session_id, _undone.block_id, null) is null then
    raise exception 'block not found' using errcode = 'GR008', detail = _undone.block_id;
  end if;
  select document.version, document.content into _entry
  from chat_document document
  where document.owner_id = _owner and document.block_id = _undone.block_id
    and document.session_id = _undone.session_id and document.key = _undone.removed[1]
  for update;
  if _entry.version > _undone.versions[1] then
    return case
      when exists (
        select from chat_document_version before
        join chat_document_version after
          on after.owner_id = before.owner_id and after.block_id = before.block_id
            and after.session_id = before.session_id and after.key = before.key
            and after.version = _undone.versions[1] + 1 and after.content = before.content
        where before.owner_id = _owner and before.block_id = _undone.block_id
          and before.session_id = _undone.session_id and before.key = _undone.removed[1]
          and before.version = _undone.versions[1] - 1
      ) then 'repeated'
      else 'taken'
    end;
  end if;

  with restored as (
    update chat_document document
    set version = document.version + 1, content = before.content, tsv = words.tsv, updated_at = now()
    from unnest(_undone.removed, _undone.versions) gone (key, version)
    join chat_document_version before
      on before.owner_id = _owner and before.block_id = _undone.block_id and before.session_id = _undone.session_id
        and before.key = gone.key and before.version = gone.version - 1
    left join json_to_recordset(_words) words (key text, tsv tsvector) on words.key = gone.key
    where document.owner_id = _owner and document.block_id = _undone.block_id
      and document.session_id = _undone.session_id and document.key = gone.key and document.version = gone.version
    returning document.key, document.version, document.content
  )
  insert into chat_document_version (owner_id, block_id, session_id, key, version, content, author)
  select _owner, _undone.block_id, _undone.session_id, restored.key, restored.version, restored.content, _author
  from restored;
  update chat_session set expires_at = to_timestamp(extract(epoch from now()) + expires_after_ms / 1000.0)
  where owner_id = _owner and session_id = _undone.session_id and expires_after_ms is not null;
  return 'restored';
end
$$;

-- Removes for good what a deletion removed and nobody restored, and forgets the deletion. Messages keep their ids and
-- places, without content, since a path runs through them. Null without one; false when it was restored.
create or replace function chat_forget(_owner text, _deletion text)
returns boolean
language plpgsql
as $$
declare
  _gone record;
  _count integer;
begin
  select * into _gone from chat_deletion where owner_id = _owner and deletion_id = _deletion and same_as is null;
  if not found then
    delete from chat_deletion where owner_id = _owner and deletion_id = _deletion;
    return null;
  end if;
  if _gone.kind <> 'block' and _gone.session_id <> '' then
    perform from chat_session where owner_id = _owner and session_id = _gone.session_id for update;
  end if;

  if _gone.kind = 'session' then
    perform from chat_session
    where owner_id = _owner and session_id = _gone.session_id and deleted_at = _gone.created_at;
    if found then
      perform chat_remove(_owner, _gone.session_id);
      return true;
    end if;
    _count := 0;
  elsif _gone.kind = 'messages' then
    delete from chat_search search using chat_message message
    where message.owner_id = _owner and message.session_id = _gone.session_id and message.deletion_id = _deletion
      and search.owner_id = _owner and search.branch_id = message.branch_id and search.pos = message.pos
      and search.compaction_id = 0;
    delete from chat_skill_event event using chat_message message
    where message.owner_id = _owner and message.session_id = _gone.session_id and message.deletion_id = _deletion
      and event.owner_id = _owner and event.branch_id = message.branch_id and event.pos = message.pos
      and not event.noted;
    update chat_run set receipt = null, request = null
    where owner_id = _owner and session_id = _gone.session_id and message_id = any (_gone.removed) and kind = 'answer'
      and exists (
        select from chat_message message
        where message.owner_id = _owner and message.session_id = _gone.session_id
          and message.id = chat_run.message_id and message.deletion_id = _deletion
      );
    update chat_message set content = '{"parts":[]}', preview = '', label = null
    where owner_id = _owner and session_id = _gone.session_id and deletion_id = _deletion;
    get diagnostics _count = row_count;
  elsif _gone.kind = 'block' then
    delete from chat_block
    where owner_id = _owner and session_id = _gone.session_id and block_id = _gone.block_id
      and deleted_at = _gone.created_at;
    get diagnostics _count = row_count;
    if _count > 0 then
      delete from chat_document document
      where document.owner_id = _owner and document.block_id = _gone.block_id
        and (document.session_id = _gone.session_id or _gone.session_id = '')
        and not exists (
          select from chat_block other
          where other.owner_id = _owner and other.block_id = _gone.block_id
            and other.session_id in ('', document.session_id)
        );
    end if;
  else
    delete from chat_document document
    using unnest(_gone.removed, _gone.versions) entry (key, version)
    where document.owner_id = _owner and document.block_id = _gone.block_id
      and document.session_id = _gone.session_id and document.key = entry.key and document.version = entry.version;
    get diagnostics _count = row_count;
  end if;
  delete from chat_deletion where owner_id = _owner and _deletion in (deletion_id, same_as);
  return _count > 0;
end
$$;

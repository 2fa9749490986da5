-- Keeps a session from being deleted or moved until the transaction has ended, and returns its id. GR003: it is deleted.
create or replace function chat_hold_session(_owner text, _session text)
returns text
language plpgsql
as $$
declare
  _deleted timestamptz;
begin
  select session.deleted_at into _deleted
  from chat_session session
  where session.owner_id = _owner and session.session_id = _session
  for key share;
  if _deleted is not null then
    raise exception 'session not found' using errcode = 'GR003', detail = _session;
  end if;
  return _session;
end
$$;

-- A session's own block comes before the one of every session; null when it or its session is deleted. `_block` is an id,
-- or null for a block named by its label. Locked until the statement has ended.
create or replace function chat_block_of(_owner text, _session text, _block text, _label text)
returns text
language plpgsql
as $$
declare
  _found text;
begin
  -- The session is not moved until the transaction has ended.
  perform from chat_session where owner_id = _owner and session_id = _session for key share;
  select block.block_id into _found
  from chat_block block
  where block.owner_id = _owner and block.session_id in ('', _session) and block.deleted_at is null
    and case
      when _block is not null then block.block_id = _block
      else block.label = _label and block.scope = case when _session = '' then 'owner' else 'session' end
    end
    and not exists (
      select from chat_session gone
      where gone.owner_id = _owner and gone.session_id = _session and gone.deleted_at is not null
    )
    and chat_open(_owner, _session)
  order by block.session_id desc
  limit 1
  for key share of block;
  return _found;
end
$$;

-- Writes the texts of several blocks, all or none, in one order, so that two calls never wait for each other. A block
-- named by a new label is made. GR009: blocks with another version than expected, as JSON. GR008: a block is deleted.
create or replace function chat_write_blocks(_owner text, _writes json)
returns void
language plpgsql
as $$
declare
  _write record;
  _block text;
  _version integer;
  _conflicts jsonb := '[]';
begin
  for _write in
    select given.*
    from rows from (
      json_to_recordset(_writes) as (
        block text, label text, session text, content text, tsv tsvector, expected integer, author text,
        program text, written_in text, message text
      )
    ) with ordinality given (
      block, label, session, content, tsv, expected, author, program, written_in, message, n
    )
    order by given.session, coalesce(given.block, given.label)
  loop
    _block := chat_block_of(_owner, _write.session, _write.block, _write.label);
    if _block is null and _write.block is null then
      insert into chat_block (owner_id, session_id, block_id, label, kind, scope, writers, origin, moment)
      select
        _owner, '',
        case when exists (
          select from chat_block used
          where used.owner_id = _owner and used.session_id = '' and used.block_id = _write.label
        ) then gen_random_uuid()::text else _write.label end,
        _write.label, 'writable', case when _write.session = '' then 'owner' else 'session' end, 'both', 'code',
        (
          select coalesce(max(made.moment), 0) + 1 from chat_block made
          where made.owner_id = _owner and made.session_id = ''
        )
      on conflict do nothing;
      _block := chat_block_of(_owner, _write.session, _write.block, _write.label);
    end if;
    if _block is null then
      raise exception 'block not found' using errcode = 'GR008', detail = coalesce(_write.label, _write.block);
    end if;

    insert into chat_document as present (owner_id, block_id, session_id, key, version, content, tsv)
    select _owner, _block, _write.session, '', 1, _write.content, _write.tsv
    where coalesce(_write.expected, 0) = 0 or exists (
      select from chat_document document
      where document.owner_id = _owner and document.block_id = _block and document.session_id = _write.session
        and document.key = ''
    )
    on conflict (owner_id, block_id, session_id, key) do update
    set version = present.version + 1, content = excluded.content, tsv = excluded.tsv, updated_at = excluded.updated_at
    where _write.expected is null or present.version = _write.expected
    returning present.version into _version;
    if not found then
      select document.version into _version
      from chat_document document
      where document.owner_id = _owner and document.block_id = _block and document.session_id = _write.session
        and document.key = '';
      _conflicts := _conflicts || jsonb_build_object('n', _write.n, 'version', coalesce(_version, 0));
      continue;
    end if;

    insert into chat_document_version (
      owner_id, block_id, session_id, key, version, content, author, program, written_in, message_id
    )
    values (
      _owner, _block, _write.session, '', _version, _write.content, _write.author, _write.program, _write.written_in,
      _write.message
    );
  end loop;

  if jsonb_array_length(_conflicts) > 0 then
    raise exception 'blocks changed' using errcode = 'GR009', detail = _conflicts::text;
  end if;
  update chat_session session set expires_at = to_timestamp(extract(epoch from now()) + session.expires_after_ms / 1000.0)
  where session.owner_id = _owner and session.expires_after_ms is not null
    and session.session_id in (select given.session from json_to_recordset(_writes) as given (session text));
end
$$;

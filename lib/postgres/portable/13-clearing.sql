-- While an owner is being cleared nobody adds rows of theirs: GR013, whose detail is the kind of clearing. What hangs on
-- a session, a document or a file by a foreign key needs no look of its own.

create or replace function chat_clearing_lock(_owner text)
returns bigint
language sql
immutable
as $$
  select hashtextextended('clearing ' || _owner, 0)
$$;

-- True for the one caller that may clear the owner now: nobody does, or whoever did has said nothing for a minute.
create or replace function chat_begin_clearing(_owner text, _kind text)
returns boolean
language plpgsql
as $$
declare
  _silent_since timestamptz := now() - interval '1 minute';
begin
  insert into chat_clearing as known (owner_id, kind)
  values (_owner, _kind)
  on conflict (owner_id) do update
  set renewed_at = excluded.renewed_at, stop_requested = false,
    kind = case known.kind when 'account' then 'account' else excluded.kind end
  where known.ended_at is null and known.renewed_at < _silent_since;
  return found;
end
$$;

-- Returns once every statement that looked before the clearing began has committed.
create or replace function chat_settle_clearing(_owner text)
returns void
language sql
as $$
  select pg_advisory_xact_lock(chat_clearing_lock(_owner))
$$;

-- Opens an owner of whom everything was deleted. The example is not made again, and release notes that were read stay read.
create or replace function chat_end_clearing(_owner text)
returns void
language plpgsql
as $$
begin
  delete from chat_clearing where owner_id = _owner and kind = 'data';
  insert into chat_owner as known (owner_id, settings)
  values (_owner, jsonb_build_object('exampleMade', true))
  on conflict (owner_id) do update
  set words_seq = 0,
    settings = case
      when known.settings ->> 'seenVersion' is null then excluded.settings
      else jsonb_set(excluded.settings, '{seenVersion}', known.settings -> 'seenVersion')
    end;
end
$$;

-- Nothing is ever stored again under the id of an account that is gone, of which a hash is left.
create or replace function chat_close_for_good(_owner text)
returns void
language plpgsql
as $$
begin
  delete from chat_clearing where owner_id = _owner;
  insert into chat_clearing (owner_id, kind, ended_at) values (md5(_owner), 'account', now())
  on conflict do nothing;
end
$$;

create or replace function chat_refuse_cleared()
returns trigger
language plpgsql
as $$
declare
  _root text := split_part(new.owner_id, chr(31), 1);
  _kind text;
begin
  select kind into _kind from chat_clearing where owner_id in (_root, md5(_root)) limit 1;
  if _kind is null then
    -- Waited for by a clearing, which otherwise would not see what is not committed yet.
    perform pg_advisory_xact_lock_shared(chat_clearing_lock(_root));
    select kind into _kind from chat_clearing where owner_id in (_root, md5(_root)) limit 1;
  end if;
  -- Projects of the person go on meanwhile, and note what that costs them.
  if _kind = 'data' and tg_table_name = 'chat_usage' and to_jsonb(new) ->> 'space_id' <> _root then
    return new;
  end if;
  if _kind is not null then
    raise exception 'the owner is being cleared' using errcode = 'GR013', detail = _kind;
  end if;
  return new;
end
$$;

do $$
declare
  _table text;
begin
  -- An earlier version has not all of them.
  if to_regclass('chat_clearing') is null then return; end if;
  foreach _table in array array[
    'chat_block', 'chat_deletion', 'chat_document', 'chat_file', 'chat_key', 'chat_owner', 'chat_personal_prompt',
    'chat_proposal', 'chat_request', 'chat_run', 'chat_secret', 'chat_session', 'chat_share', 'chat_stream', 'chat_usage',
    'chat_word'
  ] loop
    if to_regclass(_table) is not null and not exists (
      select from pg_trigger where tgrelid = to_regclass(_table) and tgname = 'chat_refuse_cleared'
    ) then
      execute format(
        'create trigger chat_refuse_cleared before insert on %I for each row execute function chat_refuse_cleared()',
        _table
      );
    end if;
  end loop;
end
$$;

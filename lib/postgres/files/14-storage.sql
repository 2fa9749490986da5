-- The person to whom the files of an owner count: the maker of a project, or the owner.
create or replace function chat_storing_person(_owner text)
returns text
language plpgsql
stable
as $$
begin
  return (
    select coalesce(
      (select space.made_by from account_space space where space.space_id = _owner), split_part(_owner, chr(31), 1)
    )
  );
end
$$;

-- Bytes of files that a person may store, as administrators decided: their own limit, else the one for everyone. Null
-- without one, and for an owner without an account.
create or replace function chat_storage_limit(_owner text)
returns bigint
language plpgsql
stable
as $$
begin
  return (
    select case jsonb_typeof(decided.limits -> 'storedMegabytes')
      when 'number' then ((decided.limits ->> 'storedMegabytes')::numeric * 1000000)::bigint
    end
    from account_user person
    left join chat_owner own on own.owner_id = 'account/' || person.id
    left join chat_owner everyone on everyone.owner_id = 'account/everyone'
    cross join lateral (
      select case jsonb_typeof(own.settings -> 'limits')
        when 'object' then own.settings -> 'limits'
        else everyone.settings -> 'limits'
      end as limits
    ) decided
    where person.owner_id = chat_storing_person(_owner)
  );
end
$$;

-- Bytes that an owner stores, each file once. One whose bytes never came counts for an hour.
create or replace function chat_stored_bytes(_owner text)
returns bigint
language plpgsql
stable
as $$
begin
  return (
    select coalesce(sum(file.size), 0)::bigint
    from chat_file file
    where file.owner_id = _owner and (file.complete or file.touched_at > now() - interval '1 hour')
  );
end
$$;

-- Bytes that count towards the limit of the person to whom an owner's files count: theirs, and those of their projects.
create or replace function chat_counted_bytes(_owner text)
returns bigint
language plpgsql
stable
as $$
begin
  return (
    select coalesce(sum(chat_stored_bytes(own.id)), 0)::bigint
    from (
      select chat_storing_person(_owner)
      union all
      select space.space_id from account_space space where space.made_by = chat_storing_person(_owner)
    ) own (id)
  );
end
$$;

-- Takes the place of a file that is about to arrive. A row is the refusal: what is used, and what is allowed. Files of one
-- owner with a limit wait for each other here, so that two at once cannot both have the last of it.
create or replace function chat_reserve_file(_owner text, _sha256 text, _size bigint, _media_type text)
returns table (used bigint, allowed bigint)
language plpgsql
as $$
declare
  _allowed bigint := chat_storage_limit(_owner);
  _used bigint;
  _known bigint;
begin
  if _allowed is not null then
    perform pg_advisory_xact_lock(hashtextextended('files ' || chat_storing_person(_owner), 0));
    _used := chat_counted_bytes(_owner);
    select file.size into _known
    from chat_file file
    where file.owner_id = _owner and file.sha256 = _sha256
      and (file.complete or file.touched_at > now() - interval '1 hour');
    if _known is null and _used + _size > _allowed then
      return query select _used, _allowed;
      return;
    end if;
  end if;
  insert into chat_file (owner_id, sha256, size, media_type)
  values (_owner, _sha256, _size, _media_type)
  on conflict (owner_id, sha256) do update set touched_at = excluded.touched_at;
end
$$;

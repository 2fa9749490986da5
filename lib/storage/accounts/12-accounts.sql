-- Accounts are of the installation, so these functions carry no owner.

create or replace function account_can_sign_in(_user text)
returns boolean
language plpgsql
stable
as $$
begin
  return exists (select from account_login where user_id = _user)
    or exists (select from account_passkey where user_id = _user);
end
$$;

-- Marks an invite as used, and answers with its role; null for one that is used, withdrawn or too old. The links to the
-- first account live until there is one.
create or replace function account_take_invite(_invite text)
returns text
language plpgsql
as $$
declare
  _role text;
begin
  update account_invite set used_at = now()
  where id = _invite and used_at is null and (expires_at > now() or (role = 'owner' and user_id is null))
  returning role into _role;
  return _role;
end
$$;

-- Makes the account of an invite with a password: all of it, or nothing when the invite is spent, which is false.
create or replace function account_make(
  _invite text, _id text, _name text, _email text, _password text, _takes_local boolean
)
returns boolean
language plpgsql
as $$
declare
  _role text := account_take_invite(_invite);
  _owner text := _id;
begin
  if _role is null then return false; end if;
  -- Nobody can sign in to an account that a fault left without a login.
  delete from account_user person
  where (person.email = _email or (_role = 'owner' and person.role = 'owner'))
    and not exists (select from account_login login where login.user_id = person.id)
    and not exists (select from account_passkey passkey where passkey.user_id = person.id);
  if _takes_local and _role = 'owner' and not exists (select from account_user where owner_id = 'local') then
    _owner := 'local';
  end if;
  insert into account_user (id, owner_id, role, name, email) values (_id, _owner, _role, _name, _email);
  insert into account_login (id, user_id, provider_id, account_id, password)
  values (gen_random_uuid()::text, _id, 'credential', _id, _password);
  if _role = 'owner' then
    delete from account_invite where role = 'owner' and user_id is null and used_at is null;
  end if;
  return true;
end
$$;

-- Gives the person of a link another password, and ends what could keep them out or others in: the second factor and
-- every session, whose ids are the answer. Null when the link is spent.
create or replace function account_recover(_invite text, _password text)
returns text[]
language plpgsql
as $$
declare
  _user text;
  _ended text[];
begin
  if account_take_invite(_invite) is null then return null; end if;
  select user_id into _user from account_invite where id = _invite;
  delete from account_login where user_id = _user and provider_id = 'credential';
  insert into account_login (id, user_id, provider_id, account_id, password)
  values (gen_random_uuid()::text, _user, 'credential', _user, _password);
  delete from account_two_factor where user_id = _user;
  update account_user set two_factor_enabled = false, updated_at = now() where id = _user;
  delete from account_invite where user_id = _user and used_at is null;
  with ended as (delete from account_session where user_id = _user returning id)
  select coalesce(array_agg(id), '{}') into _ended from ended;
  return _ended;
end
$$;

-- Removes accounts that a fault left without any way to sign in, and answers with how many there were.
create or replace function account_remove_halves()
returns integer
language plpgsql
as $$
declare
  _count integer;
begin
  delete from account_user person
  where person.created_at < now() - interval '1 minute'
    and not exists (select from account_login login where login.user_id = person.id)
    and not exists (select from account_passkey passkey where passkey.user_id = person.id);
  get diagnostics _count = row_count;
  return _count;
end
$$;

-- Undoes the account that a sign-in elsewhere began and did not end, and opens its invite again.
create or replace function account_unmake(_user text, _invite text)
returns boolean
language plpgsql
as $$
begin
  if account_can_sign_in(_user) then return false; end if;
  delete from account_user where id = _user;
  update account_invite set used_at = null where id = _invite;
  return true;
end
$$;

-- Deletes a person with devices, logins, passkeys and invites, once the rows of their owner are deleted. The log forgets
-- whose events they were, and nothing is stored under the owner again, except under that of the machine.
create or replace function account_delete(_user text)
returns boolean
language plpgsql
as $$
declare
  _person record;
begin
  select * into _person from account_user where id = _user for update;
  if not found then return false; end if;
  update account_event set email = null, address = null
  where actor = _user or subject = _user or email = _person.email;
  delete from account_invite where email = _person.email;
  delete from chat_owner where owner_id = 'account/' || _user;
  delete from account_user where id = _user;
  if _person.owner_id = 'local' then
    delete from chat_clearing where owner_id = 'local';
  else
    perform chat_close_for_good(_person.owner_id);
  end if;
  return true;
end
$$;

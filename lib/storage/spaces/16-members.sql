-- Members of a project change one at a time: each function locks the project's row, and looks only then. So of two owners
-- who remove each other at once, one is removed.

-- Makes a person a member, and answers `joined`, or with why not. `_invitation`: the link must still work. With a first
-- other member nobody's own memory is read there any more, until they turn it on again.
create or replace function chat_join_space(
  _space text, _person text, _role text, _invitation text, _most_members integer, _most_projects integer
)
returns text
language plpgsql
as $$
begin
  perform from account_space where space_id = _space and deleted_at is null for update;
  if not found then
    return 'gone';
  end if;
  if _invitation is not null and not exists (
    select from account_invitation
    where invitation_id = _invitation and space_id = _space and role = _role and ends_at > now()
  ) then
    return 'gone';
  end if;
  if exists (select from account_member where space_id = _space and person_id = _person) then
    return 'member';
  end if;
  if (select count(*) from account_member where space_id = _space) >= _most_members
    or (select count(*) from account_member where person_id = _person) >= _most_projects then
    return 'full';
  end if;
  update account_member set personal_memory = null
  where space_id = _space and (select count(*) from account_member other where other.space_id = _space) = 1;
  insert into account_member (person_id, space_id, role) values (_person, _space, _role);
  return 'joined';
end
$$;

-- Gives a member a role, or, with null, ends the membership, and answers `changed`, or with why not. `_by` is an owner, or
-- leaves. There is always an owner, to whom the files count; links that a former one made end. Who makes another the owner
-- reads from then on.
create or replace function chat_change_member(_space text, _by text, _person text, _role text)
returns text
language plpgsql
as $$
declare
  _by_role text;
begin
  perform from account_space where space_id = _space for update;
  select role into _by_role from account_member where space_id = _space and person_id = _by;
  if _by_role is null or not exists (select from account_member where space_id = _space and person_id = _person) then
    return 'missing';
  end if;
  if _by_role <> 'owner' and (_by <> _person or _role is not null) then
    return 'refused';
  end if;
  if _role is distinct from 'owner' then
    if not exists (
      select from account_member where space_id = _space and role = 'owner' and person_id <> _person
    ) then
      return 'last-owner';
    end if;
    update account_space set made_by = (
      select person_id from account_member
      where space_id = _space and role = 'owner' and person_id <> _person
      order by since, person_id
      limit 1
    )
    where space_id = _space and made_by = _person;
    delete from account_invitation where space_id = _space and made_by = _person;
  end if;
  if _role = 'owner' and _by <> _person then
    update account_member set role = 'reader' where space_id = _space and person_id = _by;
    update account_space set made_by = _person where space_id = _space and made_by = _by;
    delete from account_invitation where space_id = _space and made_by = _by;
  end if;
  if _role is null then
    delete from account_member where space_id = _space and person_id = _person;
  else
    update account_member set role = _role where space_id = _space and person_id = _person;
  end if;
  return 'changed';
end
$$;

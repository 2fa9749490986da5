import "server-only";
import { AccountError } from "@/lib/accounts/account-error";
import { assertConfirmed } from "@/lib/accounts/confirmation";
import {
  type AccountEventWire,
  houseNames,
  type LimitsWire,
  type PeopleWire,
} from "@/lib/chat/wire/accounts";
import { toWire } from "@/lib/chat/wire/wire";
import { everyoneId } from "@/lib/storage/accounts/person-policies";
import { type HouseSettings, isHouseKey } from "./house-settings";
import { note, type Own, type OwnContext, ownOf, stopAnswers } from "./own-account";
import type { Services } from "./services";

export async function peopleWire({ accounts, person }: Own): Promise<PeopleWire> {
  const { store } = accounts;
  const [people, invites, environmentKeys, limits, dollars, stored] = await Promise.all([
    store.people(),
    store.invites(),
    store.environmentKeys(),
    store.limits.limitsOfEveryone(),
    store.limits.dollarsOfEveryone(),
    store.limits.storedOfEveryone(),
  ]);
  return toWire({
    people: people.map(({ id, name, email, role, lastSeenAt, policy }) => ({
      ...{ id, name, email, role },
      seenAt: lastSeenAt === null ? null : new Date(lastSeenAt),
      isYou: id === person.userId,
      deletesAt: policy.deletesAt ?? null,
      deletionFailedAt: policy.deletionFailedAt ?? null,
      limits: policy.limits,
      dollars: dollars.get(id) ?? 0,
      storedBytes: stored.get(id) ?? 0,
    })),
    invites: invites.map(({ id, role, email, expiresAt }) => ({ id, role, email, expiresAt })),
    environmentKeys,
    limits,
  });
}

export async function inviteSomebody(
  own: Own,
  { role, email }: { role: "admin" | "member"; email: string | null },
  id: string = crypto.randomUUID(),
): Promise<{ link: string }> {
  if (role === "admin" && own.person.role !== "owner")
    throw new AccountError(
      "not-allowed",
      "Only the owner of this Grove can invite administrators.",
    );
  const createdBy = own.person.userId;
  const invite = { id, role, email: email?.toLowerCase() ?? null, createdBy };
  const { link } = await own.accounts.invite(invite);
  await note(own, "invited", { detail: role });
  return { link };
}

/**
 * The link opens the account to anyone who has it, so the log says who made it. Earlier links of the person end, and an
 * administrator's once they administer no longer.
 */
export async function passwordLink(
  own: Own,
  userId: string,
  id: string = crypto.randomUUID(),
): Promise<{ link: string }> {
  const { role, email, ownerId: personId } = await findManaged(own, userId);
  const { store } = own.accounts;
  if ((await store.rightsOf(personId)).isRemoved)
    throw new AccountError(
      "account-removed",
      "This account was removed. Restore it before you make a link for it.",
    );
  const createdBy = own.person.userId;
  const { link } = await own.accounts.invite({ id, role, email, createdBy, userId });
  await store.deletePasswordLinks({ to: userId, except: id });
  await note(own, "password-link-made", { subject: userId });
  return { link };
}

export async function withdrawInvite(own: Own, inviteId: string): Promise<void> {
  if (!(await own.accounts.store.deleteInvite(inviteId)))
    throw new AccountError("invite-invalid", "This invite was used or withdrawn already.");
  await note(own, "invite-withdrawn");
}

export async function changeRole(
  own: Own,
  userId: string,
  role: "admin" | "member",
): Promise<void> {
  if (own.person.role !== "owner")
    throw new AccountError("not-allowed", "Only the owner of this Grove can change roles.");
  await findPerson(own, userId);
  const { store } = own.accounts;
  if (!(await store.changeRole(userId, role))) return;
  if (role === "member") await store.deletePasswordLinks({ madeBy: userId });
  await note(own, "role-changed", { subject: userId, detail: role });
}

export async function changePolicy(
  own: Own,
  environmentKeys: "everyone" | "admins",
): Promise<void> {
  await own.accounts.store.setEnvironmentKeys(environmentKeys);
  await note(own, "environment-keys-changed", { detail: environmentKeys });
}

export async function changeHouse(
  context: OwnContext,
  changes: Parameters<HouseSettings["change"]>[0],
): Promise<void> {
  const { house, accounts } = context.services;
  const own = accounts && ownOf(context);
  // Another key would take everyone's chats to another account at the provider.
  if (own && houseNames.some((name) => name in changes && isHouseKey(name)))
    assertConfirmed(own.person);
  await house.change(changes);
  if (own) await note(own, "house-changed", { detail: Object.keys(changes).join(", ") });
}

export async function signOutPerson(shared: Services, own: Own, userId: string): Promise<void> {
  await findPerson(own, userId);
  const ended = await own.accounts.store.endSessions(userId, { except: null });
  shared.devices.end(ended);
  await note(own, "signed-out-by-admin", { subject: userId });
}

export async function changeLimits(
  own: Own,
  userId: string | null,
  limits: LimitsWire | null,
): Promise<void> {
  const { policies } = own.accounts.store;
  if (userId === null) await policies.change(everyoneId, { limits });
  else {
    await findPerson(own, userId);
    await policies.change(userId, { limits });
  }
  await note(own, "limits-changed", { ...(userId && { subject: userId }) });
}

const graceMs = 30 * 24 * 60 * 60 * 1_000;

export async function removePerson(shared: Services, own: Own, userId: string): Promise<void> {
  const { ownerId: personId } = await findManaged(own, userId);
  const deletesAt = new Date(Date.now() + graceMs);
  await own.accounts.store.policies.change(userId, { deletesAt });
  const ended = await own.accounts.store.endSessions(userId, { except: null });
  shared.devices.end(ended);
  await own.accounts.store.deletePasswordLinks({ madeBy: userId });
  await stopAnswers(shared, personId);
  await note(own, "removed", { subject: userId });
}

export async function restorePerson(own: Own, userId: string): Promise<void> {
  await findManaged(own, userId);
  if (await own.accounts.store.isEnding(userId))
    throw new AccountError(
      "account-ending",
      "This account is being deleted already, so it cannot be restored.",
    );
  await own.accounts.store.policies.change(userId, { deletesAt: null });
  await note(own, "restored", { subject: userId });
}

async function findManaged(own: Own, userId: string) {
  const found = await findPerson(own, userId);
  if (found.role === "member" || own.person.role === "owner") return found;
  throw new AccountError("not-allowed", "Only the owner of this Grove can manage administrators.");
}

async function findPerson({ accounts, person }: Own, userId: string) {
  const found = await accounts.store.person(userId);
  if (found && found.id !== person.userId && found.role !== "owner") return found;
  throw new AccountError("person-not-found", "There is no such person whom you could change.");
}

export async function eventsWire(
  { accounts }: Own,
  before: number | undefined,
): Promise<{ events: AccountEventWire[] }> {
  const events = await accounts.store.log.events({ before });
  return {
    events: events.map(({ id, kind, who, about, email, address, detail, createdAt }) => ({
      id,
      kind: detail === null ? kind : `${kind}: ${detail}`,
      who: who ?? email,
      about,
      address,
      at: createdAt.toISOString(),
    })),
  };
}

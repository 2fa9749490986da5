import { closeForGood } from "@/lib/postgres/internal";
import "server-only";
import { AccountError } from "@/lib/accounts/account-error";
import { type Accounts, addressOf } from "@/lib/accounts/accounts";
import { assertConfirmed, confirm, type Proof } from "@/lib/accounts/confirmation";
import {
  asPerson,
  inOwnSpace,
  isOwnSpace,
  type PersonId,
  type PersonInSpace,
  type SpaceId,
} from "@/lib/chat/core/person-in-space";
import type { AccountWire } from "@/lib/chat/wire/accounts";
import type { SignedIn } from "@/lib/storage/accounts/signed-in";
import { changeMember } from "@/lib/storage/spaces/members";
import { accountsOf, limitOwnAttempts, withCookies } from "./account-requests";
import type { Identity } from "./owner-of";
import type { OwnerServices } from "./owner-services";
import type { PersonLimits } from "./person-limits";
import type { Services } from "./services";

export interface Own {
  readonly accounts: Accounts;
  readonly headers: Headers;
  readonly person: SignedIn;
  readonly limits: PersonLimits;
}

export interface OwnContext {
  readonly services: Services;
  readonly identity: Identity;
  readonly request: Request;
}

export function ownOf({ services, identity, request }: OwnContext): Own {
  const accounts = accountsOf(services);
  if (!identity.person) throw new AccountError("signed-out", "You are signed out. Sign in again.");
  const { limits } = services;
  return { accounts, limits, headers: request.headers, person: identity.person };
}

export function confirmedOwnOf(context: OwnContext): Own {
  const own = ownOf(context);
  assertConfirmed(own.person);
  return own;
}

/** A second factor asks for the password itself, where there is one. */
export async function assertConfirmedWithoutPassword({ accounts, person }: Own): Promise<void> {
  const logins = await accounts.store.loginsOf(person.userId);
  if (!logins.some(({ providerId }) => providerId === "credential")) assertConfirmed(person);
}

export async function confirmPerson(context: OwnContext, proof: Proof): Promise<Response> {
  const own = ownOf(context);
  limitOwnAttempts(own.person.sessionId);
  try {
    const { cookies, ended } = await confirm(own, proof);
    context.services.devices.end(ended);
    return withCookies({ ok: true }, cookies);
  } catch (error) {
    if (error instanceof AccountError) await note(own, "confirmation-failed");
    throw error;
  }
}

export async function accountWire({ accounts, person, limits }: Own): Promise<AccountWire> {
  const { store, providers } = accounts;
  const { userId } = person;
  const [row, sessions, passkeys, logins, exportedAt, allowance] = await Promise.all([
    store.person(userId),
    store.sessionsOf(userId),
    store.passkeysOf(userId),
    store.loginsOf(userId),
    exportedLately(accounts, userId),
    limits.view(person.personId),
  ]);
  if (!row) throw new AccountError("signed-out", "You are signed out. Sign in again.");
  const named = (id: string) => providers.find((each) => each.id === id)?.name ?? id;
  const joined = logins.filter(({ providerId }) => providerId !== "credential");
  return {
    name: row.name,
    email: row.email,
    role: row.role,
    deletesAt: person.deletesAt,
    exportedAt: exportedAt?.toISOString() ?? null,
    allowance,
    hasPassword: logins.length > joined.length,
    hasTwoFactor: row.twoFactorEnabled === true,
    devices: sessions.map(({ id, userAgent, ipAddress, updatedAt }) => ({
      id,
      userAgent,
      address: ipAddress,
      usedAt: updatedAt.toISOString(),
      isThis: id === person.sessionId,
    })),
    passkeys: passkeys.map(({ id, name }) => ({ id, name: name ?? "Passkey" })),
    joined: joined.map(({ id, providerId }) => ({
      id,
      name: named(providerId),
      provider: providerId,
    })),
    joinable: providers
      .filter(({ id }) => !joined.some(({ providerId }) => providerId === id))
      .map(({ id, name }) => ({ id, name })),
  };
}

export async function note(
  { accounts, headers, person }: Own,
  kind: string,
  more: { subject?: string; detail?: string } = {},
): Promise<void> {
  const address = addressOf(headers);
  await accounts.store.log.note({ kind, actor: person.userId, address, ...more });
}

export async function endDevices(
  shared: Services,
  own: Own,
  which: { only: string } | { except: string | null },
): Promise<void> {
  const ended = await own.accounts.store.endSessions(own.person.userId, which);
  if ("only" in which && ended.length === 0)
    throw new AccountError("device-not-found", "This device is signed out already.");
  shared.devices.end(ended);
  await note(own, "devices-signed-out", { detail: String(ended.length) });
}

const exportKind = "exported";
/** An older export may lack newer chats. */
const exportedLatelyMs = 15 * 60_000;

const exportOfProjectKind = "project-exported";

export async function noteExport(context: OwnContext, who: PersonInSpace): Promise<void> {
  if (!context.identity.person) return;
  if (isOwnSpace(who)) return note(ownOf(context), exportKind);
  await note(ownOf(context), exportOfProjectKind, { detail: who.spaceId });
}

async function exportedLately(
  { store }: Accounts,
  userId: string,
  project: string | null = null,
): Promise<Date | null> {
  const kind = project === null ? exportKind : exportOfProjectKind;
  const at = await store.log.lastEventOf(userId, { kind, detail: project });
  return at && Date.now() - at.getTime() < exportedLatelyMs ? at : null;
}

export async function assertExported({ projects }: Services, own: Own): Promise<void> {
  const { accounts, person } = own;
  if (!(await exportedLately(accounts, person.userId)))
    throw new AccountError(
      "export-first",
      "Download everything first: no download of yours ended in the last 15 minutes. Nothing was deleted.",
    );
  for (const { id, name, isOnlyOwner } of await projects.list(person.personId))
    if (isOnlyOwner && !(await exportedLately(accounts, person.userId, id)))
      throw new AccountError(
        "export-first",
        `Download your project “${name}” first, which is deleted with your account: no download of it ended in the last 15 minutes. Nothing was deleted.`,
      );
}

export async function stopAnswers(shared: Services, personId: PersonId): Promise<void> {
  const own = shared.acting(inOwnSpace(personId));
  await stopAnswersIn(own);
  for (const { id: spaceId } of await shared.projects.list(personId))
    await stopAnswersIn(shared.acting({ personId, spaceId }), personId);
}

/** @param personId Omitted: of everybody. */
export async function stopAnswersIn(
  owner: Pick<OwnerServices, "runs" | "temporary">,
  personId?: PersonId,
): Promise<void> {
  for (const { runs } of [owner, owner.temporary])
    for (const run of await runs.running())
      if (personId === undefined || run.personId === personId) await runs.requestStop(run.id);
}

/** The account is closed first. A sweep resumes an interrupted deletion. */
export async function deleteAccount(
  shared: Services,
  { accounts, userId, personId }: { accounts: Accounts; userId: string; personId: PersonId },
): Promise<void> {
  const person = await accounts.store.person(userId);
  if (person?.role === "owner" && (await accounts.store.people()).length > 1)
    throw new AccountError(
      "not-allowed",
      "This account administers Grove for the others, so it can only be deleted as the last one.",
    );
  const owner = shared.acting(inOwnSpace(personId));
  await owner.data.deleteOwner(async () => {
    shared.devices.end(await accounts.store.endSessions(userId, { except: null }));
    await stopAnswers(shared, personId);
    await waitUntil(async () => (await owner.runs.running()).length === 0);
  });
  await leaveProjects(shared, personId);
  for (const isDeleted of [false, true])
    for (const { id, isOnlyOwner } of await shared.projects.list(personId, { deleted: isDeleted }))
      if (isOnlyOwner) await deleteProjectForGood(shared, id, null);
  shared.models.forget(personId);
  await accounts.store.deletePerson(userId);
}

/** Ends memberships, but for projects that only this person owns, which are deleted next. */
async function leaveProjects({ projects, sql }: Services, personId: PersonId): Promise<void> {
  for (const isDeleted of [false, true])
    for (const { id: spaceId } of await projects.list(personId, { deleted: isDeleted }))
      await changeMember(sql, { by: personId, personId, spaceId }, null);
}

/**
 * A sweep resumes an interrupted deletion. @param deletedFor spares a project restored meanwhile; `null` deletes
 * whatever its state.
 */
export async function deleteProjectForGood(
  shared: Services,
  spaceId: SpaceId,
  deletedFor: number | null,
): Promise<void> {
  if (!(await shared.projects.claim(spaceId, deletedFor))) return;
  const owner = shared.acting({ personId: asPerson(spaceId), spaceId });
  await owner.data.deleteOwner(async () => {
    await stopAnswersIn(owner);
    await waitUntil(async () => (await owner.runs.running()).length === 0);
  });
  await closeForGood(shared.sql, spaceId);
  await shared.projects.remove(spaceId);
}

const stopMs = 5_000;

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + stopMs;
  while (Date.now() < end && !(await isDone())) await new Promise((done) => setTimeout(done, 100));
}

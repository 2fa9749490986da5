import { and, asc, desc, eq, gt, isNull, lt, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Sql } from "postgres";
import { type Database, drizzleOn, preparedOnce } from "@/lib/postgres/drizzle-on";
import {
  accountEvent,
  accountInvite,
  accountLogin,
  accountPasskey,
  accountPolicy,
  accountSession,
  accountUser,
  chatClearing,
  chatOwner,
} from "@/lib/postgres/schema";
import { PersonLimitsStore } from "./person-limits-store";
import { isPolicyOfUser, PersonPolicies, policyOf } from "./person-policies";

type InviteRow = typeof accountInvite.$inferSelect;
type EventRow = typeof accountEvent.$inferSelect;
export type AccountRole = (typeof accountUser.$inferSelect)["role"];
export type EnvironmentKeys = (typeof accountPolicy.$inferSelect)["environmentKeys"];

export interface SignedIn {
  readonly userId: string;
  readonly ownerId: string;
  readonly role: AccountRole;
  readonly sessionId: string;
  /** Since the session was last extended. */
  readonly updatedAt: Date;
  /** End of an account that was removed, as ISO 8601; until then its person may take their data along. */
  readonly deletesAt: string | null;
  /** Everything of theirs is being deleted. */
  readonly isEnding: boolean;
  /** When the person last proved who they are, by signing in or again. */
  readonly confirmedAt: Date;
}

const isEnding = and(
  eq(chatClearing.ownerId, accountUser.ownerId),
  eq(chatClearing.kind, "account"),
);

const findSession = preparedOnce((db) =>
  db
    .select({
      userId: accountUser.id,
      ownerId: accountUser.ownerId,
      role: accountUser.role,
      sessionId: accountSession.id,
      updatedAt: accountSession.updatedAt,
      deletesAt: sql<string | null>`${chatOwner.settings} ->> 'deletesAt'`,
      isEnding: sql<boolean>`${chatClearing.ownerId} is not null`,
      createdAt: accountSession.createdAt,
      confirmedAt: accountSession.confirmedAt,
    })
    .from(accountSession)
    .innerJoin(accountUser, eq(accountUser.id, accountSession.userId))
    .leftJoin(chatOwner, isPolicyOfUser)
    .leftJoin(chatClearing, isEnding)
    .where(
      and(
        eq(accountSession.token, sql.placeholder("token")),
        gt(accountSession.expiresAt, sql`now()`),
      ),
    )
    .prepare("account_session_of_token"),
);

const findRights = preparedOnce((db) =>
  db
    .select({
      role: accountUser.role,
      environmentKeys: accountPolicy.environmentKeys,
      deletesAt: sql<string | null>`${chatOwner.settings} ->> 'deletesAt'`,
      isEnding: sql<boolean>`${chatClearing.ownerId} is not null`,
    })
    .from(sql`(select 1) one`)
    .leftJoin(accountUser, eq(accountUser.ownerId, sql.placeholder("ownerId")))
    .leftJoin(accountPolicy, eq(accountPolicy.id, 1))
    .leftJoin(chatOwner, isPolicyOfUser)
    .leftJoin(chatClearing, isEnding)
    .prepare("account_rights_of_owner"),
);

const eventsAtOnce = 100;

interface NewPerson {
  /** Its id. */
  readonly invite: string;
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Hashed. */
  readonly password: string;
  readonly takesLocalData: boolean;
}

/** Accounts of an installation. Its statements are about people, so they carry no owner. */
export class PostgresAccounts {
  readonly policies: PersonPolicies;
  readonly limits: PersonLimitsStore;
  readonly #sql: Sql;
  readonly #db: Database;

  constructor(pool: Sql) {
    this.#sql = pool;
    this.#db = drizzleOn(pool);
    this.policies = new PersonPolicies(pool);
    this.limits = new PersonLimitsStore(pool);
  }

  /** `null` once expired or revoked, at once. */
  async signedIn(token: string): Promise<SignedIn | null> {
    const [found] = await findSession(this.#db, { token });
    if (!found) return null;
    const { createdAt, ...session } = found;
    return { ...session, confirmedAt: found.confirmedAt ?? createdAt };
  }

  async confirmSession(sessionId: string): Promise<void> {
    await this.#db
      .update(accountSession)
      .set({ confirmedAt: sql`now()` })
      .where(eq(accountSession.id, sessionId));
  }

  async extendSession(sessionId: string, expiresAt: Date): Promise<void> {
    await this.#db
      .update(accountSession)
      .set({ expiresAt, updatedAt: sql`now()` })
      .where(eq(accountSession.id, sessionId));
  }

  /** Those of `sessionIds` that have not ended. */
  async liveSessions(sessionIds: readonly string[]): Promise<string[]> {
    if (sessionIds.length === 0) return [];
    const rows = await this.#db
      .select({ id: accountSession.id })
      .from(accountSession)
      .where(
        and(
          sql`${accountSession.id} = any(${sql.param([...sessionIds])}::text[])`,
          gt(accountSession.expiresAt, sql`now()`),
        ),
      );
    return rows.map(({ id }) => id);
  }

  /** Newest first. */
  sessionsOf(userId: string) {
    return this.#db
      .select({
        id: accountSession.id,
        userAgent: accountSession.userAgent,
        ipAddress: accountSession.ipAddress,
        createdAt: accountSession.createdAt,
        updatedAt: accountSession.updatedAt,
      })
      .from(accountSession)
      .where(and(eq(accountSession.userId, userId), gt(accountSession.expiresAt, sql`now()`)))
      .orderBy(desc(accountSession.updatedAt), desc(accountSession.id))
      .limit(200);
  }

  /** @returns the ids of the ended sessions. */
  async endSessions(
    userId: string,
    which: { readonly only: string } | { readonly except: string | null },
  ): Promise<string[]> {
    const chosen =
      "only" in which
        ? eq(accountSession.id, which.only)
        : ne(accountSession.id, which.except ?? "");
    const ended = await this.#db
      .delete(accountSession)
      .where(and(eq(accountSession.userId, userId), chosen))
      .returning({ id: accountSession.id });
    return ended.map(({ id }) => id);
  }

  /** `null` for the address: the owner of this Grove. */
  async personAt(email: string | null) {
    const [found] = await this.#db
      .select()
      .from(accountUser)
      .where(email === null ? eq(accountUser.role, "owner") : eq(accountUser.email, email));
    return found ?? null;
  }

  async person(userId: string) {
    const [found] = await this.#db.select().from(accountUser).where(eq(accountUser.id, userId));
    return found ?? null;
  }

  /** Oldest first. */
  async people() {
    const rows = await this.#db
      .select({
        id: accountUser.id,
        name: accountUser.name,
        email: accountUser.email,
        role: accountUser.role,
        createdAt: accountUser.createdAt,
        lastSeenAt: sql<string | null>`(
          select max(session.updated_at) from ${accountSession} session where session.user_id = ${accountUser.id}
        )`,
        settings: chatOwner.settings,
      })
      .from(accountUser)
      .leftJoin(chatOwner, isPolicyOfUser)
      .orderBy(asc(accountUser.createdAt), asc(accountUser.id))
      .limit(1_000);
    return rows.map(({ settings, ...row }) => ({ ...row, policy: policyOf(settings) }));
  }

  passkeysOf(userId: string) {
    return this.#db
      .select({
        id: accountPasskey.id,
        name: accountPasskey.name,
        createdAt: accountPasskey.createdAt,
      })
      .from(accountPasskey)
      .where(eq(accountPasskey.userId, userId))
      .orderBy(asc(accountPasskey.createdAt), asc(accountPasskey.id))
      .limit(100);
  }

  async ownsPasskey(userId: string, credentialId: string): Promise<boolean> {
    const found = await this.#db
      .select({ id: accountPasskey.id })
      .from(accountPasskey)
      .where(and(eq(accountPasskey.userId, userId), eq(accountPasskey.credentialID, credentialId)));
    return found.length > 0;
  }

  async deletePasskey(userId: string, id: string): Promise<boolean> {
    const deleted = await this.#db
      .delete(accountPasskey)
      .where(and(eq(accountPasskey.userId, userId), eq(accountPasskey.id, id)))
      .returning({ id: accountPasskey.id });
    return deleted.length > 0;
  }

  /** The password is one, with the provider id `credential`. */
  loginsOf(userId: string) {
    return this.#db
      .select({ id: accountLogin.id, providerId: accountLogin.providerId })
      .from(accountLogin)
      .where(eq(accountLogin.userId, userId))
      .orderBy(asc(accountLogin.createdAt), asc(accountLogin.id))
      .limit(20);
  }

  /** Never the last one. */
  async deleteLogin(userId: string, id: string): Promise<boolean> {
    const deleted = await this.#db
      .delete(accountLogin)
      .where(
        and(
          eq(accountLogin.userId, userId),
          eq(accountLogin.id, id),
          sql`exists (select from ${accountLogin} other where other.user_id = ${userId} and other.id <> ${id})`,
        ),
      )
      .returning({ id: accountLogin.id });
    return deleted.length > 0;
  }

  async canAnybodySignIn(): Promise<boolean> {
    const logins = await this.#db.select({ id: accountLogin.id }).from(accountLogin).limit(1);
    if (logins.length > 0) return true;
    const passkeys = await this.#db.select({ id: accountPasskey.id }).from(accountPasskey).limit(1);
    return passkeys.length > 0;
  }

  /** `null` for data without an account. */
  async roleOfOwner(ownerId: string): Promise<AccountRole | null> {
    const [found] = await this.#db
      .select({ role: accountUser.role })
      .from(accountUser)
      .where(eq(accountUser.ownerId, ownerId));
    return found?.role ?? null;
  }

  /** Of an owner, with what applies to everybody. */
  async rightsOf(
    ownerId: string,
  ): Promise<{ role: AccountRole | null; environmentKeys: EnvironmentKeys; isRemoved: boolean }> {
    const [found] = await findRights(this.#db, { ownerId });
    return {
      role: found?.role ?? null,
      environmentKeys: found?.environmentKeys ?? "everyone",
      isRemoved: typeof found?.deletesAt === "string" || found?.isEnding === true,
    };
  }

  async ownsData(ownerId: string): Promise<boolean> {
    return (await this.roleOfOwner(ownerId)) !== null;
  }

  async rename(userId: string, name: string): Promise<void> {
    await this.#db
      .update(accountUser)
      .set({ name, updatedAt: sql`now()` })
      .where(eq(accountUser.id, userId));
  }

  /** The owner's role stays. `false` when nothing changed. */
  async changeRole(userId: string, role: "admin" | "member"): Promise<boolean> {
    const changed = await this.#db
      .update(accountUser)
      .set({ role, updatedAt: sql`now()` })
      .where(
        and(eq(accountUser.id, userId), ne(accountUser.role, "owner"), ne(accountUser.role, role)),
      )
      .returning({ id: accountUser.id });
    return changed.length > 0;
  }

  /** With devices, logins, passkeys and invites; the log forgets whose events they were. */
  async deletePerson(userId: string): Promise<boolean> {
    const [row] = await this.#sql<
      { deleted: boolean }[]
    >`select account_delete(${userId}) as deleted`;
    return row?.deleted === true;
  }

  /** True while everything of the person is being deleted: nobody signs in to the account any more. */
  async isEnding(userId: string): Promise<boolean> {
    const [found] = await this.#db
      .select({ ownerId: chatClearing.ownerId })
      .from(accountUser)
      .innerJoin(chatClearing, isEnding)
      .where(eq(accountUser.id, userId));
    return found !== undefined;
  }

  /** `null` for data without an account. */
  async personOf(ownerId: string) {
    const [found] = await this.#db
      .select()
      .from(accountUser)
      .where(eq(accountUser.ownerId, ownerId));
    return found ?? null;
  }

  /** A link that nobody saw is replaced by that of a repeated request. Returns false for an invite that was used. */
  async addInvite(
    invite: Pick<InviteRow, "id" | "hash" | "role" | "email" | "createdBy" | "expiresAt"> &
      Partial<Pick<InviteRow, "userId">>,
  ): Promise<boolean> {
    const { hash, expiresAt, createdBy } = invite;
    const isSame =
      createdBy === null ? isNull(accountInvite.createdBy) : eq(accountInvite.createdBy, createdBy);
    const added = await this.#db
      .insert(accountInvite)
      .values(invite)
      .onConflictDoUpdate({
        target: accountInvite.id,
        set: { hash, expiresAt },
        setWhere: sql`${isOpen()} and ${isSame}`,
      })
      .returning({ id: accountInvite.id });
    return added.length > 0;
  }

  /** Unused and unexpired. */
  async openInvite(hash: string): Promise<InviteRow | null> {
    const [found] = await this.#db
      .select()
      .from(accountInvite)
      .where(and(eq(accountInvite.hash, hash), isOpen()));
    return found ?? null;
  }

  /** Within a day. */
  async wasJustUsed(hash: string): Promise<boolean> {
    const [found] = await this.#db
      .select({ id: accountInvite.id })
      .from(accountInvite)
      .where(
        and(eq(accountInvite.hash, hash), gt(accountInvite.usedAt, sql`now() - interval '1 day'`)),
      );
    return found !== undefined;
  }

  async openInviteFor(email: string): Promise<InviteRow | null> {
    const [found] = await this.#db
      .select()
      .from(accountInvite)
      .where(and(eq(accountInvite.email, email), isNull(accountInvite.userId), isOpen()))
      .orderBy(desc(accountInvite.createdAt), desc(accountInvite.id))
      .limit(1);
    return found ?? null;
  }

  /** One of many at once gets it. */
  async takeInvite(id: string): Promise<boolean> {
    const [row] = await this.#sql<
      { role: string | null }[]
    >`select account_take_invite(${id}) as role`;
    return typeof row?.role === "string";
  }

  /** Takes the invite and makes its account, or neither. @returns `false` when the invite is spent. */
  async makePerson({
    invite,
    id,
    name,
    email,
    password,
    takesLocalData,
  }: NewPerson): Promise<boolean> {
    const [row] = await this.#sql<{ made: boolean }[]>`
      select account_make(${invite}, ${id}, ${name}, ${email}, ${password}, ${takesLocalData}) as made`;
    return row?.made === true;
  }

  /** Sets the password of a link's person, without a second factor. @returns the ended sessions; `null` when it is spent. */
  async recover(inviteId: string, password: string): Promise<readonly string[] | null> {
    const [row] = await this.#sql<{ ended: string[] | null }[]>`
      select account_recover(${inviteId}, ${password}) as ended`;
    return row?.ended ?? null;
  }

  /** Removes accounts that a fault left without a way to sign in. @returns how many there were. */
  async removeHalves(): Promise<number> {
    const [row] = await this.#sql<{ removed: number }[]>`select account_remove_halves() as removed`;
    return row?.removed ?? 0;
  }

  /** Of a sign-in elsewhere that failed on the way; one that can be used stays. */
  async unmake({ userId, inviteId }: { userId: string; inviteId: string }): Promise<void> {
    await this.#sql`select account_unmake(${userId}, ${inviteId})`;
  }

  /** Newest first. */
  invites() {
    return this.#db
      .select({
        id: accountInvite.id,
        role: accountInvite.role,
        email: accountInvite.email,
        createdAt: accountInvite.createdAt,
        expiresAt: accountInvite.expiresAt,
      })
      .from(accountInvite)
      .where(and(isOpen(), isNull(accountInvite.userId)))
      .orderBy(desc(accountInvite.createdAt), desc(accountInvite.id))
      .limit(200);
  }

  async deleteInvite(id: string): Promise<boolean> {
    const deleted = await this.#db
      .delete(accountInvite)
      .where(and(eq(accountInvite.id, id), isOpen()))
      .returning({ id: accountInvite.id });
    return deleted.length > 0;
  }

  async note(event: Partial<EventRow> & Pick<EventRow, "kind">): Promise<void> {
    const { id: _, createdAt: __, ...row } = event;
    await this.#db.insert(accountEvent).values(row);
  }

  /** The last time that the person did something of a kind. */
  async lastEventOf(userId: string, kind: string): Promise<Date | null> {
    const [found] = await this.#db
      .select({ createdAt: accountEvent.createdAt })
      .from(accountEvent)
      .where(and(eq(accountEvent.actor, userId), eq(accountEvent.kind, kind)))
      .orderBy(desc(accountEvent.id))
      .limit(1);
    return found?.createdAt ?? null;
  }

  /** Newest first, before `before`, with the names of people. */
  events({ before }: { before?: number | undefined } = {}) {
    const actor = alias(accountUser, "actor");
    const subject = alias(accountUser, "subject");
    return this.#db
      .select({
        id: accountEvent.id,
        kind: accountEvent.kind,
        who: actor.name,
        about: subject.name,
        email: accountEvent.email,
        address: accountEvent.address,
        detail: accountEvent.detail,
        createdAt: accountEvent.createdAt,
      })
      .from(accountEvent)
      .leftJoin(actor, eq(actor.id, accountEvent.actor))
      .leftJoin(subject, eq(subject.id, accountEvent.subject))
      .where(before === undefined ? undefined : lt(accountEvent.id, before))
      .orderBy(desc(accountEvent.id))
      .limit(eventsAtOnce);
  }

  async environmentKeys(): Promise<EnvironmentKeys> {
    const [row] = await this.#db
      .select({ environmentKeys: accountPolicy.environmentKeys })
      .from(accountPolicy)
      .where(eq(accountPolicy.id, 1));
    return row?.environmentKeys ?? "everyone";
  }

  async setEnvironmentKeys(environmentKeys: EnvironmentKeys): Promise<void> {
    await this.#db
      .insert(accountPolicy)
      .values({ id: 1, environmentKeys })
      .onConflictDoUpdate({ target: accountPolicy.id, set: { environmentKeys } });
  }
}

/** As `account_take_invite`. */
function isOpen() {
  const isFirst = and(eq(accountInvite.role, "owner"), isNull(accountInvite.userId));
  return and(isNull(accountInvite.usedAt), or(gt(accountInvite.expiresAt, sql`now()`), isFirst));
}

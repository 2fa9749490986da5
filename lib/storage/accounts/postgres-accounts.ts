import { and, asc, desc, eq, gt, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import type { Sql } from "grove-session/postgres";
import type { PersonId } from "@/lib/chat/core/person-in-space";
import { chatClearing, chatOwner, type Database, drizzleOn } from "@/lib/postgres/storage";
import {
  accountInvite,
  accountLogin,
  accountPasskey,
  accountPolicy,
  accountSession,
  accountUser,
} from "@/lib/storage/schema";
import { AccountLog } from "./account-log";
import { PersonLimitsStore } from "./person-limits-store";
import { isPolicyOfUser, PersonPolicies, policyOf } from "./person-policies";
import {
  type AccountRole,
  type EnvironmentKeys,
  findRights,
  findSession,
  isEnding,
  type SignedIn,
} from "./signed-in";

type InviteRow = typeof accountInvite.$inferSelect;

interface NewPerson {
  readonly invite: string;
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly takesLocalData: boolean;
}

/** Statements are about people, so they carry no owner. */
export class PostgresAccounts {
  readonly policies: PersonPolicies;
  readonly limits: PersonLimitsStore;
  readonly log: AccountLog;
  readonly #sql: Sql;
  readonly #db: Database;

  constructor(pool: Sql) {
    this.#sql = pool;
    this.#db = drizzleOn(pool);
    this.policies = new PersonPolicies(pool);
    this.limits = new PersonLimitsStore(pool);
    this.log = new AccountLog(pool);
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

  loginsOf(userId: string) {
    return this.#db
      .select({ id: accountLogin.id, providerId: accountLogin.providerId })
      .from(accountLogin)
      .where(eq(accountLogin.userId, userId))
      .orderBy(asc(accountLogin.createdAt), asc(accountLogin.id))
      .limit(20);
  }

  /** Never deletes the last one. */
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

  async roleOfOwner(personId: PersonId): Promise<AccountRole | null> {
    const [found] = await this.#db
      .select({ role: accountUser.role })
      .from(accountUser)
      .where(eq(accountUser.ownerId, personId));
    return found?.role ?? null;
  }

  async rightsOf(
    personId: PersonId,
  ): Promise<{ role: AccountRole | null; environmentKeys: EnvironmentKeys; isRemoved: boolean }> {
    const [found] = await findRights(this.#db, { personId });
    return {
      role: found?.role ?? null,
      environmentKeys: found?.environmentKeys ?? "everyone",
      isRemoved: typeof found?.deletesAt === "string" || found?.isEnding === true,
    };
  }

  async ownsData(personId: PersonId): Promise<boolean> {
    return (await this.roleOfOwner(personId)) !== null;
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

  /** The log forgets whose events they were. */
  async deletePerson(userId: string): Promise<boolean> {
    const [row] = await this.#sql<
      { deleted: boolean }[]
    >`select account_delete(${userId}) as deleted`;
    return row?.deleted === true;
  }

  async isEnding(userId: string): Promise<boolean> {
    const [found] = await this.#db
      .select({ ownerId: chatClearing.ownerId })
      .from(accountUser)
      .innerJoin(chatClearing, isEnding)
      .where(eq(accountUser.id, userId));
    return found !== undefined;
  }

  async personOf(personId: PersonId) {
    const [found] = await this.#db
      .select()
      .from(accountUser)
      .where(eq(accountUser.ownerId, personId));
    return found ?? null;
  }

  /** A link that nobody saw is replaced by that of a repeated request. False for an invite that was used. */
  async addInvite(
    invite: Pick<InviteRow, "id" | "hash" | "role" | "email" | "createdBy" | "expiresAt"> &
      Partial<Pick<InviteRow, "userId">>,
  ): Promise<boolean> {
    const { hash, expiresAt, createdBy } = invite;
    const isSame =
      createdBy === null ? isNull(accountInvite.createdBy) : eq(accountInvite.createdBy, createdBy);
    const id = { id: accountInvite.id };
    const db = this.#db;
    const added = await db.insert(accountInvite).values(invite).onConflictDoNothing().returning(id);
    if (added.length > 0) return true;
    const replaced = await db
      .update(accountInvite)
      .set({ hash, expiresAt })
      .where(and(eq(accountInvite.id, invite.id), isOpen(), isSame))
      .returning(id);
    return replaced.length > 0;
  }

  async openInvite(hash: string): Promise<InviteRow | null> {
    const [found] = await this.#db
      .select()
      .from(accountInvite)
      .where(and(eq(accountInvite.hash, hash), isOpen()));
    return found ?? null;
  }

  /** Use within a day counts. */
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

  /** Sets the password without a second factor. @returns the ended sessions; `null` when the link is spent. */
  async recover(inviteId: string, password: string): Promise<readonly string[] | null> {
    const [row] = await this.#sql<{ ended: string[] | null }[]>`
      select account_recover(${inviteId}, ${password}) as ended`;
    return row?.ended ?? null;
  }

  async removeHalves(): Promise<number> {
    const [row] = await this.#sql<{ removed: number }[]>`select account_remove_halves() as removed`;
    return row?.removed ?? 0;
  }

  async unmake({ userId, inviteId }: { userId: string; inviteId: string }): Promise<void> {
    await this.#sql`select account_unmake(${userId}, ${inviteId})`;
  }

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

  async deletePasswordLinks(
    of: { readonly to: string; readonly except: string } | { readonly madeBy: string },
  ): Promise<void> {
    const { userId, createdBy, id } = accountInvite;
    const meant =
      "to" in of
        ? and(eq(userId, of.to), ne(id, of.except))
        : and(eq(createdBy, of.madeBy), isNotNull(userId));
    await this.#db.delete(accountInvite).where(and(meant, isOpen()));
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

function isOpen() {
  const isFirst = and(eq(accountInvite.role, "owner"), isNull(accountInvite.userId));
  return and(isNull(accountInvite.usedAt), or(gt(accountInvite.expiresAt, sql`now()`), isFirst));
}

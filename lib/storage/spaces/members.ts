import { and, asc, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Sql } from "grove-session/postgres";
import type { PersonId, PersonInSpace, SpaceId } from "@/lib/chat/core/person-in-space";
import { drizzleOn } from "@/lib/postgres/storage";
import { accountInvitation, accountMember, accountSpace, accountUser } from "@/lib/storage/schema";
import { mostProjects, type SpaceRole } from "./postgres-projects";

type Invitation = typeof accountInvitation.$inferSelect;

export const mostMembers = 100;

/** Owners first, then by when they came. */
export function membersOf(pool: Sql, spaceId: SpaceId) {
  const { role, since, personId } = accountMember;
  return drizzleOn(pool)
    .select({
      ...{ personId, role, since },
      userId: accountUser.id,
      name: accountUser.name,
      email: accountUser.email,
    })
    .from(accountMember)
    .innerJoin(accountUser, eq(accountUser.ownerId, personId))
    .where(eq(accountMember.spaceId, spaceId))
    .orderBy(desc(sql`${role} = 'owner'`), asc(since), asc(accountUser.id))
    .limit(mostMembers);
}

/** `null` for an address that no open account has. */
export async function personByEmail(pool: Sql, email: string): Promise<PersonId | null> {
  const [found] = await drizzleOn(pool)
    .select({ personId: accountUser.ownerId })
    .from(accountUser)
    .where(eq(accountUser.email, email));
  return found ? (found.personId as PersonId) : null;
}

export async function joinSpace(
  pool: Sql,
  { personId, spaceId }: PersonInSpace,
  { role, invitationId = null }: { role: SpaceRole; invitationId?: string | null },
): Promise<"joined" | "member" | "full" | "gone"> {
  const [row] = await pool<[{ result: "joined" | "member" | "full" | "gone" }]>`
    select chat_join_space(
      ${spaceId}, ${personId}, ${role}, ${invitationId}, ${mostMembers}, ${mostProjects}
    ) as result`;
  return row.result;
}

/** `null` ends the membership. */
export async function changeMember(
  pool: Sql,
  { by, personId, spaceId }: PersonInSpace & { readonly by: PersonId },
  role: SpaceRole | null,
): Promise<"changed" | "missing" | "refused" | "last-owner"> {
  const [row] = await pool<[{ result: "changed" | "missing" | "refused" | "last-owner" }]>`
    select chat_change_member(${spaceId}, ${by}, ${personId}, ${role}) as result`;
  return row.result;
}

const { endsAt, spaceId: ofSpace, tokenHash: hash } = accountInvitation;
const isOpen = gt(endsAt, sql`now()`);

export function invitationsOf(pool: Sql, spaceId: SpaceId): Promise<Invitation[]> {
  return drizzleOn(pool)
    .select()
    .from(accountInvitation)
    .where(and(eq(ofSpace, spaceId), isOpen))
    .orderBy(desc(accountInvitation.createdAt), desc(accountInvitation.invitationId))
    .limit(mostMembers);
}

/** Removes ended ones, too. @returns false where there are as many as may be, and for an id in use. */
export async function addInvitation(
  pool: Sql,
  invitation: Pick<Invitation, "invitationId" | "spaceId" | "tokenHash" | "role" | "madeBy">,
): Promise<boolean> {
  const { spaceId } = invitation;
  const db = drizzleOn(pool);
  await db.delete(accountInvitation).where(and(eq(ofSpace, spaceId), sql`not ${isOpen}`));
  if ((await invitationsOf(pool, spaceId)).length >= mostMembers) return false;
  const added = await db
    .insert(accountInvitation)
    .values(invitation)
    .onConflictDoNothing()
    .returning({ id: accountInvitation.invitationId });
  return added.length > 0;
}

export async function deleteInvitation(
  pool: Sql,
  spaceId: SpaceId,
  invitationId: string,
): Promise<void> {
  await drizzleOn(pool)
    .delete(accountInvitation)
    .where(and(eq(ofSpace, spaceId), eq(accountInvitation.invitationId, invitationId)));
}

/** `null` for a link that leads nowhere, for whatever reason. */
export async function openInvitation(pool: Sql, tokenHash: string) {
  const { invitationId, role, madeBy } = accountInvitation;
  const [found] = await drizzleOn(pool)
    .select({
      ...{ invitationId, role },
      spaceId: ofSpace,
      project: accountSpace.name,
      by: accountUser.name,
    })
    .from(accountInvitation)
    .innerJoin(accountSpace, eq(accountSpace.spaceId, ofSpace))
    .innerJoin(accountUser, eq(accountUser.ownerId, madeBy))
    .where(and(eq(hash, tokenHash), isOpen, isNull(accountSpace.deletedAt)));
  return found ?? null;
}

import { and, eq, isNull } from "drizzle-orm";
import type { Sql } from "grove-session/postgres";
import type { PersonInSpace } from "@/lib/chat/core/person-in-space";
import { drizzleOn } from "@/lib/postgres/drizzle-on";
import { accountMember, accountSpace } from "@/lib/storage/schema";

export type SpaceRole = (typeof accountMember.$inferSelect)["role"];

/** `null` for a space that is unknown or deleted, or that the person is no member of. */
export async function roleIn(
  sql: Sql,
  { personId, spaceId }: PersonInSpace,
): Promise<SpaceRole | null> {
  const [found] = await drizzleOn(sql)
    .select({ role: accountMember.role })
    .from(accountMember)
    .innerJoin(accountSpace, eq(accountSpace.spaceId, accountMember.spaceId))
    .where(
      and(
        eq(accountMember.personId, personId),
        eq(accountMember.spaceId, spaceId),
        isNull(accountSpace.deletedAt),
      ),
    );
  return found?.role ?? null;
}

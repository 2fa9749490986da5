import { and, eq, gt, sql } from "drizzle-orm";
import type { PersonId } from "@/lib/chat/core/person-in-space";
import { chatClearing, chatOwner, preparedOnce } from "@/lib/postgres/storage";
import { accountPolicy, accountSession, accountUser } from "@/lib/storage/schema";
import { isPolicyOfUser } from "./person-policies";

export type AccountRole = (typeof accountUser.$inferSelect)["role"];
export type EnvironmentKeys = (typeof accountPolicy.$inferSelect)["environmentKeys"];

export interface SignedIn {
  readonly userId: string;
  readonly personId: PersonId;
  readonly name: string;
  readonly role: AccountRole;
  readonly sessionId: string;
  readonly updatedAt: Date;
  /** ISO 8601; a removed person may take their data along until then. */
  readonly deletesAt: string | null;
  readonly isEnding: boolean;
  readonly confirmedAt: Date;
}

export const isEnding = and(
  eq(chatClearing.ownerId, accountUser.ownerId),
  eq(chatClearing.kind, "account"),
);

export const findSession = preparedOnce((db) =>
  db
    .select({
      userId: accountUser.id,
      personId: accountUser.ownerId,
      name: accountUser.name,
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

export const findRights = preparedOnce((db) =>
  db
    .select({
      role: accountUser.role,
      environmentKeys: accountPolicy.environmentKeys,
      deletesAt: sql<string | null>`${chatOwner.settings} ->> 'deletesAt'`,
      isEnding: sql<boolean>`${chatClearing.ownerId} is not null`,
    })
    .from(sql`(select 1) one`)
    .leftJoin(accountUser, eq(accountUser.ownerId, sql.placeholder("personId")))
    .leftJoin(accountPolicy, eq(accountPolicy.id, 1))
    .leftJoin(chatOwner, isPolicyOfUser)
    .leftJoin(chatClearing, isEnding)
    .prepare("account_rights_of_owner"),
);

import { and, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { chatSession } from "./schema";

/** Neither deleted nor expired. */
export const isLive: SQL | undefined = and(
  isNull(chatSession.deletedAt),
  sql`(${chatSession.expiresAt} is null or ${chatSession.expiresAt} > now())`,
);

/** After a write. */
export const renewedExpiry = sql`now() + ${chatSession.expiresAfterMs} * interval '1 millisecond'`;

/** Raises for an expired session, otherwise true. */
export function isOpen(ownerId: SQLWrapper, sessionId: SQLWrapper): SQL {
  return sql`chat_open(${ownerId}, ${sessionId})`;
}

import { and, isNotNull, isNull, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { chatSession } from "./schema";

/** A deleted session that is another owner's now, and is never restored. */
export const movedSource = "moved";

/** A condition: the session is neither deleted nor expired. */
export const isLive: SQL | undefined = and(
  isNull(chatSession.deletedAt),
  sql`(${chatSession.expiresAt} is null or ${chatSession.expiresAt} > now())`,
);

/** A time plus an interval depends on the time zone, so a distributed database adds no column to it. */
export const renewedExpiry = sql`to_timestamp(extract(epoch from now()) + ${chatSession.expiresAfterMs} / 1000.0)`;

/** Raises for an expired session, otherwise true. */
export function isOpen(ownerId: SQLWrapper, sessionId: SQLWrapper): SQL {
  return sql`chat_open(${ownerId}, ${sessionId})`;
}

const gone = alias(chatSession, "gone");
const isDeleted = isNotNull(gone.deletedAt);

/** Memory of a deleted session is hidden until it is restored, that of an expired one for good. */
export function isOfLiveSession(ownerId: SQLWrapper, sessionId: SQLWrapper): SQL {
  return isOfNoSession(ownerId, sessionId, or(isDeleted, sql`${gone.expiresAt} <= now()`));
}

export function isOfOpenSession(ownerId: SQLWrapper, sessionId: SQLWrapper): SQL {
  return sql`${isOfNoSession(ownerId, sessionId, isDeleted)} and ${isOpen(ownerId, sessionId)}`;
}

/** Suggestions of a chat that is elsewhere now are still for this owner's memory. */
export function isOfPresentSession(ownerId: SQLWrapper, sessionId: SQLWrapper): SQL {
  const isGone = and(isDeleted, sql`${gone.source} is distinct from ${movedSource}`);
  return isOfNoSession(ownerId, sessionId, or(isGone, sql`${gone.expiresAt} <= now()`));
}

function isOfNoSession(ownerId: SQLWrapper, sessionId: SQLWrapper, isGone: SQL | undefined): SQL {
  const isMeant = and(
    sql`${gone.ownerId} = ${ownerId}`,
    sql`${gone.sessionId} = ${sessionId}`,
    isGone,
  );
  return sql`not exists (select from chat_session gone where ${isMeant})`;
}

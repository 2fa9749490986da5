import { and, eq, exists, isNull, type SQL, sql } from "drizzle-orm";
import { chatRun, chatSession, type Database } from "@/lib/postgres/storage";

export const run = {
  id: chatRun.runId,
  kind: chatRun.kind,
  sessionId: chatRun.sessionId,
  messageId: chatRun.messageId,
  parentId: chatRun.parentId,
  model: chatRun.model,
  status: chatRun.status,
  plan: chatRun.plan,
  request: chatRun.request,
  keyId: chatRun.keyId,
  personId: chatRun.personId,
  pause: chatRun.pause,
  fence: chatRun.fence,
  problem: chatRun.error,
  startedAt: chatRun.startedAt,
  finishedAt: chatRun.finishedAt,
};

export const nextFence = sql`${chatRun.fence} + 1`;
export const leaseToken = sql<string>`${chatRun.leaseUntil}::text`;
export const remainingMs = sql<number>`(extract(epoch from ${chatRun.leaseUntil} - now()) * 1000)::float8`;

// The answer of a deleted session waits for its restoration.
export function sessionIsThere(db: Database): SQL {
  return exists(
    db
      .select({ found: sql`1` })
      .from(chatSession)
      .where(
        and(
          eq(chatSession.ownerId, chatRun.ownerId),
          eq(chatSession.sessionId, chatRun.sessionId),
          isNull(chatSession.deletedAt),
        ),
      ),
  );
}

export function leaseEnd(leaseMs: number): SQL<Date> {
  return sql`now() + ${leaseMs} * interval '1 millisecond'`;
}

export function isToken(token: string): SQL {
  // By way of a text, since the driver would cut a time to milliseconds.
  return sql`${chatRun.leaseUntil} = ${token}::text::timestamptz`;
}

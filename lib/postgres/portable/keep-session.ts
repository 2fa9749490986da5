import { and, eq } from "drizzle-orm";
import { type ExportedSession, parseSessionText } from "../../session/internal";
import { inTransaction } from "../connections/own-connection";
import { repeatedly } from "../connections/rolled-back";
import type { Sql } from "../connections/sql";
import { translated } from "../database-error";
import { drizzleOn } from "../drizzle-on";
import { chatRun, chatSession } from "../schema";
import { oneSession } from "./export-records";
import { storeSession } from "./one-session";

interface KeptSession {
  readonly from: string;
  readonly sessionId: string;
  readonly to: string;
  readonly as: string;
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Makes a session that expires one of `to`, under another id and for good. Writes wait and are then refused, so nothing
 * acknowledged is left behind. Its own id stays taken as long as it would have lived. @returns false, and changes
 * nothing, while an answer is being written. @throws {SessionNotFoundError} @throws {SessionExistsError} when `as` is
 * taken.
 */
export function keepSession(pool: Sql, kept: KeptSession): Promise<boolean> {
  return repeatedly(() =>
    inTransaction(pool, "write", async (sql) => {
      const { from, sessionId, to } = kept;
      await translated(sql`select chat_lock(${from}, ${sessionId})`);
      if (await isAnswering(sql, kept)) return false;
      const lines: string[] = [];
      for await (const line of oneSession(sql, { ownerId: from, sessionId })) lines.push(line);
      await storeSession(sql, to, withChanges(parseSessionText(lines.join("")), kept));
      await endSession(sql, kept);
      return true;
    }),
  );
}

async function isAnswering(sql: Sql, { from, sessionId }: KeptSession): Promise<boolean> {
  const running = await drizzleOn(sql)
    .select({ id: chatRun.runId })
    .from(chatRun)
    .where(
      and(
        eq(chatRun.ownerId, from),
        eq(chatRun.sessionId, sessionId),
        eq(chatRun.status, "running"),
      ),
    )
    .limit(1);
  return running.length > 0;
}

function withChanges(exported: ExportedSession, kept: KeptSession): ExportedSession {
  const { as, sessionId, title, metadata } = kept;
  const { session } = exported;
  const scoped = <Scoped extends { readonly scope: string | null }>(each: Scoped): Scoped =>
    each.scope === sessionId ? { ...each, scope: as } : each;
  return {
    ...exported,
    session: { ...session, id: as, title, metadata: { ...session.metadata, ...metadata } },
    blocks: exported.blocks.map(scoped),
    documents: exported.documents.map(scoped),
  };
}

/** A message that waited would make it again, where nobody sees it. */
async function endSession(sql: Sql, { from, sessionId }: KeptSession): Promise<void> {
  const [row] = await drizzleOn(sql)
    .select({ expiresAt: chatSession.expiresAt })
    .from(chatSession)
    .where(and(eq(chatSession.ownerId, from), eq(chatSession.sessionId, sessionId)));
  await sql`select chat_remove(${from}, ${sessionId})`;
  const now = new Date();
  await drizzleOn(sql)
    .insert(chatSession)
    .values({ ownerId: from, sessionId, deletedAt: now, expiresAt: row?.expiresAt ?? now });
}

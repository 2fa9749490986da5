import { aliasedTable, and, asc, desc, eq, ne, notExists, or, type SQL, sql } from "drizzle-orm";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { chatRun, chatStream, type Database } from "@/lib/postgres/storage";
import { run } from "./run-row";

type Runs = Pick<typeof chatRun, "ownerId" | "sessionId" | "kind">;

export function openSummaries(db: Database, owner: string, session: string): Promise<RunRecord[]> {
  const newer = aliasedTable(chatRun, "newer");
  const isNewer = sql`(${newer.startedAt}, ${newer.runId}) > (${chatRun.startedAt}, ${chatRun.runId})`;
  const newerOnes = db
    .select({ found: sql`1` })
    .from(newer)
    .where(and(summariesOf(newer, owner, session), isNewer));
  const failed = sql`${chatRun.status} in ('failed', 'interrupted')`;
  const isOpen = or(eq(chatRun.status, "running"), and(failed, notExists(newerOnes)));
  return db
    .select(run)
    .from(chatRun)
    .where(and(summariesOf(chatRun, owner, session), isOpen))
    .orderBy(asc(chatRun.startedAt), asc(chatRun.runId))
    .limit(20);
}

export async function newestSummary(
  db: Database,
  owner: string,
  session: string,
): Promise<RunRecord | null> {
  const [newest] = await db
    .select(run)
    .from(chatRun)
    .where(summariesOf(chatRun, owner, session))
    .orderBy(desc(chatRun.startedAt), desc(chatRun.runId))
    .limit(1);
  return newest ?? null;
}

export async function forgetSummary(db: Database, owner: string, runId: string): Promise<boolean> {
  const ended = and(eq(chatRun.kind, "summary"), ne(chatRun.status, "running"));
  const forgotten = db.$with("forgotten").as(
    db
      .delete(chatRun)
      .where(and(eq(chatRun.ownerId, owner), eq(chatRun.runId, runId), ended))
      .returning({ runId: chatRun.runId }),
  );
  const isOfForgotten = sql`${chatStream.runId} in (select run_id from forgotten)`;
  const chunks = db.$with("chunks").as(
    db
      .delete(chatStream)
      .where(and(eq(chatStream.ownerId, owner), isOfForgotten))
      .returning({ n: chatStream.n }),
  );
  const rows = await db.with(forgotten, chunks).select().from(forgotten);
  return rows.length > 0;
}

function summariesOf(runs: Runs, owner: string, session: string): SQL | undefined {
  return and(eq(runs.ownerId, owner), eq(runs.sessionId, session), eq(runs.kind, "summary"));
}

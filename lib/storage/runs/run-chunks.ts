import { and, asc, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { chatStream, type Database, preparedOnce, type Sql } from "@/lib/postgres/storage";

interface ChunkPlace {
  readonly ownerId: string;
  readonly runId: string;
  readonly from: number;
}

const { placeholder } = sql;

const insertChunks = preparedOnce((db) =>
  db
    .insert(chatStream)
    .values({
      ownerId: placeholder("owner"),
      runId: placeholder("run"),
      n: placeholder("n"),
      size: placeholder("size"),
      delta: placeholder("delta"),
    })
    // A batch whose first write was reported as failed may come again with more.
    .onConflictDoUpdate({
      target: [chatStream.ownerId, chatStream.runId, chatStream.n],
      set: { size: sql`excluded.size`, delta: sql`excluded.delta` },
      setWhere: sql`${chatStream.size} < excluded.size`,
    })
    .prepare("insert_chunks"),
);

export async function appendChunks(
  db: Database,
  { ownerId: owner, runId: run, from: n }: ChunkPlace,
  chunks: readonly unknown[],
): Promise<void> {
  const size = chunks.length;
  await insertChunks(db, { owner, run, n, size, delta: JSON.stringify(chunks) });
}

export async function readChunks(
  db: Database,
  { ownerId, runId, from }: ChunkPlace,
): Promise<unknown[]> {
  const batches = await db
    .select({ n: chatStream.n, delta: chatStream.delta })
    .from(chatStream)
    .where(
      and(
        eq(chatStream.ownerId, ownerId),
        eq(chatStream.runId, runId),
        gt(sql`${chatStream.n} + ${chatStream.size}`, from),
      ),
    )
    .orderBy(asc(chatStream.n))
    .limit(100_000);
  const chunks: unknown[] = [];
  for (const { n, delta } of batches) {
    const next = from + chunks.length;
    if (n > next) break;
    const batch = batchIn(delta);
    if (batch === null) break;
    chunks.push(...batch.slice(next - n));
  }
  return chunks;
}

/** `null` for an unreadable batch, which costs none of those before it. */
function batchIn(delta: string): unknown[] | null {
  try {
    return z.array(z.unknown()).parse(JSON.parse(delta));
  } catch {
    return null;
  }
}

export async function removeOldChunks(
  pool: Sql,
  { olderThanMs }: { olderThanMs: number },
): Promise<void> {
  await pool`
    delete from chat_stream chunk
    using chat_run run
    where run.owner_id = chunk.owner_id and run.run_id = chunk.run_id
      and run.finished_at < now() - ${olderThanMs} * interval '1 millisecond'`;
}

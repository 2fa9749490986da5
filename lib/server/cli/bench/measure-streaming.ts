import type { Sql } from "postgres";
import { PostgresRunStore, PostgresSessionStore } from "@/lib/postgres";
import { percentile } from "./interleave";
import { randomNumbers, sampleText } from "./sample-text";
import { benchOwner, sampleMessage } from "./seed-session";

/** What keeping an answer of 4 KB safe costs while it is written, the median of some answers. */
export interface StreamingCost {
  milliseconds: number;
  /** Bytes of the write-ahead log. */
  logBytes: number;
}

export interface StreamingResult {
  chunks: StreamingCost;
  rowUpdates: StreamingCost;
}

const answerBytes = 4_096;
const chunkBytes = 40;
const answers = 12;

/** An answer in chunks appended to the log of its run, against one row that is written again with each chunk. */
export async function measureStreaming(sql: Sql, relaxed: Sql): Promise<StreamingResult> {
  await relaxed`set synchronous_commit = off`;
  await sql`create table if not exists bench_answer (id text primary key, body text not null)`;
  const runs = new PostgresRunStore({ sql, chunks: relaxed, ownerId: benchOwner });
  const { sessions, messages } = storeWith(sql);
  const { id: sessionId } = await sessions.create("Streaming");
  const random = randomNumbers(11);
  const pieces = piecesOf(sampleText(random, answerBytes));
  const log: StreamingCost[] = [];
  const rows: StreamingCost[] = [];
  for (let answer = 0; answer < answers; answer++) {
    const question = sampleMessage(random, 0);
    await messages(sessionId).appendMessage(question);
    const [id, messageId] = [crypto.randomUUID(), crypto.randomUUID()];
    await runs.start({ id, sessionId, messageId, parentId: question.id, model: "bench" }, 60_000, {
      maxRunning: 100,
    });
    log.push(
      await costOf(sql, async () => {
        for (const [n, text] of pieces.entries()) await runs.appendChunks(id, n, [{ text }]);
      }),
    );
    rows.push(await costOf(sql, () => rewriteRow(relaxed, messageId, pieces)));
  }
  return { chunks: median(log), rowUpdates: median(rows) };
}

function storeWith(sql: Sql) {
  const store = new PostgresSessionStore(sql, benchOwner);
  return { sessions: store.sessions, messages: (id: string) => store.messages(id) };
}

function piecesOf(text: string): string[] {
  const count = Math.ceil(text.length / chunkBytes);
  return Array.from({ length: count }, (_, n) => text.slice(n * chunkBytes, (n + 1) * chunkBytes));
}

async function rewriteRow(sql: Sql, id: string, pieces: readonly string[]): Promise<void> {
  let body = "";
  await sql`insert into bench_answer (id, body) values (${id}, ${body})`;
  for (const piece of pieces) {
    body += piece;
    await sql`update bench_answer set body = ${body} where id = ${id}`;
  }
}

async function costOf(sql: Sql, write: () => Promise<void>): Promise<StreamingCost> {
  const before = await logPosition(sql);
  const startedAt = performance.now();
  await write();
  const milliseconds = performance.now() - startedAt;
  return { milliseconds, logBytes: (await logPosition(sql)) - before };
}

async function logPosition(sql: Sql): Promise<number> {
  const [row] = await sql<[{ bytes: string }]>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`;
  return Number(row.bytes);
}

function median(costs: readonly StreamingCost[]): StreamingCost {
  return {
    milliseconds: percentile(
      costs.map((cost) => cost.milliseconds),
      0.5,
    ),
    logBytes: percentile(
      costs.map((cost) => cost.logBytes),
      0.5,
    ),
  };
}

import type { Sql } from "grove-session/postgres";
import { PostgresSessionStore } from "grove-session/postgres";
import { identifier } from "@/lib/postgres/connections/sql";
import { PostgresRunStore } from "@/lib/storage/runs/postgres-run-store";
import { randomNumbers } from "@/lib/text/testing/random";
import { percentile } from "./interleave";
import { benchOwner, sampleMessage, sampleText } from "./seed";

/** Cost of a 4 KB answer, the median of several. */
export interface StreamingCost {
  milliseconds: number;
  /** Bytes of the write-ahead log. */
  logBytes: number;
}

/** All commit without waiting for the disk. */
export interface StreamingResult {
  /** Four chunks per write: 80 ms at 50 chunks a second. */
  together: StreamingCost;
  alone: StreamingCost;
  rowUpdates: StreamingCost;
  plainUpdates: StreamingCost;
}

const answerBytes = 4_096;
const chunkBytes = 40;
const answers = 12;
const chunksTogether = 4;

export async function measureStreaming(sql: Sql, relaxed: Sql): Promise<StreamingResult> {
  await relaxed`set synchronous_commit = off`;
  await createAnswerTables(sql);
  const runs = new PostgresRunStore({ sql, chunks: relaxed, ownerId: benchOwner });
  const { sessions, messages } = storeWith(sql);
  const { id: sessionId } = await sessions.create("Streaming");
  const random = randomNumbers(11);
  const pieces = piecesOf(sampleText(random, answerBytes));
  const chunks = pieces.map((delta) => ({ type: "text-delta", id: "text-1", delta }));
  const costs: Record<keyof StreamingResult, StreamingCost[]> = {
    together: [],
    alone: [],
    rowUpdates: [],
    plainUpdates: [],
  };
  const stream = async (chunksEach: number) => {
    const question = sampleMessage(random, 0);
    await messages(sessionId).appendMessage(question);
    const [id, messageId] = [crypto.randomUUID(), crypto.randomUUID()];
    await runs.start({ id, sessionId, messageId, parentId: question.id, model: "bench" }, 60_000, {
      maxRunning: 100,
    });
    return costOf(sql, async () => {
      for (let n = 0; n < chunks.length; n += chunksEach) {
        await runs.appendChunks(id, n, chunks.slice(n, n + chunksEach));
      }
    });
  };
  for (let answer = 0; answer < answers; answer++) {
    costs.together.push(await stream(chunksTogether));
    costs.alone.push(await stream(1));
    for (const [kind, table] of [
      ["rowUpdates", "bench_answer_indexed"],
      ["plainUpdates", "bench_answer"],
    ] as const) {
      costs[kind].push(await costOf(sql, () => rewriteRow(relaxed, table, pieces)));
    }
  }
  return {
    together: median(costs.together),
    alone: median(costs.alone),
    rowUpdates: median(costs.rowUpdates),
    plainUpdates: median(costs.plainUpdates),
  };
}

/** Rows like those of apps that keep an answer in its message, and without an index. */
async function createAnswerTables(sql: Sql): Promise<void> {
  await sql`create table bench_answer (id text primary key, body text not null)`;
  await sql`
    create table bench_answer_indexed (
      id text primary key,
      body text not null,
      words tsvector generated always as (to_tsvector('simple', body)) stored
    )`;
  await sql`create index on bench_answer_indexed using gin (words)`;
}

function storeWith(sql: Sql) {
  const store = new PostgresSessionStore(sql, benchOwner);
  return { sessions: store.sessions, messages: (id: string) => store.messages(id) };
}

function piecesOf(text: string): string[] {
  const count = Math.ceil(text.length / chunkBytes);
  return Array.from({ length: count }, (_, n) => text.slice(n * chunkBytes, (n + 1) * chunkBytes));
}

async function rewriteRow(sql: Sql, table: string, pieces: readonly string[]): Promise<void> {
  const id = crypto.randomUUID();
  let body = "";
  await sql`insert into ${identifier(table)} (id, body) values (${id}, ${body})`;
  for (const piece of pieces) {
    body += piece;
    await sql`update ${identifier(table)} set body = ${body} where id = ${id}`;
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

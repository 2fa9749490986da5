import type { Sql } from "postgres";
import { PostgresSessionStore } from "@/lib/postgres";
import type { SessionMessage } from "@/lib/session";
import { randomNumbers, sampleText } from "./sample-text";
import { benchOwner, sampleMessage } from "./seed-session";

export interface WritersResult {
  /** Messages a second of 64 writers that all append to one session. */
  appendsPerSecond: number;
  /** Rows a second of as many writers that insert into a plain table. */
  insertsPerSecond: number;
  lost: number;
}

const writers = 64;
const messagesEach = 20;

/** Lets 64 writers append to one session at once, and counts what the session's path holds afterwards. */
export async function measureWriters(sql: Sql): Promise<WritersResult> {
  const store = new PostgresSessionStore(sql, benchOwner);
  const { id } = await store.sessions.create("Writers");
  const session = store.messages(id);
  const random = randomNumbers(7);
  const body = sampleText(random, 600);
  const insertsPerSecond = await rate(() => sql`insert into bench_floor (body) values (${body})`);
  const messages = Array.from({ length: writers * messagesEach }, () => sampleMessage(random, 0));
  const appendsPerSecond = await rate((n) => session.appendMessage(messages[n] as SessionMessage));
  const stored = await session.getPathLength();
  return { appendsPerSecond, insertsPerSecond, lost: writers * messagesEach - stored };
}

async function rate(write: (n: number) => PromiseLike<unknown>): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; n < messagesEach; n++) await write(writer * messagesEach + n);
    }),
  );
  return (writers * messagesEach * 1_000) / (performance.now() - startedAt);
}

import type { Sql } from "grove-session/postgres";
import { PostgresSessionStore } from "grove-session/postgres";
import { answerReceipt } from "@/lib/chat/answering/answer-receipt";
import { PostgresRunStore } from "@/lib/storage/runs/postgres-run-store";
import { randomNumbers } from "@/lib/text/testing/random";
import { percentile } from "./interleave";
import { benchOwner, sampleMessage } from "./seed";

const rounds = 20;

/**
 * The longest stretch without other work while the receipt of a history is made and stored, in milliseconds of processor
 * time: other processes do not count.
 */
export async function measureReceipt(sql: Sql, history: number): Promise<number> {
  const store = new PostgresSessionStore(sql, benchOwner);
  const runs = new PostgresRunStore({ sql, chunks: sql, ownerId: benchOwner });
  const { id: sessionId } = await store.sessions.create("Receipts");
  const random = randomNumbers(history);
  const createdAt = new Date();
  const messages = Array.from({ length: history }, (_, n) => {
    return { ...sampleMessage(random, n), createdAt };
  });
  const longest: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [id, messageId] = [crypto.randomUUID(), crypto.randomUUID()];
    const run = { id, sessionId, messageId, parentId: "q", model: "bench" };
    await runs.start(run, 60_000, { maxRunning: 1_000 });
    longest.push(
      await longestStretch(async () => {
        const receipt = await answerReceipt(
          { model: "bench", leafId: "q" },
          {
            instructions: "",
            messages,
            shortened: [],
            tools: {},
            chosen: new Map(),
            versions: {},
            labels: new Map(),
            skills: [],
            gatheredAt: createdAt,
          },
        );
        await runs.saveReceipt({ id, fence: 0 }, receipt);
      }),
    );
  }
  return percentile(longest, 0.5);
}

/** Counts all threads: the clock of one alone moves in steps of up to 4 ms. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function longestStretch(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = processorMs();
  const tick = () => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  isOver = true;
  return longest;
}

import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "grove-session/postgres";
import { expect, onTestFinished, test } from "vitest";
import { Runner } from "@/lib/chat/answering/runner";
import { leaseMs } from "@/lib/chat/runs/lease";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { createTestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import { recoverRuns } from "@/lib/server/recover-runs";
import { RunClaims } from "@/lib/storage/runs/run-claims";
import type { Random } from "@/lib/text/testing/random";
import { depth, trySeeds } from "@/lib/text/testing/try-seeds";
import { Slowdown } from "./slowdown";

const processes = 3;
const sweepMs = 3_000;
const beatMs = 500;
/** A lease, the sweep after it, and the work. */
const endedWithinMs = 15_000;
const stoppedWithinMs = 3_000;
const stopsAtOnce = 25;
const hourMs = 3_600_000;
/** At a depth more than a process writes: all of 600 at once would measure the speed of ending them. */
const atOnce = depth > 1 ? 40 : 12;
const givesUpAfterMs = 120_000;

/** Time left of a lease: over, as at the end of the process, or an hour ahead by a clock that was set back. */
const leases = [-1, leaseMs, leaseMs + hourMs] as const;

interface Orphan {
  readonly id: string;
  readonly isStopped: boolean;
  /** Its process lives and renews it. */
  readonly isAlive: boolean;
}

test("an answer whose process is gone ends, once, whatever the clock says, and at once when stopped", async () => {
  const slowdown = new Slowdown();
  onTestFinished(() => slowdown.end());
  // A sweep is everybody's.
  const check = async (random: Random) => {
    const { sql, drop } = await createTestDatabase();
    const owner = newOwner(sql);
    await endAll(await makeOrphans(owner, { count: atOnce, random }), { sql, owner, slowdown });
    await drop();
  };
  await trySeeds(1, check, { atOnce: 1 });
});

interface Ending {
  readonly sql: Sql;
  readonly owner: OwnerServices;
  readonly slowdown: Slowdown;
}

async function endAll(made: readonly Orphan[], { sql, owner, slowdown }: Ending): Promise<void> {
  const ends = new Map<string, number>();
  const failures: unknown[] = [];
  const runner = new Runner({
    started: () => undefined,
    finished: (_, { id }) => void ends.set(id, (ends.get(id) ?? 0) + 1),
    summaryStarted: () => undefined,
    summaryFinished: () => undefined,
    summaryDismissed: () => undefined,
    read: () => undefined,
    failed: (error) => void failures.push(error),
  });
  const over = new AbortController();
  const alive = made.filter(({ isAlive }) => isAlive);
  const beating = renew(alive, { owner, over: over.signal });
  const sweeping = Array.from({ length: processes }, async () => {
    const claims = new RunClaims(sql, { leaseMs });
    while (!over.signal.aborted) {
      await recoverRuns({ claims, runner, dataOf: () => owner });
      await delay(sweepMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  });
  const begunAt = performance.now();
  const stopMs = await stopAll(made, (id) => runner.stop(owner, id));
  const orphaned = made.filter(({ isAlive }) => !isAlive);
  while (orphaned.some(({ id }) => !ends.has(id))) {
    if (performance.now() - begunAt > givesUpAfterMs) break;
    await delay(beatMs);
  }
  const endMs = performance.now() - begunAt;
  over.abort();
  await Promise.all([...sweeping, beating]);
  await Promise.all(alive.map(({ id }) => owner.runs.finish(id, "complete")));
  expect(failures).toEqual([]);
  expect(Object.fromEntries(ends)).toEqual(Object.fromEntries(orphaned.map(({ id }) => [id, 1])));
  expect(endMs).toBeLessThan(endedWithinMs * slowdown.now);
  expect(stopMs).toBeLessThan(stoppedWithinMs * slowdown.now);
}

/** Renews as their processes do: a heartbeat that failed is followed by the next. */
async function renew(
  alive: readonly Orphan[],
  { owner, over }: { owner: OwnerServices; over: AbortSignal },
): Promise<void> {
  while (!over.aborted) {
    await Promise.allSettled(
      alive.map(({ id }) => owner.runs.heartbeat({ id, fence: 0 }, leaseMs)),
    );
    await delay(beatMs);
  }
}

async function makeOrphans(
  owner: OwnerServices,
  { count, random }: { count: number; random: Random },
): Promise<Orphan[]> {
  const made: Orphan[] = [];
  for (let index = 0; index < count; index++) {
    const { id: sessionId } = await owner.store.sessions.create(`Run ${index}`);
    const question = { id: `question ${index}`, role: "user" as const, parts: [] };
    await owner.store.messages(sessionId).appendMessage(question);
    const id = `run ${index}`;
    const run = { id, sessionId, messageId: `answer ${index}`, parentId: question.id, model: "m" };
    const isAlive = random.next() < 0.2;
    const lease = random.of(leases);
    // The first sweep must find those alive as a sweep before would have: not over.
    await owner.runs.start(run, isAlive ? leaseMs + hourMs : lease, { maxRunning: count });
    await owner.runs.appendChunks(id, 0, [{ type: "start", messageId: run.messageId }]);
    made.push({ id, isAlive, isStopped: !isAlive && random.next() < 0.5 });
  }
  return made;
}

/** @returns the longest time. */
async function stopAll(
  made: readonly Orphan[],
  stop: (id: string) => Promise<void>,
): Promise<number> {
  const waiting = made.filter(({ isStopped }) => isStopped);
  let longestMs = 0;
  const work = Array.from({ length: stopsAtOnce }, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const askedAt = performance.now();
      await stop(next.id);
      longestMs = Math.max(longestMs, performance.now() - askedAt);
    }
  });
  await Promise.all(work);
  return longestMs;
}

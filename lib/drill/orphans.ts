import { setTimeout as delay } from "node:timers/promises";
import { Random } from "@/lib/bench/random";
import { leaseMs } from "@/lib/chat/answering/lease";
import { Runner } from "@/lib/chat/answering/runner";
import { RunClaims } from "@/lib/postgres/internal";
import { type OwnerServices, ownerServices } from "@/lib/server/owner-services";
import { recoverRuns } from "@/lib/server/recover-runs";
import { SessionEvents } from "@/lib/session/internal";
import type { Drill } from "./drill";
import { onDrillDatabase } from "./drill-database";

const ownerId = "drill";
const processes = 3;
const sweepMs = 3_000;
const beatMs = 500;
/** A lease, the sweep after it, and the work. */
const endedWithinMs = 15_000;
const stoppedWithinMs = 3_000;
const stopsAtOnce = 25;
const hourMs = 3_600_000;

/** Time left of a lease: over, as at the end of the process, or an hour ahead by a clock that was set back. */
const leases = [-1, leaseMs, leaseMs + hourMs] as const;

interface Orphan {
  readonly id: string;
  readonly isStopped: boolean;
  /** Its process lives and renews it. */
  readonly isAlive: boolean;
}

export const orphans: Drill = {
  name: "orphans",
  promise:
    "An answer whose process is gone ends, once, whatever the clock says, and at once when it is stopped.",
  unit: "runs",
  fullCount: 600,
  run: ({ count, seed, signal, say }) =>
    onDrillDatabase(async ({ patientSql: sql }) => {
      const owner = ownerServices({
        sql,
        chunkSql: sql,
        ownerId,
        events: new SessionEvents(ownerId),
      });
      const made = await makeOrphans(owner, { count, random: new Random(seed) });
      say(`${made.length} runs without a process.`);
      const ends = new Map<string, number>();
      const failures: string[] = [];
      const runner = new Runner({
        started: () => undefined,
        finished: (_, { id }) => void ends.set(id, (ends.get(id) ?? 0) + 1),
        summaryStarted: () => undefined,
        summaryFinished: () => undefined,
        summaryDismissed: () => undefined,
        failed: (error) => void failures.push(`The server reports ${String(error)}.`),
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
      const longestStopMs = await stopAll(made, (id) => runner.stop(owner, id));
      const orphaned = made.filter(({ isAlive }) => !isAlive);
      while (orphaned.some(({ id }) => !ends.has(id))) {
        if (signal.aborted || performance.now() - begunAt > 2 * endedWithinMs) break;
        await delay(beatMs);
      }
      const endedMs = performance.now() - begunAt;
      over.abort();
      await Promise.all([...sweeping, beating]);
      const notOnce = orphaned.filter(({ id }) => ends.get(id) !== 1);
      const taken = alive.filter(({ id }) => ends.has(id));
      return {
        broken: [
          ...failures,
          ...notOnce.map(({ id }) => `Run ${id} ended ${ends.get(id) ?? 0} times.`),
          ...taken.map(({ id }) => `Run ${id} was taken from its process.`),
          ...(endedMs > endedWithinMs
            ? [`The last run ended after ${Math.round(endedMs)} ms.`]
            : []),
          ...(longestStopMs > stoppedWithinMs
            ? [`A stop took ${Math.round(longestStopMs)} ms.`]
            : []),
        ],
        figures: {
          "left to their processes": alive.length,
          "longest stop (ms)": longestStopMs,
          "last end (ms)": endedMs,
        },
      };
    }),
};

/** As their processes do: a heartbeat that failed is followed by the next. */
async function renew(
  alive: readonly Orphan[],
  { owner, over }: { owner: OwnerServices; over: AbortSignal },
): Promise<void> {
  while (!over.aborted) {
    await Promise.allSettled(alive.map(({ id }) => owner.runs.heartbeat(id, leaseMs)));
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

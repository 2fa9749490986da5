import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "postgres";
import { Random } from "@/lab/bench/random";
import { Runner } from "@/lib/chat/answering/runner";
import { leaseMs } from "@/lib/chat/runs/lease";
import { RunClaims } from "@/lib/postgres/internal";
import { type OwnerServices, ownerServices } from "@/lib/server/owner-services";
import { recoverRuns } from "@/lib/server/recover-runs";
import { SessionEvents } from "@/lib/session/internal";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { onDrillDatabase } from "./drill-database";
import { type Slowdown, whileMeasuring } from "./slowdown";

const ownerId = "drill";
const processes = 3;
const sweepMs = 3_000;
const beatMs = 500;
/** A lease, the sweep after it, and the work. */
const endedWithinMs = 15_000;
const stoppedWithinMs = 3_000;
const stopsAtOnce = 25;
const hourMs = 3_600_000;
/** More than a process writes: all of 600 at once would measure the speed of ending them. */
const atOnce = 40;
const givesUpAfterMs = 120_000;

/** Time left of a lease: over, as at the end of the process, or an hour ahead by a clock that was set back. */
const leases = [-1, leaseMs, leaseMs + hourMs] as const;

interface Orphan {
  readonly id: string;
  readonly isStopped: boolean;
  /** Its process lives and renews it. */
  readonly isAlive: boolean;
}

interface Tally {
  readonly broken: string[];
  alive: number;
  longestStopMs: number;
  lastEndMs: number;
}

export const orphans: Drill = {
  name: "orphans",
  promise:
    "An answer whose process is gone ends, once, whatever the clock says, and at once when it is stopped.",
  unit: "runs",
  fullCount: 600,
  run: (options) =>
    onDrillDatabase(({ patientSql: sql }) =>
      whileMeasuring((slowdown) => runOrphans(options, { sql, slowdown })),
    ),
};

async function runOrphans(
  { count, seed, signal, say }: DrillOptions,
  { sql, slowdown }: { sql: Sql; slowdown: Slowdown },
): Promise<DrillResult> {
  const events = new SessionEvents(ownerId);
  const owner = ownerServices({ sql, chunkSql: sql, ownerId, events });
  const random = new Random(seed);
  const tally: Tally = { broken: [], alive: 0, longestStopMs: 0, lastEndMs: 0 };
  for (let first = 0; first < count && !signal.aborted; first += atOnce) {
    const made = await makeOrphans(owner, {
      first,
      count: Math.min(atOnce, count - first),
      random,
    });
    await endAll(made, { sql, owner, slowdown, signal, tally });
    say(`${first + made.length} runs.`);
  }
  return {
    broken: tally.broken,
    figures: {
      "left to their processes": tally.alive,
      "longest stop (ms)": tally.longestStopMs,
      "last end (ms)": tally.lastEndMs,
    },
  };
}

interface Ending {
  readonly sql: Sql;
  readonly owner: OwnerServices;
  readonly slowdown: Slowdown;
  readonly signal: AbortSignal;
  readonly tally: Tally;
}

async function endAll(
  made: readonly Orphan[],
  { sql, owner, slowdown, signal, tally }: Ending,
): Promise<void> {
  const ends = new Map<string, number>();
  const runner = new Runner({
    started: () => undefined,
    finished: (_, { id }) => void ends.set(id, (ends.get(id) ?? 0) + 1),
    summaryStarted: () => undefined,
    summaryFinished: () => undefined,
    summaryDismissed: () => undefined,
    read: () => undefined,
    failed: (error) => void tally.broken.push(`The server reports ${String(error)}.`),
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
    if (signal.aborted || performance.now() - begunAt > givesUpAfterMs) break;
    await delay(beatMs);
  }
  const endMs = performance.now() - begunAt;
  over.abort();
  await Promise.all([...sweeping, beating]);
  await Promise.all(alive.map(({ id }) => owner.runs.finish(id, "complete")));
  const notOnce = orphaned.filter(({ id }) => ends.get(id) !== 1);
  const taken = alive.filter(({ id }) => ends.has(id));
  tally.broken.push(
    ...notOnce.map(({ id }) => `The ${id} ended ${ends.get(id) ?? 0} times.`),
    ...taken.map(({ id }) => `The ${id} was taken from its process.`),
  );
  if (endMs > endedWithinMs * slowdown.now)
    tally.broken.push(`The last run of ${made.length} ended after ${Math.round(endMs)} ms.`);
  if (stopMs > stoppedWithinMs * slowdown.now)
    tally.broken.push(`A stop took ${Math.round(stopMs)} ms.`);
  tally.alive += alive.length;
  tally.longestStopMs = Math.max(tally.longestStopMs, stopMs);
  tally.lastEndMs = Math.max(tally.lastEndMs, endMs);
}

/** As their processes do: a heartbeat that failed is followed by the next. */
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
  { first, count, random }: { first: number; count: number; random: Random },
): Promise<Orphan[]> {
  const made: Orphan[] = [];
  for (let index = first; index < first + count; index++) {
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

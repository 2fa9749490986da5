import { setTimeout as delay } from "node:timers/promises";
import type { Runner } from "@/lib/chat/answering/runner";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { LiveRun } from "@/lib/chat/runs/live-runs";
import { scopesOf } from "./keys";
import type { Program } from "./program";
import { programError } from "./program-error";
import type { FoundResponse } from "./response-object";

const aMinute = 60_000;
const lookEveryMs = 300;

interface Gate {
  taken: number;
  /** The limit that the last request read: a person may change it meanwhile. */
  most: number;
  readonly waiting: (() => void)[];
}

const gates = new WeakMap<Runner, Map<string, Gate>>();

/**
 * One place stays the person's. Requests wait in order, up to a minute, and store nothing meanwhile. @throws
 * {ProgramError} `rate_limit_exceeded`, when none became free.
 */
export async function inPlaceForPrograms(
  program: Program,
  start: () => Promise<FoundResponse>,
  { longestWaitMs = aMinute }: { longestWaitMs?: number } = {},
): Promise<FoundResponse> {
  const patience = AbortSignal.any([program.signal, AbortSignal.timeout(longestWaitMs)]);
  const taken: (() => void)[] = [];
  const leave = () => {
    for (const each of taken.splice(0)) each();
  };
  try {
    // Requests of one key that wait for it hold no place of the others.
    for (const limit of limitsFor(program)) taken.push(await placeIn(limit, program, patience));
    await whenOthersLeaveRoom(program, patience);
    const found = await start();
    const { owner, run } = found;
    const live = program.runner.live.get(owner.spaceId, run.id);
    if (live) atEnd(live, leave);
    else leave();
    return found;
  } catch (error) {
    leave();
    throw error;
  }
}

/** Another process may take the free place, so a start is retried for a minute. Its question is stored by then. */
export async function startInRoom<Started>(
  { signal }: Pick<Program, "signal">,
  start: () => Promise<Started>,
): Promise<Started> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(aMinute)]);
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof ChatError && error.code === "too-many-runs")) throw error;
      if (patience.aborted) throw noPlace();
      await delay(lookEveryMs);
    }
  }
}

interface GateLimit {
  readonly name: string;
  readonly most: number;
}

function limitsFor({ runner, owner: { personId }, key }: Program): readonly GateLimit[] {
  const ofAll = { name: personId, most: runner.maxForPrograms };
  const { maxRunning } = scopesOf(key);
  return maxRunning === null
    ? [ofAll]
    : [{ name: `${personId}/${key.id}`, most: maxRunning }, ofAll];
}

async function placeIn(
  { name, most }: GateLimit,
  { runner }: Pick<Program, "runner">,
  patience: AbortSignal,
): Promise<() => void> {
  const known = gates.get(runner) ?? new Map<string, Gate>();
  gates.set(runner, known);
  const gate: Gate = known.get(name) ?? { taken: 0, most, waiting: [] };
  known.set(name, gate);
  gate.most = most;
  admit(gate);
  let hasLeft = false;
  const leave = () => {
    if (hasLeft) return;
    hasLeft = true;
    gate.taken -= 1;
    admit(gate);
    if (gate.taken === 0 && gate.waiting.length === 0) known.delete(name);
  };
  if (gate.taken < most) gate.taken += 1;
  else await turnIn(gate, patience);
  return leave;
}

function admit(gate: Gate): void {
  while (gate.taken < gate.most) {
    const next = gate.waiting.shift();
    if (!next) return;
    gate.taken += 1;
    next();
  }
}

async function turnIn({ waiting }: Gate, patience: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const enter = () => {
      patience.removeEventListener("abort", giveUp);
      resolve();
    };
    const giveUp = () => {
      const place = waiting.indexOf(enter);
      if (place >= 0) waiting.splice(place, 1);
      reject(noPlace());
    };
    waiting.push(enter);
    if (patience.aborted) giveUp();
    else patience.addEventListener("abort", giveUp, { once: true });
  });
}

async function whenOthersLeaveRoom(program: Program, patience: AbortSignal): Promise<void> {
  const { owner, making, runner, key } = program;
  const { maxRunning } = scopesOf(key);
  const ofKey = maxRunning === null ? undefined : { id: key.id, maxRunning };
  const limits = { maxRunning: runner.maxForPrograms, ofKey };
  while (!(await owner.runs.mayStart(making.id, limits))) {
    if (patience.aborted) throw noPlace();
    await delay(lookEveryMs);
  }
}

function noPlace(): Error {
  return programError(
    "too-many",
    "As many answers as this key or its person may have at once are being written. Try again when one has ended.",
  );
}

function atEnd(live: LiveRun, act: () => void): void {
  const look = () => {
    if (!live.isEnded) return;
    unsubscribe();
    act();
  };
  const unsubscribe = live.subscribe(look);
  look();
}

/** @throws once the caller has gone and nobody can repeat the request by name; nothing is stored by then. */
export function assertAwaited({ making, signal }: Program): void {
  if (making.name === null) signal.throwIfAborted();
}

/** A request that may be repeated by name goes on. */
export function stopWithCaller({ runner, making, signal }: Program, found: FoundResponse): void {
  if (found.request?.background || making.name !== null) return;
  const live = runner.live.get(found.owner.spaceId, found.run.id);
  if (!live) return;
  const stop = () => live.stop();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  // Listeners do not hold a signal, the run does: one that is collected never aborts.
  atEnd(live, () => signal.removeEventListener("abort", stop));
}

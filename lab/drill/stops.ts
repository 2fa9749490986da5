import { setTimeout as delay } from "node:timers/promises";
import { Random } from "@/lib/text/testing/random";
import { AnswerViewer, numberedAnswer } from "./answer-viewer";
import {
  type AppServer,
  type DrillSite,
  type StoredRow,
  settledAfter,
  storedMessages,
  withSite,
} from "./app-servers";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { acknowledged } from "./retrying-client";
import { type Slowdown, whileMeasuring } from "./slowdown";

const ways = [
  "stopped in its process",
  "stopped in another process",
  "stopped after a reload",
  "left by closing its stream",
] as const;
type Way = (typeof ways)[number];

const atOnce = 12;
const stoppedWithinMs = 1_000;
const settledWithinMs = 120_000;
const leavesWithinMs = 1_500;
/** Longer than an answer takes that is not stopped. */
const neverAfterMs = 30_000;
const { pace, text: wholeText } = numberedAnswer({ words: 400, pauseMs: 25 });

export const stops: Drill = {
  name: "stops",
  promise: "Stop stops, from any tab and any process; leaving does not.",
  unit: "answers",
  fullCount: 200 * ways.length,
  run: (options) =>
    withSite(options, (site) =>
      whileMeasuring((slowdown) => runStops(options, { site, slowdown })),
    ),
};

interface Place {
  readonly site: DrillSite;
  readonly slowdown: Slowdown;
}

interface Answer {
  readonly id: string;
  readonly way: Way;
  /** Time from asking for the stop until the provider's connection was closed; `null` when it was left. */
  readonly stopMs: number | null;
}

async function runStops(
  { count, seed, signal, say }: DrillOptions,
  { site, slowdown }: Place,
): Promise<DrillResult> {
  Object.assign(site.model.pace, pace);
  const environment = { GROVE_MAX_RUNNING_ANSWERS: "50" };
  const servers = [await site.server(environment), await site.server(environment)] as const;
  const modelRef = await site.modelRef();
  const closed = closedConnections(site);
  const answers: Answer[] = [];
  const broken: string[] = [];
  let next = 0;
  const work = async () => {
    while (next < count && !signal.aborted) {
      const n = next++;
      const way = ways[n % ways.length] ?? ways[0];
      const random = new Random(seed + n);
      const id = `${seed}-${n}`;
      const stopMs = await oneAnswer({ id, way, random, servers, modelRef, closed });
      answers.push({ id, way, stopMs });
      if (stopMs !== null && stopMs > stoppedWithinMs * slowdown.now)
        broken.push(`${id}, ${way}: the provider wrote on for ${Math.round(stopMs)} ms.`);
      if (answers.length % 50 === 0) say(`${answers.length} answers`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, work));
  if ((await settledAfter(site, settledWithinMs)) === null) broken.push("An answer never ended.");
  const rows = new Map((await storedMessages(site)).map((row) => [row.id, row]));
  broken.push(...answers.flatMap((answer) => problemsOf(answer, rows.get(`${answer.id}-answer`))));
  const stopTimes = answers.flatMap(({ stopMs }) => stopMs ?? []);
  return {
    broken,
    figures: {
      ...Object.fromEntries(
        ways.map((way) => [way, answers.filter((each) => each.way === way).length]),
      ),
      "longest stop (ms)": Math.max(0, ...stopTimes),
    },
  };
}

function problemsOf({ id, way, stopMs }: Answer, row: StoredRow | undefined): string[] {
  if (!row) return [`${id}, ${way}: the answer is lost.`];
  const { text, status } = row;
  if (stopMs === null)
    return status === "complete" && text === wholeText
      ? []
      : [`${id}, ${way}: ended as ${status} with ${text.length} characters.`];
  const isStopped = status === "stopped" && text !== "" && wholeText.startsWith(text);
  return isStopped ? [] : [`${id}, ${way}: ended as ${status} with ${text.length} characters.`];
}

interface Asking {
  readonly id: string;
  readonly way: Way;
  readonly random: Random;
  readonly servers: readonly [AppServer, AppServer];
  readonly modelRef: string;
  readonly closed: (marker: string) => Promise<number>;
}

/** @returns how long the provider wrote on after the stop; `null` for an answer that was left. */
async function oneAnswer(asking: Asking): Promise<number | null> {
  const { id, way, random, servers, modelRef, closed } = asking;
  const [own, other] = servers;
  const runId = `${id}-answer`;
  const question = { type: "text", text: `Question ${marked(id)}` };
  await acknowledged(own.address, {
    ...{ method: "POST", path: `/api/sessions/${id}/messages` },
    body: {
      id: `${id}-question`,
      parts: [question],
      newSession: {},
      answerId: runId,
      model: modelRef,
    },
  });
  const stream = { sessionId: id, runId, wholeText };
  if (way === "left by closing its stream") {
    await leave(`${own.address}/api/sessions/${id}/runs/${runId}/stream`, random);
    return null;
  }
  const viewer = new AnswerViewer({ ...stream, address: own.address });
  await viewer.begun;
  if (way === "stopped after a reload") {
    await leave(`${own.address}/api/sessions/${id}/runs/${runId}/stream`, random);
    await new AnswerViewer({ ...stream, address: other.address }).begun;
  }
  const gone = closed(marked(id));
  const askedAt = performance.now();
  const { address } = way === "stopped in its process" ? own : other;
  const path = `/api/sessions/${id}/runs/${runId}/stop`;
  await acknowledged(address, { method: "POST", path, body: {} });
  const never = delay(neverAfterMs, Number.POSITIVE_INFINITY, { ref: false });
  const closedAt = await Promise.race([gone, never]);
  await viewer.ended;
  return closedAt - askedAt;
}

/** A marker keeps one text from holding that of another. */
function marked(id: string): string {
  return `<${id}>`;
}

async function leave(url: string, random: Random): Promise<void> {
  const signal = AbortSignal.timeout(1 + random.below(leavesWithinMs));
  try {
    const { body } = await fetch(url, { signal });
    await body?.pipeTo(new WritableStream(), { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function closedConnections({ model }: DrillSite): (marker: string) => Promise<number> {
  const waiting = new Map<string, (at: number) => void>();
  model.onLeft = (body) => {
    for (const [marker, tell] of waiting) {
      if (!body.includes(marker)) continue;
      waiting.delete(marker);
      tell(performance.now());
    }
  };
  return (marker) => new Promise((tell) => void waiting.set(marker, tell));
}

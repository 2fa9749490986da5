import { setTimeout as delay } from "node:timers/promises";
import { Random } from "@/lib/text/testing/random";
import { AnswerViewer, missingWords, numberedAnswer } from "./answer-viewer";
import {
  type AppServer,
  type DrillSite,
  settledAfter,
  storedMessages,
  withSite,
} from "./app-servers";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { callUntilAcknowledged } from "./retrying-client";
import { type Slowdown, whileMeasuring } from "./slowdown";

interface Sent {
  readonly sessionId: string;
  readonly id: string;
  readonly text: string;
}

interface SeenAnswer {
  readonly id: string;
  readonly viewer: AnswerViewer;
}

interface Journal {
  readonly messages: Sent[];
  readonly answers: SeenAnswer[];
  longestWaitMs: number;
}

const serverCount = 3;
const clientCount = 20;
/** Longest life of a server once it is healthy. */
const longestLifeMs = 1_000;
/** Some ten messages a kill; more would only keep the servers from starting. */
const longestPauseMs = 1_000;
const asksEvery = 4;
const { pace, text: wholeText } = numberedAnswer({ words: 60, pauseMs: 25 });
/** Promised: a crash costs at most a second of text. */
const missingWordsAtMost = Math.ceil(1_000 / pace.pauseMs);
const settledWithinMs = 15_000;
/** An answer that is late is not lost. */
const settledAtLastMs = 180_000;

export const kills: Drill = {
  name: "kills",
  promise:
    "A message that shows as sent is never lost and never doubled; an answer cut off is marked and kept.",
  unit: "kills",
  fullCount: 1_000,
  run: (options) =>
    withSite(options, (site) =>
      whileMeasuring((slowdown) => runKills(options, { site, slowdown })),
    ),
};

interface Killing {
  readonly site: DrillSite;
  readonly slowdown: Slowdown;
  /** Environment of the servers, beside the site's. */
  readonly environment?: Record<string, string>;
  /** Kills servers until `count`. @returns the number of kills: fewer when interrupted. */
  readonly kill?: (
    options: DrillOptions,
    place: { servers: readonly AppServer[]; slowdown: Slowdown },
  ) => Promise<number>;
}

export async function runKills(
  options: DrillOptions,
  { site, slowdown, environment = {}, kill = killRepeatedly }: Killing,
): Promise<DrillResult> {
  Object.assign(site.model.pace, pace);
  const servers: AppServer[] = [];
  for (let n = 0; n < serverCount; n++) servers.push(await site.server(environment));
  const modelRef = await site.modelRef();
  // Keeps what it compiled.
  await servers[0]?.terminate();
  await servers[0]?.start();
  const journal: Journal = { messages: [], answers: [], longestWaitMs: 0 };
  const over = new AbortController();
  const clients = Array.from({ length: clientCount }, (_, n) =>
    sendUntil(over.signal, { modelRef, servers, journal, seed: options.seed + n }),
  );
  const killed = await kill(options, { servers, slowdown });
  over.abort();
  const [settledMs] = await Promise.all([settledAfter(site, settledAtLastMs), ...clients]);
  const rows = await storedMessages(site);
  const result = judged(journal, rows, { settledMs: settledMs ?? settledAtLastMs, slowdown });
  return { ...result, figures: { kills: killed, ...result.figures } };
}

/** @returns the number of kills: fewer than asked for when interrupted. */
async function killRepeatedly(
  { count, seed, signal, say }: DrillOptions,
  { servers, slowdown }: { servers: readonly AppServer[]; slowdown: Slowdown },
): Promise<number> {
  let killed = 0;
  await Promise.all(
    servers.map(async (server, index) => {
      const random = new Random(seed + 7_919 * (index + 1));
      while (killed < count && !signal.aborted) {
        killed++;
        // A busy server that is killed within a second of its start never answers.
        await delay(random.next() * longestLifeMs * slowdown.now);
        await server.kill();
        await server.start();
        if (killed % 50 === 0) say(`${killed} kills`);
      }
    }),
  );
  return killed;
}

interface Client {
  readonly modelRef: string;
  readonly servers: readonly AppServer[];
  readonly journal: Journal;
  readonly seed: number;
}

async function sendUntil(over: AbortSignal, client: Client): Promise<void> {
  const { servers, journal, seed, modelRef } = client;
  const random = new Random(seed);
  const address = () => servers[random.below(servers.length)]?.address ?? "";
  const sessionId = `drill-${seed - (seed % 2)}`;
  const never = new AbortController().signal;
  const watching: Promise<unknown>[] = [];
  for (let n = 0; !over.aborted; n++) {
    const id = crypto.randomUUID();
    const text = `Message ${n} of client ${seed}: ${id}`;
    const asks = n % asksEvery === 0;
    const body = {
      id,
      parts: [{ type: "text", text }],
      newSession: {},
      generate: asks,
      ...(asks && { answerId: `${id}-answer`, model: modelRef }),
    };
    const startedAt = performance.now();
    const path = `/api/sessions/${sessionId}/messages`;
    await callUntilAcknowledged(address, { method: "POST", path, body }, never);
    journal.longestWaitMs = Math.max(journal.longestWaitMs, performance.now() - startedAt);
    journal.messages.push({ sessionId, id, text });
    if (asks) {
      const runId = `${id}-answer`;
      const viewer = new AnswerViewer({ address: address(), sessionId, runId, wholeText });
      journal.answers.push({ id: runId, viewer });
      watching.push(viewer.ended);
    }
    await delay(random.next() * longestPauseMs);
  }
  await Promise.all(watching);
}

function judged(
  { messages, answers, longestWaitMs }: Journal,
  rows: Awaited<ReturnType<typeof storedMessages>>,
  { settledMs, slowdown }: { settledMs: number; slowdown: Slowdown },
): DrillResult {
  const broken: string[] = [];
  const byId = Map.groupBy(rows, ({ id }) => id);
  const byText = Map.groupBy(
    rows.filter(({ role }) => role === "user"),
    ({ text }) => text,
  );
  for (const { id, text, sessionId } of messages) {
    const [row, ...others] = byId.get(id) ?? [];
    if (row?.text !== text || row.sessionId !== sessionId) broken.push(`Message ${id} is lost.`);
    if (others.length > 0 || (byText.get(text)?.length ?? 0) > 1)
      broken.push(`Message ${id} is stored twice.`);
  }
  let interrupted = 0;
  let mostMissing = 0;
  for (const { id, viewer } of answers) {
    const [row] = byId.get(id) ?? [];
    if (!row) broken.push(`Answer ${id} is lost.`);
    else if (!wholeText.startsWith(row.text))
      broken.push(`Answer ${id} holds other text: ${row.text}`);
    else if (row.status === "complete" && row.text !== wholeText)
      broken.push(`Answer ${id} is cut off and marked as complete.`);
    else if (row.status !== "complete" && row.status !== "interrupted")
      broken.push(`Answer ${id} is marked as ${row.status}.`);
    if (row?.status === "interrupted") interrupted++;
    mostMissing = Math.max(mostMissing, missingWords(viewer.text, row?.text ?? ""));
  }
  if (mostMissing > missingWordsAtMost * slowdown.most)
    broken.push(`An answer lacks ${mostMissing} words that its viewer had seen.`);
  if (settledMs > settledWithinMs * slowdown.now)
    broken.push(`The last answer ended after ${Math.round(settledMs / 1_000)} s.`);
  return {
    broken,
    figures: {
      "acknowledged messages": messages.length,
      "answers begun": answers.length,
      "of them interrupted": interrupted,
      "most text missing (ms)": mostMissing * pace.pauseMs,
      "longest wait of a message (ms)": longestWaitMs,
      "all ended after (ms)": settledMs,
    },
  };
}

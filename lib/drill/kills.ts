import { setTimeout as delay } from "node:timers/promises";
import { chunksOf } from "@/lib/bench/grove-process";
import { Random } from "@/lib/bench/random";
import {
  type AppServer,
  type DrillSite,
  settledAfter,
  storedMessages,
  withSite,
} from "./app-servers";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { callUntilAcknowledged } from "./retrying-client";

interface Sent {
  readonly sessionId: string;
  readonly id: string;
  readonly text: string;
}

/** As its viewer saw it until the stream ended or broke. */
interface SeenAnswer {
  readonly id: string;
  text: string;
}

interface Journal {
  readonly messages: Sent[];
  readonly answers: SeenAnswer[];
  longestWaitMs: number;
}

const serverCount = 3;
const clientCount = 20;
/** Some ten messages a kill; more would only keep the servers from starting. */
const longestPauseMs = 1_000;
/** Every fourth message asks for an answer. */
const asksEvery = 4;
const word = (n: number) => `w${n} ö🙂 `;
const pace = { words: 60, pauseMs: 25, word };
const wholeText = Array.from({ length: pace.words }, (_, n) => word(n)).join("");
/** Promised: a crash costs at most a second of text. */
const missingWordsAtMost = Math.ceil(1_000 / pace.pauseMs);
const settledWithinMs = 15_000;
/** An answer that is late is not lost. */
const settledAtLastMs = 180_000;

/** Three app servers on one database die at random moments, under clients that send again until acknowledged. */
export const kills: Drill = {
  name: "kills",
  promise:
    "A message that shows as sent is never lost and never doubled; an answer cut off is marked and kept.",
  unit: "kills",
  fullCount: 1_000,
  run: (options) => withSite(options, (site) => runKills(options, site)),
};

async function runKills(options: DrillOptions, site: DrillSite): Promise<DrillResult> {
  Object.assign(site.model.pace, pace);
  const servers: AppServer[] = [];
  for (let n = 0; n < serverCount; n++) servers.push(await site.server());
  const modelRef = await site.modelRef();
  const journal: Journal = { messages: [], answers: [], longestWaitMs: 0 };
  const over = new AbortController();
  const clients = Array.from({ length: clientCount }, (_, n) =>
    sendUntil(over.signal, { modelRef, servers, journal, seed: options.seed + n }),
  );
  const killed = await killRepeatedly(options, servers);
  over.abort();
  const [settledMs] = await Promise.all([settledAfter(site, settledAtLastMs), ...clients]);
  const rows = await storedMessages(site);
  const result = judged(journal, rows, settledMs ?? settledAtLastMs);
  return { ...result, figures: { kills: killed, ...result.figures } };
}

/** @returns the number of kills: fewer than asked for when interrupted. */
async function killRepeatedly(
  { count, seed, signal, say }: DrillOptions,
  servers: AppServer[],
): Promise<number> {
  let killed = 0;
  await Promise.all(
    servers.map(async (server, index) => {
      const random = new Random(seed + 7_919 * (index + 1));
      while (killed < count && !signal.aborted) {
        killed++;
        await delay(random.next() * 1_000);
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

/** Two clients share each session. Each sends its last message until it is acknowledged. */
async function sendUntil(over: AbortSignal, client: Client): Promise<void> {
  const { servers, journal, seed, modelRef } = client;
  const random = new Random(seed);
  const address = () => servers[random.below(servers.length)]?.address ?? "";
  const sessionId = `drill-${seed - (seed % 2)}`;
  const never = new AbortController().signal;
  const watching: Promise<void>[] = [];
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
      const answer: SeenAnswer = { id: `${id}-answer`, text: "" };
      journal.answers.push(answer);
      const stream = `/api/sessions/${sessionId}/runs/${answer.id}/stream`;
      watching.push(watch(`${address()}${stream}`, answer));
    }
    await delay(random.next() * longestPauseMs);
  }
  await Promise.all(watching);
}

/** Until the stream ends, or its server does. */
async function watch(url: string, answer: SeenAnswer): Promise<void> {
  try {
    for await (const { delta = "" } of chunksOf(url)) answer.text += delta;
  } catch {
    // A killed server.
  }
}

function judged(
  { messages, answers, longestWaitMs }: Journal,
  rows: Awaited<ReturnType<typeof storedMessages>>,
  settledMs: number,
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
  for (const { id, text } of answers) {
    const [row] = byId.get(id) ?? [];
    if (!row) broken.push(`Answer ${id} is lost.`);
    else if (!wholeText.startsWith(row.text))
      broken.push(`Answer ${id} holds other text: ${row.text}`);
    else if (row.status === "complete" && row.text !== wholeText)
      broken.push(`Answer ${id} is cut off and marked as complete.`);
    else if (row.status !== "complete" && row.status !== "interrupted")
      broken.push(`Answer ${id} is marked as ${row.status}.`);
    if (row?.status === "interrupted") interrupted++;
    mostMissing = Math.max(mostMissing, wordsIn(text) - wordsIn(row?.text ?? ""));
  }
  if (mostMissing > missingWordsAtMost)
    broken.push(`An answer lacks ${mostMissing} words that its viewer had seen.`);
  if (settledMs > settledWithinMs)
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

function wordsIn(text: string): number {
  return text.split(" ").length / 2;
}

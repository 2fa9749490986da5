import type { UIMessageChunk } from "ai";
import type { StoredMessage } from "grove-session";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import type { AnswerSpool } from "@/lib/chat/runs/answer-spool";
import { batchChunks } from "@/lib/chat/runs/chunk-log";
import { type Pause, partOf, pauseOf, withDecisions } from "@/lib/chat/runs/pause";
import { ifPossible } from "@/lib/chat/runs/retry";
import type { AnswerStatus } from "@/lib/chat/wire/messages";
import type { ModelErrorDescription } from "@/lib/llm";
import { storedReceiptOf } from "./answer-receipt";
import type { Cut, Sent } from "./ended";
import { type Begun, firstLeg } from "./order";
import { settle } from "./settle";

interface RecoverOptions {
  readonly spool: AnswerSpool | null;
  readonly problem: ModelErrorDescription | null;
  readonly chunks?: readonly UIMessageChunk[] | undefined;
  readonly failed: (error: unknown) => void;
}

/**
 * Settles an answer without its writer, leaving out what cannot be read.
 *
 * @returns the stored status; `null` when another process has ended the run.
 * @throws when the database is away, or the session is deleted.
 */
export async function recoverAnswer(
  owner: OwnerData,
  run: RunRecord,
  options: RecoverOptions,
): Promise<AnswerStatus | null> {
  const { spool, problem, failed } = options;
  const trying = { waits: false, failed };
  const chunks = await chunksOf(owner, run, options);
  const begun = await ifPossible(() => begunIn(owner, run), null, trying);
  const sent = await ifPossible(() => sentBefore(owner, run), [], trying);
  const cut: Cut = problem ? { type: "cut", by: "stall", problem } : { type: "cut", by: "crash" };
  const status = begun
    ? (await settle({ owner, run, begun, entries: [...sent, ...chunks, cut], ...trying }))?.status
    : await endWithout(owner, run, "interrupted");
  await spool?.remove({ ownerId: owner.spaceId, runId: run.id });
  return status ?? null;
}

/** Settles a paused answer without its calls; `null` when it is not paused. */
export async function withdrawCalls(
  owner: OwnerData,
  runId: string,
  failed: (error: unknown) => void,
): Promise<RunRecord | null> {
  for (;;) {
    const run = await owner.runs.get(runId);
    const waiting = run && pauseOf(run);
    if (run?.status !== "paused" || !waiting) return null;
    const before = await owner.store.messages(run.sessionId).getMessage(run.messageId);
    const begun = { part: waiting.number, before, waiting };
    const cut: Cut = { type: "cut", by: "person" };
    const ended = before
      ? await settle({ owner, run, begun, entries: [cut], waits: false, failed })
      : await endWithout(owner, run, "stopped");
    // Another decision came between.
    if (ended) return run;
  }
}

async function endWithout(
  { runs }: OwnerData,
  run: RunRecord,
  status: AnswerStatus,
): Promise<AnswerStatus | null> {
  return (await runs.end(run, { status, from: [run.status] })) && status;
}

async function begunIn({ store }: OwnerData, run: RunRecord): Promise<Begun | null> {
  const pause = pauseOf(run);
  if (!pause) return firstLeg;
  const message = await store.messages(run.sessionId).getMessage(run.messageId);
  return message && goesOnAfter(message, pause);
}

/** A recovery may have stored more than the pause: the next step begins after the calls. */
export function goesOnAfter(
  { parts, metadata }: Pick<StoredMessage, "parts" | "metadata">,
  pause: Pause,
): Begun {
  const lastCall = parts.findLastIndex(({ toolCallId }) =>
    pause.calls.some((call) => call.toolCallId === toolCallId),
  );
  const next = parts.findIndex(({ type }, at) => at > lastCall && type === "step-start");
  const paused = lastCall === -1 || next === -1 ? parts : parts.slice(0, next);
  const before = {
    parts: withDecisions(paused, pause),
    ...(metadata !== undefined && { metadata }),
  };
  return { part: pause.number, before };
}

async function sentBefore(owner: OwnerData, { sessionId, messageId }: RunRecord): Promise<Sent[]> {
  const receipt = await storedReceiptOf(owner, sessionId, messageId);
  if (!receipt) return [];
  const { tokens } = receipt;
  const prices = ("prices" in receipt ? receipt.prices : null) ?? { price: null };
  return [{ type: "sent", tokens, ...prices }];
}

/** Merges database, spool and memory, and logs what the database lacks. */
export async function chunksOf(
  { spaceId, runs }: Pick<OwnerData, "spaceId" | "runs">,
  run: Pick<RunRecord, "id" | "pause">,
  { spool, chunks = [], failed }: Omit<RecoverOptions, "problem">,
): Promise<UIMessageChunk[]> {
  const { id: runId } = run;
  const trying = { waits: false, failed };
  const logged = await ifPossible(() => runs.readChunks(runId, 0), [], trying);
  const place = { ownerId: spaceId, runId, part: partOf(run) };
  const spooled = await ifPossible(async () => spool?.read(place), [], trying);
  const longest = (spooled ?? []).length > chunks.length ? (spooled ?? []) : chunks;
  const missing = longest.slice(logged.length);
  const log = async () => {
    for (let from = 0; from < missing.length; from += batchChunks) {
      const batch = missing.slice(from, from + batchChunks);
      await runs.appendChunks(runId, logged.length + from, batch);
    }
  };
  await ifPossible(log, undefined, trying);
  return [...(logged as UIMessageChunk[]), ...missing];
}

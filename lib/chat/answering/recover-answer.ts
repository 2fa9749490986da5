import type { UIMessageChunk } from "ai";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import type { AnswerSpool } from "@/lib/chat/runs/answer-spool";
import { batchChunks } from "@/lib/chat/runs/chunk-log";
import { partOf, pauseIn, pauseOf, withDecisions } from "@/lib/chat/runs/pause";
import { ifPossible } from "@/lib/chat/runs/retry";
import { answerUsage } from "@/lib/chat/runs/usage";
import type { AnswerStatus, GroveMetadata } from "@/lib/chat/wire/messages";
import type { ModelErrorDescription } from "@/lib/llm";
import type { SessionMessagePart } from "@/lib/session";
import { isToolPart } from "@/lib/session/internal";
import { answerParts, wroteMemory } from "./answer-message";
import { storedReceiptOf } from "./answer-receipt";
import { endAnswer, type Stored } from "./end-answer";
import { keptParts, writtenSince } from "./kept-answer";
import { memoryWrites } from "./memory-writes";

export interface RecoverOptions {
  readonly spool: AnswerSpool | null;
  readonly problem: ModelErrorDescription | null;
  /** Chunks that this process has in memory. */
  readonly chunks?: readonly UIMessageChunk[] | undefined;
  /** Receives what could not be read or stored. */
  readonly failed: (error: unknown) => void;
}

/**
 * Stores text and memory writes, also those that only the spool or memory holds. A run that had logged its end keeps
 * that status, any other is interrupted. What cannot be read is left out.
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
  const chunks = await allChunks(owner, run.id, options);
  const before = await ifPossible(() => partsBefore(owner, run), null, trying);
  if (before === null) return endWithout(owner, run, options);
  const logged = loggedEnd(chunks);
  const read = await answerParts(chunks, before);
  const parts = logged ? read : read.map((part) => cutOff(part, run));
  const kept = logged ? null : await ifPossible(() => keptBefore(owner, run, chunks), null, trying);
  const writes = async () => (wroteMemory(parts) ? memoryWrites(owner, run, parts) : {});
  const metadata = logged ?? {
    ...{ status: "interrupted" as const, runId: run.id, model: run.model },
    ...(await ifPossible(writes, {}, trying)),
    ...(kept && { continuedFrom: kept.id }),
    ...(problem && { error: problem }),
  };
  const written = kept ? writtenSince(kept.parts, parts) : parts.slice(before.length);
  if (!logged) await ifPossible(() => recordEstimate(owner, run, written), undefined, trying);
  const pause = metadata.status === "paused" ? pauseIn(parts, partOf(run)) : null;
  const stored = await endAnswer(owner, { run, parts, metadata, pause }, trying);
  await spool?.remove({ ownerId: owner.ownerId, runId: run.id });
  return stored?.status ?? null;
}

/** A call that had begun, for the person and the model. A program makes its calls itself. */
function cutOff(part: SessionMessagePart, { request }: RunRecord): SessionMessagePart {
  const { state, approval, providerExecuted } = part;
  const isAllowed = (approval as { approved?: boolean } | undefined)?.approved === true;
  const wasCalled = state === "input-available" || (state === "approval-responded" && isAllowed);
  if (!isToolPart(part) || !wasCalled || providerExecuted || request !== null) return part;
  return { ...part, state: "output-error", errorText: cutOffCall };
}

const cutOffCall =
  "The answer was cut off during this call, so its result is unknown. It was not made again.";

/** With what was decided; `null` when the message was deleted meanwhile. */
async function partsBefore(
  { store }: OwnerData,
  run: RunRecord,
): Promise<SessionMessagePart[] | null> {
  const pause = pauseOf(run);
  if (!pause) return [];
  const message = await store.messages(run.sessionId).getMessage(run.messageId);
  return message && withDecisions(message.parts, pause);
}

async function endWithout(
  { ownerId, runs }: OwnerData,
  run: RunRecord,
  { spool }: RecoverOptions,
): Promise<AnswerStatus | null> {
  const ended = await runs.end(run, { status: "interrupted", from: [run.status] });
  await spool?.remove({ ownerId, runId: run.id });
  return ended && "interrupted";
}

/** The answer that this one goes on with, as far as it was kept; `null` for any other. */
async function keptBefore(
  { store }: OwnerData,
  { sessionId }: RunRecord,
  [first]: readonly UIMessageChunk[],
): Promise<{ id: string; parts: readonly SessionMessagePart[] } | null> {
  const { continuedFrom: id } = ((first?.type === "start" && first.messageMetadata) ||
    {}) as GroveMetadata;
  if (id === undefined) return null;
  const message = await store.messages(sessionId).getMessage(id);
  return { id, parts: message ? keptParts(message) : [] };
}

/** Logs what the database lacks, for its viewers. */
async function allChunks(
  { ownerId, runs }: OwnerData,
  runId: string,
  { spool, chunks = [], failed }: RecoverOptions,
): Promise<UIMessageChunk[]> {
  const trying = { waits: false, failed };
  const logged = await ifPossible(() => runs.readChunks(runId, 0), [], trying);
  const spooled = await ifPossible(async () => spool?.read({ ownerId, runId }), [], trying);
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

const pricesIn = (receipt: Awaited<ReturnType<typeof storedReceiptOf>>) =>
  receipt && "prices" in receipt ? receipt.prices : undefined;

/** Nobody reported what the model charged. */
async function recordEstimate(
  owner: OwnerData,
  run: RunRecord,
  parts: readonly SessionMessagePart[],
): Promise<void> {
  const receipt = await storedReceiptOf(owner, run.sessionId, run.messageId);
  const prices = pricesIn(receipt) ?? { price: null };
  const usage = answerUsage(run, { reported: undefined, receipt, parts, ...prices });
  if (usage) await owner.usage.record(usage);
}

function loggedEnd(chunks: readonly UIMessageChunk[]): Stored | null {
  const last = chunks.at(-1);
  const metadata = (last?.type === "finish" ? last.messageMetadata : null) as GroveMetadata | null;
  return metadata?.status === undefined ? null : { ...metadata, status: metadata.status };
}

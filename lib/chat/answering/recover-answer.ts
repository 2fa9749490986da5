import type { UIMessageChunk } from "ai";
import type { OwnerData } from "@/lib/chat/owner-data";
import { openSession } from "@/lib/chat/sessions/open-session";
import type { AnswerStatus, GroveMetadata } from "@/lib/chat/wire/messages";
import type { ModelErrorDescription } from "@/lib/llm";
import { SessionError, type SessionMessagePart } from "@/lib/session";
import { isToolPart } from "@/lib/session/internal";
import { answerParts, wroteMemory } from "./answer-message";
import { storedReceiptOf } from "./answer-receipt";
import type { AnswerSpool } from "./answer-spool";
import { batchChunks } from "./chunk-log";
import { keptParts, writtenSince } from "./kept-answer";
import { memoryWrites } from "./memory-writes";
import { partOf, pauseIn, pauseOf, withDecisions } from "./pause";
import type { RunRecord } from "./run-store";
import { storeAnswer } from "./store-answer";
import { answerUsage } from "./usage";

/**
 * Stores text and memory writes, also those that only the spool holds. A run that had logged its end keeps that status,
 * any other is interrupted.
 */
export async function recoverAnswer(
  owner: OwnerData,
  run: RunRecord,
  {
    spool,
    problem,
  }: { readonly spool: AnswerSpool | null; readonly problem: ModelErrorDescription | null },
): Promise<AnswerStatus> {
  const chunks = await allChunks(owner, run.id, spool);
  const before = await partsBefore(owner, run);
  if (before === null) return endWithout(owner, run, spool);
  const logged = loggedEnd(chunks);
  const read = await answerParts(chunks, before);
  const parts = logged ? read : read.map((part) => cutOff(part, run));
  const kept = logged ? null : await keptBefore(owner, run, chunks);
  const metadata = logged ?? {
    ...(await interruption(owner, run, parts)),
    ...(kept && { continuedFrom: kept.id }),
    ...(problem && { error: problem }),
  };
  const written = kept ? writtenSince(kept.parts, parts) : parts.slice(before.length);
  if (!logged) await recordEstimate(owner, run, written);
  const status = metadata.status ?? "interrupted";
  try {
    await storeAnswer(await openSession(owner, run.sessionId), { run, parts, metadata });
  } catch (error) {
    // Retrying would never end; a missing database is different.
    if (!(error instanceof SessionError)) throw error;
  }
  const pause = status === "paused" ? pauseIn(parts, partOf(run)) : null;
  await owner.runs.finish(run.id, status, { pause: pause ?? undefined });
  await spool?.remove({ ownerId: owner.ownerId, runId: run.id });
  return status;
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

async function endWithout(
  { ownerId, runs }: OwnerData,
  run: RunRecord,
  spool: AnswerSpool | null,
): Promise<AnswerStatus> {
  await runs.finish(run.id, "interrupted");
  await spool?.remove({ ownerId, runId: run.id });
  return "interrupted";
}

/** Logs what the database lacks, for its viewers. */
async function allChunks(
  { ownerId, runs }: OwnerData,
  runId: string,
  spool: AnswerSpool | null,
): Promise<UIMessageChunk[]> {
  const logged = (await runs.readChunks(runId, 0)) as UIMessageChunk[];
  const missing = ((await spool?.read({ ownerId, runId })) ?? []).slice(logged.length);
  for (let from = 0; from < missing.length; from += batchChunks) {
    const batch = missing.slice(from, from + batchChunks);
    await runs.appendChunks(runId, logged.length + from, batch);
  }
  return [...logged, ...missing];
}

/** Nobody reported what the model charged. */
async function recordEstimate(
  owner: OwnerData,
  run: RunRecord,
  parts: readonly SessionMessagePart[],
): Promise<void> {
  const receipt = await storedReceiptOf(owner, run.sessionId, run.messageId);
  const usage = answerUsage(run, { reported: undefined, receipt, parts, price: null });
  if (usage) await owner.usage.record(usage);
}

function loggedEnd(chunks: readonly UIMessageChunk[]): GroveMetadata | null {
  const last = chunks.at(-1);
  return last?.type === "finish" ? (last.messageMetadata as GroveMetadata) : null;
}

async function interruption(
  owner: OwnerData,
  run: RunRecord,
  parts: readonly SessionMessagePart[],
): Promise<GroveMetadata> {
  return {
    status: "interrupted",
    runId: run.id,
    model: run.model,
    ...(wroteMemory(parts) && (await memoryWrites(owner, run, parts))),
  };
}

import type { UIMessageChunk } from "ai";
import type { OwnerData } from "@/lib/chat/owner-data";
import { openSession } from "@/lib/chat/sessions/open-session";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import type { AnswerStatus, GroveMetadata } from "@/lib/chat/wire/messages";
import { SessionError, type SessionMessagePart } from "@/lib/session";
import { answerParts, wroteMemory } from "./answer-message";
import { answerUsage } from "./answer-usage";
import { memoryWrites } from "./memory-writes";
import type { RunRecord } from "./run-store";
import { storeAnswer } from "./store-answer";

/** Stores text and memory writes. A run that had logged its end keeps that status, any other is interrupted. */
export async function recoverAnswer(owner: OwnerData, run: RunRecord): Promise<AnswerStatus> {
  const chunks = (await owner.runs.readChunks(run.id, 0)) as UIMessageChunk[];
  const parts = await answerParts(chunks);
  const logged = loggedEnd(chunks);
  const metadata = logged ?? (await interruption(owner, run, wroteMemory(parts)));
  if (!logged) await recordEstimate(owner, run, parts);
  const status = metadata.status ?? "interrupted";
  try {
    await storeAnswer(await openSession(owner, run.sessionId), { run, parts, metadata });
  } catch (error) {
    // Retrying would never end; a missing database is different.
    if (!(error instanceof SessionError)) throw error;
  }
  await owner.runs.finish(run.id, status);
  return status;
}

/** Nobody reported what the model charged. */
async function recordEstimate(
  owner: OwnerData,
  run: RunRecord,
  parts: readonly SessionMessagePart[],
): Promise<void> {
  const receipt = (await owner.runs.receiptOf(run.sessionId, run.messageId)) as ReceiptWire | null;
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
  hasWritten: boolean,
): Promise<GroveMetadata> {
  return {
    status: "interrupted",
    runId: run.id,
    model: run.model,
    ...(hasWritten && (await memoryWrites(owner, run))),
  };
}

import { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import { cleanText } from "@/lib/chat/core/clean-text";
import type { Consent } from "@/lib/chat/core/consents";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { parametersIn } from "@/lib/chat/core/settings-store";
import { leaseMs } from "@/lib/chat/runs/lease";
import {
  approvalDecided,
  type Decision,
  decided,
  isLastUndecided,
  type Pause,
  pauseOf,
  undecided,
  withDecisions,
} from "@/lib/chat/runs/pause";
import { sentInFullIn } from "@/lib/chat/sessions/model-input";
import { entryOf, memoryModeOf, requireSession } from "@/lib/chat/sessions/transcript";
import type { decideRequest, EntryWire, GroveMetadata } from "@/lib/chat/wire/messages";
import { MessageNotFoundError, type SessionMessagePart, type StoredMessage } from "@/lib/session";
import { toolNameOf } from "@/lib/session/internal";
import { decideHeldWrite } from "./held-writes";
import type { Answering } from "./send-message";

export interface CallAddress {
  readonly sessionId: string;
  readonly messageId: string;
  readonly approvalId: string;
}

type DecisionRequest = z.output<typeof decideRequest>;

/**
 * Records the person's word about a call that waits; after the last one the answer goes on in its message.
 *
 * @throws {ChatError} `approval-not-found`, `approval-decided` when another decision came first, or the chat went on,
 * `answer-running` after a crash until its answer is recovered. @throws {BlockConflictError} when a block says
 * something else than what the person has seen.
 */
export async function decideCall(
  answering: Answering,
  address: CallAddress,
  given: DecisionRequest,
): Promise<EntryWire> {
  const { owner, runner, chooseModel } = answering;
  const { sessionId, messageId, approvalId } = address;
  const request = cleanText(given);
  const info = await requireSession(owner, sessionId);
  const message = await owner.store.messages(sessionId).getMessage(messageId);
  if (!message) throw new MessageNotFoundError(messageId);
  const { run, pause } = await waitingRun(owner, message, address);
  const { toolCallId } = undecided(pause, approvalId);
  const part = message.parts.find((each) => each.toolCallId === toolCallId);
  const goesOn = isLastUndecided(pause);
  // Refused before anything is decided.
  const resolved = goesOn ? await chooseModel(run.model) : null;
  if (goesOn) await runner.assertMayStart(owner, run.id);
  const held = part && (await decideHeldWrite(owner, { messageId, part }, request));
  const decision = held ?? decisionOf(request);
  const to = decided(pause, approvalId, decision);
  const status = goesOn ? "running" : "paused";
  const claimed = await owner.runs.decide(run.id, { from: pause, to, status, leaseMs });
  // Another tab decided, maybe about another call.
  if (!claimed) return decideCall(answering, address, request);
  if (request.decision === "approve" && request.forChat && part) {
    if (held) await owner.store.sessions.update(sessionId, { metadata: { memoryMode: "on" } });
    else await owner.consents.allow(sessionId, consentTo(part));
  }
  const metadata = withChange(message, { decision, part });
  const parts = withDecisions(message.parts, to);
  await owner.store.messages(sessionId).updateMessage({ ...message, parts, metadata });
  if (resolved) {
    const allowing = await requireSession(owner, sessionId);
    runner.resume({
      owner,
      run: claimed,
      continued: { parts, metadata },
      resolved,
      memoryMode: memoryModeOf(allowing),
      parameters: parametersIn(info.metadata),
      sentInFull: sentInFullIn(info),
      variation: 0,
    });
  }
  return entryOf(owner, sessionId, messageId);
}

async function waitingRun(
  { runs }: OwnerData,
  { metadata }: StoredMessage,
  { sessionId, messageId, approvalId }: CallAddress,
): Promise<{ run: RunRecord; pause: Pause }> {
  const { runId, status } = (metadata ?? {}) as GroveMetadata;
  const run = runId === undefined ? null : await runs.get(runId);
  // After a crash of the version before, which stored an answer before the end of its run.
  if (run?.status === "running" && status === "paused" && pauseOf(run) === null)
    throw new ChatError("answer-running", "This answer is still being stored. Try again.");
  const pause = run && pauseOf(run);
  const isKnown = pause?.calls.some((call) => call.approvalId === approvalId) === true;
  if (run?.sessionId !== sessionId || run.messageId !== messageId || !isKnown)
    throw new ChatError("approval-not-found", "This request does not exist in this chat.");
  if (run.status !== "paused") throw approvalDecided();
  return { run, pause };
}

function decisionOf(request: DecisionRequest): Decision {
  if (request.decision === "deny") {
    const { reason } = request;
    return { approved: false, ...(reason && { reason }) };
  }
  return { approved: true, ...(request.input && { input: request.input }) };
}

const toolMetadata = z.object({ version: z.string().optional() }).catch({});

/** Of the tool as it was shown to the person, not as it is now. */
function consentTo(part: SessionMessagePart): Consent {
  const { version = "" } = toolMetadata.parse(part.toolMetadata);
  return { tool: toolNameOf(part) ?? "", version };
}

/** Keeps what the model had asked for. */
function withChange(
  { metadata }: StoredMessage,
  { decision, part }: { decision: Decision; part: SessionMessagePart | undefined },
): GroveMetadata {
  const known = (metadata ?? {}) as GroveMetadata;
  if (!decision.input || !part) return known;
  const change = { toolCallId: String(part.toolCallId), input: part.input };
  return { ...known, changedCalls: [...(known.changedCalls ?? []), change] };
}

import {
  MessageNotFoundError,
  type SessionMessagePart,
  type StoredMessage,
  toolNameOf,
} from "grove-session";
import { z } from "zod";
import { changeMessage } from "@/lib/chat/branches/change-message";
import { ChatError } from "@/lib/chat/core/chat-error";
import { cleanText } from "@/lib/chat/core/clean-text";
import type { Consent } from "@/lib/chat/core/consents";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { acceptProposal, declineProposal, readProposal } from "@/lib/chat/memory/proposals";
import { leaseMs } from "@/lib/chat/runs/lease";
import {
  approvalDecided,
  type Decision,
  decided,
  isAboutToWait,
  isLastUndecided,
  type Pause,
  pauseOf,
  undecided,
  withDecisions,
} from "@/lib/chat/runs/pause";
import { entryOf, requireSession } from "@/lib/chat/sessions/transcript";
import type { ProposalWire } from "@/lib/chat/wire/memory";
import {
  type DecideRequest,
  decideRequest,
  type EntryWire,
  type GroveMetadata,
} from "@/lib/chat/wire/messages";
import { callOf, decideHeldWrite } from "./memory-writes";
import { orderOf } from "./order";
import { goesOnAfter } from "./recover-answer";
import { type Answering, settingsOf } from "./send-message";

interface CallAddress {
  readonly sessionId: string;
  readonly messageId: string;
  readonly approvalId: string;
}

type DecisionRequest = z.output<typeof decideRequest>;

/**
 * After the last decision the answer goes on. @throws {ChatError} `approval-not-found`, `approval-decided`,
 * `answer-running` after a crash until its answer is recovered. @throws {BlockConflictError} when a block has changed
 * since the person saw it.
 */
export async function decideCall(
  answering: Answering,
  address: CallAddress,
  given: DecisionRequest,
): Promise<EntryWire> {
  const { owner, runner, chooseModel } = answering;
  const { sessionId, messageId, approvalId } = address;
  const request = cleanText(given);
  await requireSession(owner, sessionId);
  const message = await owner.store.messages(sessionId).getMessage(messageId);
  if (!message) throw new MessageNotFoundError(messageId);
  const { run, pause } = await waitingRun(owner, message, address);
  const { toolCallId } = undecided(pause, approvalId);
  const part = message.parts.find((each) => each.toolCallId === toolCallId);
  const goesOn = isLastUndecided(pause);
  const resolved = goesOn ? await chooseModel(run.model) : null;
  if (goesOn) await runner.assertMayStart(owner, run.id);
  const held = part && (await decideHeldWrite(owner, { messageId, part }, request));
  const decision = held ?? decisionOf(request);
  const to = decided(pause, approvalId, decision);
  const status = goesOn ? "running" : "paused";
  const claimed = await owner.runs.decide(run.id, { from: pause, to, status, leaseMs });
  if (!claimed) return decideCall(answering, address, request);
  if (request.decision === "approve" && request.forChat && part) {
    if (held) await owner.store.sessions.update(sessionId, { metadata: { memoryMode: "on" } });
    else await owner.consents.allow(sessionId, consentTo(part));
  }
  // Another call of it may be decided at the same moment.
  const changed = await changeMessage(owner, { sessionId, messageId }, (present) => ({
    ...present,
    parts: withDecisions(present.parts, to),
    metadata: withChange(present, { decision, part }),
  }));
  if (resolved && changed) {
    const { parts, metadata } = changed;
    const allowing = await requireSession(owner, sessionId);
    const begun = goesOnAfter({ parts, metadata }, to);
    runner.resume(owner, claimed, { begun, resolved, ...settingsOf(allowing, orderOf(claimed)) });
  }
  return entryOf(owner, sessionId, messageId);
}

/**
 * An answer that waits for the proposal goes on.
 *
 * @throws {ProposalDecidedError} @throws {BlockConflictError}
 * @throws {ChatError} `answer-running` while its answer does not wait yet.
 */
export async function decideProposal(
  answering: Answering,
  proposalId: string,
  request: DecideRequest,
): Promise<ProposalWire> {
  const { owner } = answering;
  const address = await waitingCall(owner, proposalId);
  if (address) await decideCall(answering, address, decideRequest.parse(request));
  else if (request.decision === "deny") await declineProposal(owner, proposalId);
  else await acceptProposal(owner, proposalId, request);
  return readProposal(owner, proposalId);
}

async function waitingCall(owner: OwnerData, proposalId: string): Promise<CallAddress | null> {
  const proposal = await owner.store.proposals.get(proposalId);
  if (proposal?.status !== "open" || !proposal.sessionId || !proposal.messageId) return null;
  const { sessionId, messageId } = proposal;
  const run = await owner.runs.get(messageId);
  if (run && isAboutToWait(run))
    throw new ChatError(
      "answer-running",
      "This answer is still being written. Decide once it waits for you.",
    );
  const pause = run?.status === "paused" ? pauseOf(run) : null;
  const call = pause && callOf(proposal, pause);
  return call?.decision === null ? { sessionId, messageId, approvalId: call.approvalId } : null;
}

async function waitingRun(
  { runs }: OwnerData,
  { metadata }: StoredMessage,
  { sessionId, messageId, approvalId }: CallAddress,
): Promise<{ run: RunRecord; pause: Pause }> {
  const { runId, status } = (metadata ?? {}) as GroveMetadata;
  const run = runId === undefined ? null : await runs.get(runId);
  // The previous version stored an answer before its run's end, so a crash came between.
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

function consentTo(part: SessionMessagePart): Consent {
  const { version = "" } = toolMetadata.parse(part.toolMetadata);
  return { tool: toolNameOf(part) ?? "", version };
}

function withChange(
  { metadata }: StoredMessage,
  { decision, part }: { decision: Decision; part: SessionMessagePart | undefined },
): GroveMetadata {
  const known = (metadata ?? {}) as GroveMetadata;
  if (!decision.input || !part) return known;
  const change = { toolCallId: String(part.toolCallId), input: part.input };
  return { ...known, changedCalls: [...(known.changedCalls ?? []), change] };
}

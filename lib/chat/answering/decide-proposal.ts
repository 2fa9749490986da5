import { setTimeout as delay } from "node:timers/promises";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { acceptProposal, declineProposal, readProposal } from "@/lib/chat/memory/proposals";
import { pauseOf } from "@/lib/chat/runs/pause";
import type { ProposalWire } from "@/lib/chat/wire/memory";
import { type DecideRequest, decideRequest } from "@/lib/chat/wire/messages";
import { type CallAddress, decideCall } from "./decide-call";
import { callOf } from "./held-writes";
import type { Answering } from "./send-message";

/**
 * Accepts or declines a proposal. An answer that waits for it goes on.
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

/** An answer holds a write before it waits. */
const waitsWithinMs = 5_000;
const betweenLooksMs = 50;

/** `null` when no answer waits for it. */
async function waitingCall(owner: OwnerData, proposalId: string): Promise<CallAddress | null> {
  const startedAt = performance.now();
  for (;;) {
    const proposal = await owner.store.proposals.get(proposalId);
    if (proposal?.status !== "open" || !proposal.sessionId || !proposal.messageId) return null;
    const { sessionId, messageId } = proposal;
    const run = await owner.runs.get(messageId);
    const pause = run && pauseOf(run);
    const call = run?.status === "paused" && pause ? callOf(proposal, pause) : null;
    if (call) {
      const { approvalId, decision } = call;
      return decision === null ? { sessionId, messageId, approvalId } : null;
    }
    if (run?.status !== "running" || run.request !== null) return null;
    if (performance.now() - startedAt > waitsWithinMs)
      throw new ChatError("answer-running", "This answer is still being written. Try again.");
    await delay(betweenLooksMs);
  }
}

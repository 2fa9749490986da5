import { createHash } from "node:crypto";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { acceptProposal, declineProposal } from "@/lib/chat/memory/proposals";
import type { Decision, Pause } from "@/lib/chat/runs/pause";
import type { DecideRequest } from "@/lib/chat/wire/messages";
import type { Proposal, SessionMessagePart } from "@/lib/session";
import { isSessionError } from "@/lib/session/internal";

/** A proposal of memory for which an answer waits has the id of its call, so that both are decided as one. */
export function heldWriteId(messageId: string, toolCallId: string): string {
  return createHash("sha256")
    .update(JSON.stringify([messageId, toolCallId]))
    .digest("base64url");
}

/**
 * Accepts or declines the write of a call. One that was decided before, as before a crash, stays as it is.
 *
 * @returns `null` when the call is no held write.
 * @throws {BlockConflictError} when another version is newest than the one the person has seen.
 */
export async function decideHeldWrite(
  owner: OwnerData,
  call: { readonly messageId: string; readonly part: SessionMessagePart },
  request: DecideRequest,
): Promise<Decision | null> {
  const { messageId, part } = call;
  const id = heldWriteId(messageId, String(part.toolCallId));
  const held = await owner.store.proposals.get(id);
  if (!held) return null;
  const reason = request.decision === "deny" ? request.reason : undefined;
  const said = { ...(reason && { reason }) };
  if (held.status !== "open") return { approved: held.status === "accepted", ...said };
  if (request.decision === "deny") {
    await declineProposal(owner, id);
    return { approved: false, ...said };
  }
  const { content, expectedVersion } = request;
  await acceptProposal(owner, id, { content, expectedVersion });
  return { approved: true, ...(content !== undefined && { input: changed(part, content) }) };
}

/** The person edits the whole resulting text. */
function changed({ input }: SessionMessagePart, content: string): Record<string, unknown> {
  return { ...(input as object), action: "replace", content };
}

/** Declines what the person left undecided. */
export async function declineHeldWrites(
  owner: OwnerData,
  messageId: string,
  { calls }: Pause,
): Promise<void> {
  for (const { toolCallId, decision } of calls) {
    if (decision?.approved === true) continue;
    try {
      await declineProposal(owner, heldWriteId(messageId, toolCallId));
    } catch (error) {
      if (!isSessionError(error)) throw error;
      // No held write, or decided before.
      if (error.code !== "proposal-not-found" && error.code !== "proposal-decided") throw error;
    }
  }
}

/** Of a proposal, when it is a held write. */
export function callOf(
  { id, messageId }: Proposal,
  { calls }: Pause,
): Pause["calls"][number] | null {
  const isIts = (toolCallId: string) =>
    messageId !== null && heldWriteId(messageId, toolCallId) === id;
  return calls.find(({ toolCallId }) => isIts(toolCallId)) ?? null;
}

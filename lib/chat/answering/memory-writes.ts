import { createHash } from "node:crypto";
import {
  diffLines,
  isSessionError,
  isToolPart,
  type Proposal,
  type SessionMessagePart,
} from "grove-session";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { acceptProposal, declineProposal } from "@/lib/chat/memory/proposals";
import type { Decision, Pause } from "@/lib/chat/runs/pause";
import type {
  DecideRequest,
  GroveMetadata,
  LineCountWire,
  ProposedWriteWire,
} from "@/lib/chat/wire/messages";
import type { Order } from "./order";

export async function memoryWrites(
  owner: OwnerData,
  { sessionId, messageId }: Pick<Order, "sessionId" | "messageId">,
  parts: readonly SessionMessagePart[],
): Promise<Pick<GroveMetadata, "writes" | "proposals">> {
  if (!parts.some(({ type }) => type === "tool-set_context")) return {};
  const [writes, proposals] = await Promise.all([
    owner.blocks.writesOf(sessionId, messageId),
    owner.store.proposals.list({ sessionId, messageId }),
  ]);
  const ids = proposals.map(({ blockId }) => blockId);
  const labels = await owner.blocks.labels(sessionId, ids);
  const calls = callsById(messageId, parts);
  return {
    ...(writes.length > 0 && {
      writes: writes.map(({ blockId, label, key, version, before, after }) => ({
        blockId,
        label,
        ...(key !== null && { key }),
        version,
        lines: countLines(before, after),
      })),
    }),
    ...(proposals.length > 0 && {
      proposals: proposals.toReversed().map((each) => {
        const toolCallId = calls.get(each.id);
        return { ...proposedWire(each, labels), ...(toolCallId !== undefined && { toolCallId }) };
      }),
    }),
  };
}

function callsById(
  messageId: string,
  parts: readonly SessionMessagePart[],
): ReadonlyMap<string, string> {
  const ids = parts.filter(isToolPart).map(({ toolCallId }) => String(toolCallId));
  return new Map(ids.map((id) => [heldWriteId(messageId, id), id]));
}

function proposedWire(
  { id, blockId, key, content }: Proposal,
  labels: ReadonlyMap<string, string>,
): ProposedWriteWire {
  const label = labels.get(blockId) ?? blockId;
  return { id, blockId, label, ...(key !== null && { key }), lines: countLines("", content) };
}

function countLines(before: string, after: string): LineCountWire {
  const changes = diffLines(before, after);
  return {
    added: changes.filter(({ kind }) => kind === "added").length,
    removed: changes.filter(({ kind }) => kind === "removed").length,
  };
}

/** The id comes from the call, since both are decided as one. */
export function heldWriteId(messageId: string, toolCallId: string): string {
  return createHash("sha256")
    .update(JSON.stringify([messageId, toolCallId]))
    .digest("base64url");
}

/**
 * An earlier decision, as before a crash, stays.
 *
 * @returns `null` when the call is no held write.
 * @throws {BlockConflictError} when a version is newer than the one the person has seen.
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

function changed({ input }: SessionMessagePart, content: string): Record<string, unknown> {
  return { ...(input as object), action: "replace", content };
}

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
      if (error.code !== "proposal-not-found" && error.code !== "proposal-decided") throw error;
    }
  }
}

export function callOf(
  { id, messageId }: Proposal,
  { calls }: Pause,
): Pause["calls"][number] | null {
  const isIts = (toolCallId: string) =>
    messageId !== null && heldWriteId(messageId, toolCallId) === id;
  return calls.find(({ toolCallId }) => isIts(toolCallId)) ?? null;
}

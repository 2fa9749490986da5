import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import type { GroveMetadata, LineCountWire, ProposedWriteWire } from "@/lib/chat/wire/messages";
import { diffLines, type Proposal, type SessionMessagePart } from "@/lib/session";
import { isToolPart } from "@/lib/session/internal";
import { heldWriteId } from "./held-writes";

/** An answer's memory writes and proposals. */
export async function memoryWrites(
  owner: OwnerData,
  { sessionId, messageId }: Pick<RunRecord, "sessionId" | "messageId">,
  parts: readonly SessionMessagePart[],
): Promise<Pick<GroveMetadata, "writes" | "proposals">> {
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

/** Of held writes, by the ids of their proposals. */
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

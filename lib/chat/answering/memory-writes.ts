import type { OwnerData } from "@/lib/chat/owner-data";
import type { GroveMetadata, LineCountWire, ProposedWriteWire } from "@/lib/chat/wire/messages";
import { diffLines, type Proposal } from "@/lib/session";
import type { RunRecord } from "./run-store";

/** An answer's memory writes and proposals. */
export async function memoryWrites(
  owner: OwnerData,
  { sessionId, messageId }: Pick<RunRecord, "sessionId" | "messageId">,
): Promise<Pick<GroveMetadata, "writes" | "proposals">> {
  const [writes, proposals] = await Promise.all([
    owner.blocks.writesOf(sessionId, messageId),
    owner.store.proposals.list({ sessionId, messageId }),
  ]);
  const ids = proposals.map(({ blockId }) => blockId);
  const labels = await owner.blocks.labels(sessionId, ids);
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
      proposals: proposals.toReversed().map((each) => proposedWire(each, labels)),
    }),
  };
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

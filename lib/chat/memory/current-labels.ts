import type { OwnerData, WrittenVersion } from "@/lib/chat/owner-data";
import type { EntryWire, MemoryWriteWire } from "@/lib/chat/wire/messages";

/**
 * Replaces block labels in a transcript's memory writes by current ones, so that writes can be undone after a rename.
 * Writes to deleted blocks keep their old label.
 */
export async function withCurrentLabels(
  owner: Pick<OwnerData, "writtenBy">,
  sessionId: string,
  entries: readonly EntryWire[],
): Promise<EntryWire[]> {
  const writers = entries.flatMap(({ message }) => (message.metadata?.writes ? message.id : []));
  if (writers.length === 0) return [...entries];
  const versions = Map.groupBy(
    await owner.writtenBy(sessionId, writers),
    ({ messageId }) => messageId,
  );
  return entries.map((entry) => withLabels(entry, versions.get(entry.message.id) ?? []));
}

function withLabels(entry: EntryWire, versions: readonly WrittenVersion[]): EntryWire {
  const { metadata } = entry.message;
  if (!metadata?.writes) return entry;
  const writes = metadata.writes.map((write, n) => ({ ...write, ...labelNow(write, versions[n]) }));
  return { ...entry, message: { ...entry.message, metadata: { ...metadata, writes } } };
}

/** Both lists are in write order. */
function labelNow(
  { key, version }: MemoryWriteWire,
  now: WrittenVersion | undefined,
): { label?: string } {
  if (!now || now.label === null || now.key !== (key ?? null) || now.version !== version) return {};
  return { label: now.label };
}

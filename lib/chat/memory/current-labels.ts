import type { OwnerData, WrittenVersion } from "@/lib/chat/owner-data";
import type { EntryWire, MemoryWriteWire } from "@/lib/chat/wire/messages";

/**
 * Lines of a transcript with what they wrote into memory under the names the blocks have now, so that it can be looked up
 * and undone after a block was renamed. A message keeps the name of its day, and so does what it wrote into a block that is
 * deleted.
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

/** Both lists are in the order of writing. */
function labelNow(
  { key, version }: MemoryWriteWire,
  now: WrittenVersion | undefined,
): { label?: string } {
  if (!now || now.label === null || now.key !== (key ?? null) || now.version !== version) return {};
  return { label: now.label };
}

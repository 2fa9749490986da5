import { MessageNotFoundError } from "@/lib/session/errors";
import {
  type Compaction,
  type CompactionMetadata,
  isTreeProvider,
  type SessionProvider,
} from "@/lib/session/session-provider";
import { compactionIdOf } from "./compaction-message";

/** The ends are ids of messages or of synthetic summary messages. */
interface SummaryRange {
  readonly fromId: string;
  readonly toId: string;
}

/**
 * Stores a summary over a range. Storage of the documented core is given ids of stored messages only.
 *
 * @throws {MessageNotFoundError} for an unknown end.
 */
export async function addCompaction(
  provider: SessionProvider,
  summary: string,
  { metadata, ...range }: SummaryRange & { readonly metadata?: CompactionMetadata | undefined },
): Promise<Compaction> {
  const { fromId, toId } = isTreeProvider(provider) ? range : await storedRange(provider, range);
  return provider.addCompaction(summary, fromId, toId, metadata);
}

async function storedRange(
  provider: SessionProvider,
  { fromId, toId }: SummaryRange,
): Promise<SummaryRange> {
  const compactions = await provider.getCompactions();
  const summaryOf = (id: string) => compactions.find((each) => each.id === compactionIdOf(id));
  const range = {
    fromId: summaryOf(fromId)?.fromMessageId ?? fromId,
    toId: summaryOf(toId)?.toMessageId ?? toId,
  };
  for (const id of [range.fromId, range.toId])
    if (!(await provider.getMessage(id))) throw new MessageNotFoundError(id);
  return range;
}

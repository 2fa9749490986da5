import { modelInput, type SentInFull } from "@/lib/chat/sessions/model-input";
import {
  type CompactFunction,
  type Compaction,
  CompactionNotFoundError,
  estimateMessageTokens,
  estimateStringTokens,
  type Session,
  type SessionMessage,
  type SessionTreeProvider,
  SummaryRejectedError,
} from "@/lib/session";

interface RewriteOptions {
  readonly messages: SessionTreeProvider;
  readonly compact: CompactFunction;
  readonly sentInFull: SentInFull | undefined;
  readonly compactionId: string;
  readonly focus?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const pageSize = 200;

/**
 * Replaces the old summary in one step; a failure changes nothing.
 *
 * @throws {CompactionNotFoundError} when the old one is gone.
 * @throws {SummaryRejectedError} when the new one is blank, truncated, or no shorter than the messages.
 */
export async function rewriteSummary(
  session: Session,
  { messages, compact, sentInFull, compactionId, focus, signal }: RewriteOptions,
): Promise<Compaction> {
  const old = (await messages.getCompactions()).find(({ id }) => id === compactionId);
  if (!old || !compact.summarizeAll) throw new CompactionNotFoundError(compactionId);
  const originals = modelInput(await originalsOf(messages, old), { sentInFull }).messages;
  const { text: summary, model, cost } = await compact.summarizeAll(originals, { focus, signal });
  const tokens = estimateStringTokens(summary);
  const rangeTokens = estimateMessageTokens(originals);
  if (tokens >= rangeTokens) throw new SummaryRejectedError("too-long");
  signal?.throwIfAborted();
  const { tokensBefore, tokensAfter } = old.metadata ?? {};
  const compaction = await session.replaceCompaction(compactionId, summary, {
    author: "model",
    rangeTokens,
    ...(model !== undefined && { model }),
    ...(cost !== undefined && { cost }),
    ...(tokensBefore !== undefined && { tokensBefore }),
    ...(tokensAfter !== undefined && {
      tokensAfter: Math.max(0, tokensAfter - estimateStringTokens(old.summary) + tokens),
    }),
    ...(focus !== undefined && { focus }),
  });
  await session.refreshSystemPrompt();
  return compaction;
}

/** Oldest first. */
async function originalsOf(
  messages: SessionTreeProvider,
  { fromMessageId, toMessageId }: Compaction,
): Promise<SessionMessage[]> {
  const originals: SessionMessage[] = [];
  let beforePosition: number | undefined;
  for (;;) {
    const { entries, hasMore } = await messages.getWindow({
      leafId: toMessageId,
      overlays: false,
      limit: pageSize,
      beforePosition,
    });
    const start = entries.findIndex(({ message }) => message.id === fromMessageId);
    originals.unshift(...entries.slice(Math.max(0, start)).map(({ message }) => message));
    const first = entries[0];
    if (start !== -1 || !hasMore || !first) return originals;
    beforePosition = first.position;
  }
}

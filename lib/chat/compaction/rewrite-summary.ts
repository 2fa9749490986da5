import {
  type Compaction,
  CompactionNotFoundError,
  estimateMessageTokens,
  estimateStringTokens,
  type Session,
  type SessionMessage,
  type SessionTreeProvider,
  SummaryRejectedError,
} from "grove-session";
import type { PreviewedCompactFunction } from "grove-session/ports";
import { modelInput, type SentInFull } from "@/lib/chat/sessions/model-input";
import { storedPath } from "@/lib/chat/sessions/stored-path";

interface RewriteOptions {
  readonly messages: SessionTreeProvider;
  readonly compact: Pick<PreviewedCompactFunction, "summarizeAll">;
  readonly sentInFull: SentInFull | undefined;
  readonly compactionId: string;
  readonly focus?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A failure changes nothing. @throws {SummaryRejectedError} when the new one is blank, truncated, or no shorter. */
export async function rewriteSummary(
  session: Session,
  { messages, compact, sentInFull, compactionId, focus, signal }: RewriteOptions,
): Promise<Compaction> {
  const old = (await messages.getCompactions()).find(({ id }) => id === compactionId);
  if (!old) throw new CompactionNotFoundError(compactionId);
  const originals = modelInput(await originalsOf(messages, old), { sentInFull }).messages;
  const { text: summary, model, cost } = await compact.summarizeAll(originals, { focus, signal });
  const tokens = estimateStringTokens(summary);
  const rangeTokens = estimateMessageTokens(originals);
  if (tokens >= rangeTokens) throw new SummaryRejectedError("too-long");
  signal?.throwIfAborted();
  const { tokensBefore, tokensAfter } = old.metadata ?? {};
  const compaction = await session.tree.replaceCompaction(compactionId, summary, {
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

async function originalsOf(
  messages: SessionTreeProvider,
  { fromMessageId, toMessageId }: Compaction,
): Promise<SessionMessage[]> {
  const originals: SessionMessage[] = [];
  for await (const batch of storedPath(messages, toMessageId)) {
    const start = batch.findIndex(({ id }) => id === fromMessageId);
    originals.unshift(...batch.slice(Math.max(0, start)));
    if (start !== -1) break;
  }
  return originals;
}

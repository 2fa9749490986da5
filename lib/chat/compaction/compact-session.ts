import type { RunRecord } from "@/lib/chat/answering/run-store";
import type { Runner } from "@/lib/chat/answering/runner";
import { ChatError } from "@/lib/chat/chat-error";
import type { OwnerData } from "@/lib/chat/owner-data";
import {
  compactFunction,
  compactionLimits,
  openSession,
  summaryCalls,
} from "@/lib/chat/sessions/open-session";
import { compactionWire, requireSession } from "@/lib/chat/sessions/transcript";
import type { CompactionPreviewWire, CompactionWire } from "@/lib/chat/wire/compaction";
import type { ResolvedModel } from "@/lib/llm";
import {
  type Compaction,
  compactionIdOf,
  compactionSlice,
  estimateMessageTokens,
  type SessionMessage,
} from "@/lib/session";
import { rewriteSummary } from "./rewrite-summary";
import { compactionFailed, whySummaryFailed } from "./why-summary-failed";
import type { SummaryHooks } from "./write-summary";

export interface CompactRequest {
  readonly sessionId: string;
  readonly leafId?: string | undefined;
  readonly focus?: string | undefined;
  readonly resolved: ResolvedModel;
  /** The summary to write anew, from what it stands for; it stays until the new one is there. */
  readonly replaces?: string | undefined;
  /** Hears of the summary as a run, once a model is asked for it. */
  readonly onBegun?: ((run: RunRecord) => void) | undefined;
}

/** Whose conversation it is, and where its summary is written. */
export interface Compacting {
  readonly owner: OwnerData;
  readonly runner: Pick<Runner, "summarize">;
}

/**
 * Has the middle of a conversation folded into a summary; resolves when the summary has begun to be written.
 *
 * @throws {ChatError} `nothing-to-compact`.
 */
export async function startCompaction(
  compacting: Compacting,
  request: Omit<CompactRequest, "onBegun">,
): Promise<RunRecord> {
  const begun = Promise.withResolvers<RunRecord>();
  // What goes wrong after it has begun is told by the run.
  compactSession(compacting, { ...request, onBegun: begun.resolve }).catch(begun.reject);
  return begun.promise;
}

/** The same, to its end. @throws {ChatError} when there is nothing to fold, or the model fails. */
export async function compactSession(
  { owner, runner }: Compacting,
  request: CompactRequest,
): Promise<CompactionWire> {
  await requireSession(owner, request.sessionId);
  const wish = { ...request, byHand: true };
  const compaction = await runner.summarize(owner, wish, async (hooks) => {
    const made = await attempt(() => compact(owner, request, hooks));
    if (!made) throw nothingFolded(hooks);
    return made;
  });
  return compactionWire(compaction, await coveredCount(owner, request.sessionId, compaction));
}

async function compact(
  owner: OwnerData,
  { sessionId, leafId, focus, resolved, replaces }: CompactRequest,
  { wishes, signal }: SummaryHooks,
): Promise<Compaction | null> {
  const session = await openSession(owner, sessionId, resolved, wishes);
  const options = { ...(focus && { focus }), signal };
  if (replaces === undefined) return session.compact(leafId, options);
  return rewriteSummary(session, {
    messages: owner.store.messages(sessionId),
    compact: compactFunction(resolved, {
      ...wishes,
      onCall: summaryCalls(owner, { sessionId, resolved }),
    }),
    compactionId: replaces,
    ...options,
  });
}

/** What a compaction by hand would fold now, and what it would leave. */
export async function compactionPreview(
  owner: OwnerData,
  { sessionId, leafId, resolved }: Pick<CompactRequest, "sessionId" | "leafId" | "resolved">,
): Promise<CompactionPreviewWire> {
  await requireSession(owner, sessionId);
  const history = await (await openSession(owner, sessionId, resolved)).getHistory(leafId);
  const tree = await owner.store.messages(sessionId).getTree();
  const pinnedIds = new Set(tree.filter((node) => node.pinned).map((node) => node.id));
  const range = compactionSlice(history, {
    ...compactionLimits(resolved, { byHand: true }),
    tokens: history.map((message) => estimateMessageTokens([message])),
    pinnedIds,
  });
  const compactions = await owner.store.messages(sessionId).getCompactions();
  const countOf = async (message: SessionMessage) => {
    const id = compactionIdOf(message.id);
    const compaction = compactions.find((each) => each.id === id);
    return compaction ? coveredCount(owner, sessionId, compaction) : 0;
  };
  const folded = range ? history.slice(range.start, range.end) : [];
  const summarized = await Promise.all(folded.map(countOf));
  const kept = range ? [...history.slice(0, range.start), ...history.slice(range.end)] : history;
  const open = await owner.runs.openSummaries(sessionId);
  return {
    isWriting: open.some(({ status }) => status === "running"),
    range: rangeOf(folded, summarized),
    keptMessageCount: kept.length,
    keptTokens: estimateMessageTokens(kept),
  };
}

/** `summarized`: for each line, how many messages it stands for when it is a summary, else 0. */
function rangeOf(
  folded: readonly SessionMessage[],
  summarized: readonly number[],
): CompactionPreviewWire["range"] {
  const [first, last] = [folded[0], folded.at(-1)];
  if (!first || !last) return null;
  return {
    fromMessageId: first.id,
    toMessageId: last.id,
    messageCount: summarized.reduce((sum, count) => sum + Math.max(1, count), 0),
    summarizedCount: summarized.reduce((sum, count) => sum + count, 0),
    tokens: estimateMessageTokens(folded),
  };
}

/** Stored messages a summary stands for, counted on the path it ends at. */
export async function coveredCount(
  owner: OwnerData,
  sessionId: string,
  compaction: Compaction,
): Promise<number> {
  const window = await owner.store
    .messages(sessionId)
    .getWindow({ leafId: compaction.toMessageId, limit: 10 });
  const entry = window.entries.find((each) => each.compaction?.id === compaction.id);
  return entry?.compaction?.messageCount ?? 0;
}

async function attempt(compact: () => Promise<Compaction | null>): Promise<Compaction | null> {
  try {
    return await compact();
  } catch (cause) {
    const why = whySummaryFailed(cause);
    throw why === null ? cause : compactionFailed(why, cause);
  }
}

function nothingFolded({ hasBegun }: SummaryHooks): ChatError {
  return new ChatError(
    "nothing-to-compact",
    hasBegun()
      ? "Nothing was summarized: the messages changed in the meantime."
      : "Nothing to summarize yet: the chat is short enough.",
  );
}

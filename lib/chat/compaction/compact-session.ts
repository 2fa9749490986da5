import {
  type Compaction,
  compactionMessage,
  estimateMessageTokens,
  type SessionMessage,
} from "grove-session";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { modelInput, sentInFullIn } from "@/lib/chat/sessions/model-input";
import { openSession } from "@/lib/chat/sessions/open-session";
import { compactionWire, requireSession } from "@/lib/chat/sessions/transcript";
import type { CompactionPreviewWire, CompactionWire } from "@/lib/chat/wire/compaction";
import { compactFunction, withCompaction } from "./compaction-model";
import { rewriteSummary } from "./rewrite-summary";
import { compactionFailed, whySummaryFailed } from "./why-summary-failed";
import type { CompactionRequest, SummaryRunner, SummaryWriting } from "./write-summary";

interface Compacting {
  readonly owner: OwnerData;
  readonly runner: SummaryRunner;
}

type ManualRequest = Omit<CompactionRequest, "isManual">;

/** Resolves once the summary is being written. @throws {ChatError} `nothing-to-compact`. */
export async function startCompaction(
  compacting: Compacting,
  request: Omit<ManualRequest, "onBegun">,
): Promise<RunRecord> {
  const begun = Promise.withResolvers<RunRecord>();
  compactSession(compacting, { ...request, onBegun: begun.resolve }).catch(begun.reject);
  return begun.promise;
}

export async function compactSession(
  { owner, runner }: Compacting,
  request: ManualRequest,
): Promise<CompactionWire> {
  const sentInFull = sentInFullIn(await requireSession(owner, request.sessionId));
  const compaction = await runner.summarize(
    owner,
    { ...request, isManual: true },
    async (writing) => {
      const { options, signal } = writing;
      const whole = { options: { ...options, sentInFull }, signal };
      const made = await attempt(() => compact(owner, request, whole));
      if (!made) throw nothingSummarized(writing);
      return made;
    },
  );
  return compactionWire(compaction, await coveredCount(owner, request.sessionId, compaction));
}

async function compact(
  owner: OwnerData,
  { sessionId, leafId, focus, replaces }: ManualRequest,
  { options, signal }: Pick<SummaryWriting, "options" | "signal">,
): Promise<Compaction | null> {
  const session = withCompaction(
    await openSession(owner, sessionId, options.resolved),
    owner,
    options,
  );
  const wanted = { ...(focus && { focus }), signal };
  if (replaces === undefined) return session.compact(leafId, wanted);
  return rewriteSummary(session, {
    messages: owner.store.messages(sessionId),
    sentInFull: options.sentInFull,
    compact: compactFunction(owner, sessionId, options),
    compactionId: replaces,
    ...wanted,
  });
}

export async function compactionPreview(
  owner: OwnerData,
  { sessionId, leafId, resolved }: Pick<ManualRequest, "sessionId" | "leafId" | "resolved">,
): Promise<CompactionPreviewWire> {
  const info = await requireSession(owner, sessionId);
  const stored = await (await openSession(owner, sessionId)).getHistory(leafId);
  const sentInFull = sentInFullIn(info);
  const history = modelInput(stored, { sentInFull }).messages;
  const tree = await owner.store.messages(sessionId).getTree();
  const pinnedIds = new Set(tree.filter((node) => node.pinned).map((node) => node.id));
  const { preview } = compactFunction(owner, sessionId, { resolved, isManual: true, sentInFull });
  const folded = await preview(stored, { pinnedIds });
  const compactions = await owner.store.messages(sessionId).getCompactions();
  const countOf = async (message: SessionMessage) => {
    const compaction = compactions.find((each) => compactionMessage(each).id === message.id);
    return compaction ? coveredCount(owner, sessionId, compaction) : 0;
  };
  const summarized = await Promise.all(folded.map(countOf));
  const foldedIds = new Set(folded.map(({ id }) => id));
  const kept = history.filter(({ id }) => !foldedIds.has(id));
  const open = await owner.runs.openSummaries(sessionId);
  return {
    isWriting: open.some(({ status }) => status === "running"),
    range: rangeOf(folded, summarized),
    keptMessageCount: kept.length,
    keptTokens: estimateMessageTokens(kept),
  };
}

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

async function coveredCount(
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

function nothingSummarized({ hasBegun }: SummaryWriting): ChatError {
  return new ChatError(
    "nothing-to-compact",
    hasBegun
      ? "Nothing was summarized: the messages changed in the meantime."
      : "Nothing to summarize yet: the chat is short enough.",
  );
}

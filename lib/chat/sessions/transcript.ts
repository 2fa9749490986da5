import {
  type Compaction,
  estimateStringTokens,
  MessageNotFoundError,
  type SessionInfo,
  SessionNotFoundError,
  type SessionTreeProvider,
} from "grove-session";
import type { WindowEntry, WindowOptions } from "grove-session/ports";
import { z } from "zod";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord, SessionMarks } from "@/lib/chat/core/run-store";
import { assistantIn, memoryModeIn, parametersIn } from "@/lib/chat/core/settings-store";
import { partOf } from "@/lib/chat/runs/pause";
import { planOf } from "@/lib/chat/runs/summary-plan";
import type { CompactionWire, SummaryRunWire } from "@/lib/chat/wire/compaction";
import type { EntryWire, GroveMessage, RunWire, TranscriptWire } from "@/lib/chat/wire/messages";
import type { MemoryMode, SessionWire } from "@/lib/chat/wire/sessions";
import { toWire } from "@/lib/chat/wire/wire";
import type { ModelParameters } from "@/lib/llm";
import { largeOutputsIn, sentInFullIn } from "./model-input";

export async function messagesOf(
  owner: OwnerData,
  sessionId: string,
): Promise<SessionTreeProvider> {
  await requireSession(owner, sessionId);
  return owner.store.messages(sessionId);
}

export async function requireSession(owner: OwnerData, sessionId: string): Promise<SessionInfo> {
  const info = await owner.store.sessions.get(sessionId);
  if (!info) throw new SessionNotFoundError(sessionId);
  return info;
}

export async function transcript(
  owner: OwnerData,
  sessionId: string,
  options: WindowOptions,
): Promise<TranscriptWire> {
  const messages = await messagesOf(owner, sessionId);
  // Runs are read before the window: an answer that ends in between would be in neither.
  const [runs, summaries] = await Promise.all([
    owner.runs.running(sessionId),
    owner.runs.openSummaries(sessionId),
  ]);
  const window = await messages.getWindow(options);
  if (options.leafId !== undefined && window.leafId === null)
    throw new MessageNotFoundError(options.leafId);
  return {
    entries: await shownEntries(owner, sessionId, window.entries),
    leafId: window.leafId,
    hasMore: window.hasMore,
    runs: runs.map(runWire),
    summaries: summaries.map(summaryRunWire),
  };
}

export async function entryOf(
  owner: OwnerData,
  sessionId: string,
  messageId: string,
): Promise<EntryWire> {
  const window = await owner.store
    .messages(sessionId)
    .getWindow({ leafId: messageId, limit: 1, overlays: false });
  const [entry] = await shownEntries(owner, sessionId, window.entries.slice(-1));
  if (!entry) throw new MessageNotFoundError(messageId);
  return entry;
}

async function shownEntries(
  owner: OwnerData,
  sessionId: string,
  windowEntries: readonly WindowEntry[],
): Promise<EntryWire[]> {
  const entries = await withWaiting(owner, sessionId, windowEntries.map(entryWire));
  const large = largeOutputsIn(windowEntries.map(({ message }) => message));
  if (large.length === 0) return entries;
  const isSentInFull = sentInFullIn(await requireSession(owner, sessionId));
  const outputs = large.map((output) => ({ ...output, isSentInFull: isSentInFull(output) }));
  return entries.map((entry) => {
    const largeOutputs = outputs.filter(({ messageId }) => messageId === entry.message.id);
    return largeOutputs.length === 0 ? entry : { ...entry, largeOutputs };
  });
}

/** A copy in a fork or from an import does not wait: its run is elsewhere. */
async function withWaiting(
  owner: OwnerData,
  sessionId: string,
  entries: EntryWire[],
): Promise<EntryWire[]> {
  const marked = entries.map(async (entry): Promise<EntryWire> => {
    const { status, runId } = entry.message.metadata ?? {};
    if (status !== "paused" || runId === undefined) return entry;
    const run = await owner.runs.get(runId);
    const isWaiting = run?.status === "paused" && run.sessionId === sessionId;
    return isWaiting ? { ...entry, isWaiting } : entry;
  });
  return Promise.all(marked);
}

export function entryWire(entry: WindowEntry): EntryWire {
  const { compaction, parentId, siblings, pinned, label, position } = entry;
  const { id, role, parts, metadata, createdAt } = entry.message;
  return {
    message: { id, role, parts, metadata } as unknown as GroveMessage,
    createdAt: createdAt.toISOString(),
    ...{ parentId, siblings, pinned, label, position },
    ...(compaction && { compaction: compactionWire(compaction, compaction.messageCount) }),
  };
}

export function compactionWire(compaction: Compaction, messageCount: number): CompactionWire {
  const { id, summary, fromMessageId, toMessageId, createdAt } = compaction;
  const { model, cost, focus } = compaction.metadata ?? {};
  const summaryTokens = estimateStringTokens(summary);
  const rangeTokens = rangeTokensOf(compaction, summaryTokens);
  return {
    ...toWire({ id, summary, fromMessageId, toMessageId, createdAt }),
    messageCount,
    summaryTokens,
    ...(rangeTokens !== null && { rangeTokens }),
    ...(model !== undefined && { model }),
    ...(cost !== undefined && { cost }),
    ...(focus !== undefined && { focus }),
  };
}

function rangeTokensOf({ metadata = {} }: Compaction, summaryTokens: number): number | null {
  const { rangeTokens, tokensBefore, tokensAfter } = metadata;
  if (rangeTokens !== undefined) return rangeTokens;
  if (tokensBefore === undefined || tokensAfter === undefined) return null;
  // Only whole-history tokens are recorded; the summary removed the range.
  return tokensBefore - tokensAfter + summaryTokens;
}

export function runWire(run: RunRecord): RunWire {
  const { id, sessionId, messageId, parentId, model, status, startedAt } = run;
  const told = { id, sessionId, messageId, parentId, model, status, startedAt };
  return { ...toWire(told), part: partOf(run) };
}

export function summaryRunWire(run: RunRecord): SummaryRunWire {
  const { id, sessionId, status, model, problem, parentId, startedAt } = run;
  const told = { id, sessionId, status, model, problem, startedAt };
  return { ...toWire(told), ...planOf(run), leafId: parentId };
}

const noMarks: SessionMarks = { writing: false, waiting: false, unread: false };

const programSchema = z.object({
  program: z.object({
    name: z.string(),
    keyId: z.string().nullable().default(null),
    folder: z.string().nullable().default(null),
    log: z.boolean().default(false),
  }),
});

export function isLog({ metadata, pinnedAt, parentSessionId }: SessionInfo): boolean {
  const isLogged = programSchema.safeParse(metadata).data?.program.log ?? false;
  return isLogged && pinnedAt === null && parentSessionId === null;
}

export function sessionWire(info: SessionInfo, marks: SessionMarks = noMarks): SessionWire {
  const { id, model, tags, messageCount, parentSessionId, forkedAtMessageId } = info;
  const { inputTokens, outputTokens, cost, createdAt, updatedAt } = info;
  const program = programSchema.safeParse(info.metadata).data?.program;
  return {
    ...toWire({ id, model, tags, messageCount, parentSessionId, forkedAtMessageId }),
    ...toWire({ inputTokens, outputTokens, cost, createdAt, updatedAt }),
    title: info.name,
    pinned: info.pinnedAt !== null,
    archived: info.archivedAt !== null,
    memoryMode: memoryModeOf(info),
    parameters: parametersIn(info.metadata),
    assistant: assistantIn(info.metadata),
    ...marks,
    program: program?.name ?? null,
    programId: program?.keyId ?? null,
    folder: program?.folder ?? null,
  };
}

export function memoryModeOf({ metadata }: SessionInfo): MemoryMode {
  return memoryModeIn(metadata);
}

const minuteMs = 60_000;

/**
 * Providers keep the beginning of a request since its last use: Anthropic 5 minutes, OpenAI 5 to 10, Google minutes.
 */
const cachedMs: Readonly<Record<NonNullable<ModelParameters["caching"]>, number>> = {
  off: 0,
  "5m": 5 * minuteMs,
  "1h": 60 * minuteMs,
  "24h": 24 * 60 * minuteMs,
};

/** True once sending the prompt unchanged saves nothing. */
export function isPromptCold(
  { updatedAt, metadata }: Pick<SessionInfo, "updatedAt" | "metadata">,
  now = Date.now(),
): boolean {
  const { caching = "5m" } = parametersIn(metadata);
  return now - updatedAt.getTime() >= cachedMs[caching];
}

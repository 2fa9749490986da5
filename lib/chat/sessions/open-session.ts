import type { ToolSet } from "ai";
import { textCallUsage } from "@/lib/chat/answering/usage";
import { blocksOf } from "@/lib/chat/memory/block-definitions";
import { type BlockDefinition, defaultInstructions } from "@/lib/chat/memory/default-blocks";
import { sourceBlockOf } from "@/lib/chat/memory/source-blocks";
import type { Knowledge, OwnerData } from "@/lib/chat/owner-data";
import { createSummarizer, type ResolvedModel, type TextCall } from "@/lib/llm";
import {
  type AnyContextProvider,
  type AskingMessage,
  type CompactFunction,
  createCompactFunction,
  type SearchProvider,
  Session,
  SessionManager,
  type SessionMessage,
  type SkillProvider,
  type Summarize,
  type VersionedContextProvider,
} from "@/lib/session";

/** A window to plan with when nobody knows the model's. */
export const assumedContextWindow = 32_000;
const compactAtShare = 0.8;
const tailShare = 0.25;
const maxTailTokens = 20_000;

/** Hears a summary being written. */
export interface SummaryListener {
  /** It begins, or begins anew with the next piece of a long conversation. */
  readonly onStart?: (() => void) | undefined;
  readonly onDelta?: ((delta: string) => void) | undefined;
}

export interface CompactionWishes {
  readonly byHand?: boolean | undefined;
  /** Hears which messages are about to be summarized; it is waited for, and where it throws nothing is summarized. */
  readonly onBegin?: ((messages: readonly SessionMessage[]) => Promise<void>) | undefined;
  /** What a call carries in all, to be held against the share of the window. */
  readonly contextTokens?: ((history: readonly SessionMessage[]) => Promise<number>) | undefined;
  /** Hears why a compaction that nobody asked for came to nothing. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly listener?: SummaryListener | undefined;
  /** Hears what each call for a summary took. */
  readonly onCall?: ((call: TextCall) => Promise<void>) | undefined;
}

/**
 * One conversation of an owner, with the blocks it has now. With a model it can be compacted: by hand, and by
 * itself before a call once it fills 80 % of the model's window.
 */
export async function openSession(
  owner: OwnerData,
  sessionId: string,
  resolved?: ResolvedModel,
  options: CompactionWishes = {},
): Promise<Session> {
  const session = openWith(owner, sessionId, await blocksOf(owner, sessionId));
  if (resolved) {
    const onCall = summaryCalls(owner, { sessionId, resolved });
    withCompaction(session, resolved, { ...options, onCall });
  }
  return session;
}

/** A conversation with these blocks; `null` is none, for blocks that hold in every one. */
export function openWith(
  owner: OwnerData,
  sessionId: string | null,
  blocks: readonly BlockDefinition[],
): Session {
  return openInPassing(owner, sessionId, blocks).withCachedPrompt();
}

/** The same, but the prompt that is frozen here is nobody else's. */
export function openInPassing(
  owner: OwnerData,
  sessionId: string | null,
  blocks: readonly BlockDefinition[],
): Session {
  const session = new Session(owner.store, { sessionId: sessionId ?? "", createsSession: false });
  for (const definition of blocks) {
    const { label, description, maxTokens } = definition;
    session.withContext(label, {
      description,
      provider: providerOf(owner, definition, sessionId),
      ...(maxTokens !== null && { maxTokens }),
    });
  }
  return session;
}

/** The person's text as the model reads it, or the one to begin with while there is none. */
function readOnly(
  document: VersionedContextProvider,
  initial: string,
): AnyContextProvider & Pick<VersionedContextProvider, "read"> {
  const read = async () => {
    const written = await document.read();
    return written.version === 0 ? { content: initial, version: 0 } : written;
  };
  return { read, get: async () => (await read()).content };
}

/** The tool that searches the past conversations of an owner, for the answer to a message. */
export function pastConversations(owner: OwnerData, asking?: AskingMessage): ToolSet {
  return SessionManager.create(owner.store).tools({ asking });
}

/** The window a model is planned with, in tokens. */
export function contextWindowOf({ info }: Pick<ResolvedModel, "info">): number {
  return info.contextWindow ?? assumedContextWindow;
}

/**
 * What a compaction leaves alone. By hand a person wants as much folded as can be; by itself it happens in mid-conversation,
 * so the newest quarter of the window stays word for word.
 */
export function compactionLimits(resolved: ResolvedModel, { byHand }: { byHand: boolean }) {
  if (byHand) return { protectHead: 0, tailTokenBudget: 0, minTailMessages: 2 };
  const tail = Math.floor(tailShare * contextWindowOf(resolved));
  return { protectHead: 2, tailTokenBudget: Math.min(maxTailTokens, tail), minTailMessages: 2 };
}

/** Writes down what summaries take: a long conversation needs several calls for one. */
export function summaryCalls(
  owner: OwnerData,
  { sessionId, resolved }: { sessionId: string; resolved: ResolvedModel },
): (call: TextCall) => Promise<void> {
  return async (call) => {
    const taken = textCallUsage(call, resolved);
    const id = `summary ${crypto.randomUUID()}`;
    if (taken) await owner.usage.record({ id, kind: "summary", sessionId, ...taken });
  };
}

function withCompaction(session: Session, resolved: ResolvedModel, wishes: CompactionWishes): void {
  const contextWindow = contextWindowOf(resolved);
  session
    .onCompaction(compactFunction(resolved, wishes))
    .onCompactionError((error) => wishes.onError?.(error))
    .compactAfter(
      { share: compactAtShare, contextWindow },
      { contextTokens: wishes.contextTokens },
    );
}

/** What folds conversations with a model. */
export function compactFunction(
  resolved: ResolvedModel,
  { byHand = false, onBegin, ...wishes }: CompactionWishes,
): CompactFunction {
  return createCompactFunction({
    onBegin,
    summarize: pricedSummarizer(resolved, wishes),
    ...compactionLimits(resolved, { byHand }),
    maxInputTokens: Math.floor(compactAtShare * contextWindowOf(resolved)),
  });
}

/** Says of each text which model wrote it, and what it cost where its price is known. */
function pricedSummarizer(
  resolved: ResolvedModel,
  { listener = {}, onCall }: Pick<CompactionWishes, "listener" | "onCall">,
): Summarize {
  return async (prompt, options) => {
    let cost: number | null = null;
    const summarize = createSummarizer({
      model: resolved.model,
      ...listener,
      onCall: async (call) => {
        cost = textCallUsage(call, resolved)?.cost ?? null;
        await onCall?.(call);
      },
    });
    const text = await summarize(prompt, options);
    return { text, model: resolved.info.ref, ...(cost !== null && { cost }) };
  };
}

function onlySearched(entries: Knowledge): SearchProvider {
  const provider = entries as Knowledge & SearchProvider;
  return {
    get: () => provider.get(),
    search: (query) => provider.search(query),
    searchEntries: async (query) => (await provider.searchEntries?.(query)) ?? null,
  };
}

function providerOf(
  owner: OwnerData,
  { label, kind, scope, writers, blockId }: BlockDefinition,
  sessionId: string | null,
): AnyContextProvider {
  if (label === "knowledge") return owner.knowledge as SearchProvider;
  if (label === "skills") return owner.skills as SkillProvider;
  const source = sourceBlockOf(owner, label)?.source;
  // Without `set`, whatever the source can do: what is kept elsewhere is written there.
  if (source) return { get: () => source.get(), load: (key: string) => source.load(key) };
  const ofSession = scope === "session" ? sessionId : null;
  // Without `set` a block is read-only for the model; the person writes the document itself.
  if (kind === "searchable") {
    const entries = owner.searchable(label, ofSession, { blockId });
    return writers === "person" ? onlySearched(entries) : (entries as SearchProvider);
  }
  const document =
    ofSession === null
      ? owner.block(label, { blockId })
      : owner.sessionBlock(label, ofSession, { blockId });
  return writers === "person"
    ? readOnly(document, label === "soul" ? defaultInstructions : "")
    : document;
}

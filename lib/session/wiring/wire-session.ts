import { Compactor } from "@/lib/session/compaction/compactor";
import type { ContextOptions, RegisteredBlock } from "@/lib/session/context/context-block";
import { ContextBlocks } from "@/lib/session/context/context-blocks";
import { FrozenPrompt } from "@/lib/session/context/frozen-prompt";
import type { AnyContextProvider } from "@/lib/session/context-provider";
import {
  asEmittingStore,
  type Emit,
  emitting,
  emittingBlock,
  emittingPrompt,
  isEmitting,
  messageEvents,
  providerEvents,
} from "@/lib/session/emitting";
import type { SessionEvents } from "@/lib/session/events";
import { InMemoryDocument } from "@/lib/session/in-memory/in-memory-document";
import { InMemoryProposals } from "@/lib/session/in-memory/in-memory-proposals";
import type { SessionMessage } from "@/lib/session/message";
import { enforceRowSizeLimit } from "@/lib/session/micro-compaction/enforce-row-size-limit";
import type { ProposalStore } from "@/lib/session/proposals";
import type { SessionProvider } from "@/lib/session/session-provider";
import { isSessionStore, type SessionStore } from "@/lib/session/session-store";
import { SaveTracker } from "./save-tracker";
import type { SessionSettings } from "./session-builder";

/** Storage of messages alone, or a store that creates every provider. */
export type SessionSource = SessionProvider | SessionStore;

export interface SessionParts {
  readonly id: string;
  /** `null` when only the messages are stored. */
  readonly store: SessionStore | null;
  readonly events: SessionEvents;
  readonly saves: SaveTracker;
  readonly provider: SessionProvider;
  readonly blocks: ContextBlocks;
  readonly prompt: FrozenPrompt;
  readonly compactor: Compactor;
  readonly proposals: ProposalStore;
  /** Awaited before every write: registers the session with its store the first time. */
  prepare(): Promise<void>;
  /** Shrinks a message that exceeds the session's limit. */
  fitted(message: SessionMessage): SessionMessage;
  register(label: string, options: ContextOptions): RegisteredBlock;
}

export interface WiringOptions {
  readonly id: string;
  readonly settings: SessionSettings;
  /** Creates the session in the store before the first write. */
  readonly createsSession: boolean;
}

/** Assembles a session without reading or writing. */
export function wireSession(
  source: SessionSource,
  { id, settings, createsSession }: WiringOptions,
): SessionParts {
  const store = isSessionStore(source) ? asEmittingStore(source) : null;
  const events = isSessionStore(source) ? asEmittingStore(source).events : providerEvents(source);
  const saves = new SaveTracker((messageIds) =>
    events.emit({ type: "save", sessionId: id, messageIds }),
  );
  const note: Emit = (event) => saves.note(event);
  const emit: Emit = (event) => {
    events.emit(event);
    saves.note(event);
  };
  const provider = isSessionStore(source)
    ? emitting(asEmittingStore(source).messages(id), messageEvents(id), note)
    : emitting(source, messageEvents(id), emit);
  const prepare = once(async () => {
    if (createsSession) await store?.sessions.create("New session", { id });
  });
  const blocks = new ContextBlocks({
    deadlineMs: settings.providerDeadlineMs,
    beforeWrite: prepare,
  });
  const register = (label: string, options: ContextOptions): RegisteredBlock => {
    const blockId = options.blockId ?? label;
    const given =
      forSession(options.provider, id) ??
      defaultProvider(store, { id, label, scope: options.scope });
    const block = { blockId, label, sessionId: id };
    return {
      id: blockId,
      label,
      description: options.description,
      maxTokens: options.maxTokens,
      writers: options.writers,
      initial: options.initial,
      provider: emittingBlock(given, block, isEmitting(given) ? note : emit),
    };
  };
  for (const { label, ...options } of settings.context) blocks.add(register(label, options));
  const prompt = new FrozenPrompt({
    blocks,
    cache: promptCache(store, { id, settings, emit }),
    beforeWrite: prepare,
  });
  const { compactFunction, threshold, autoCompaction, onCompactionError: onError } = settings;
  const compaction = { compactFunction, threshold, ...autoCompaction, onError };
  const compactor = new Compactor({
    ...compaction,
    sessionId: id,
    provider,
    source: store ?? source,
    prompt,
    saves,
  });
  const fitted = (message: SessionMessage) =>
    settings.rowSize ? enforceRowSizeLimit(message, settings.rowSize) : message;
  // Without a store they last as long as the process, like its blocks.
  const proposals = store?.proposals ?? new InMemoryProposals(() => true);
  return {
    id,
    store,
    events,
    saves,
    provider,
    blocks,
    prompt,
    compactor,
    proposals,
    prepare,
    fitted,
    register,
  };
}

/** Without a store a block lasts as long as the process. */
function defaultProvider(
  store: SessionStore | null,
  { id, label, scope = "session" }: { id: string; label: string; scope?: ContextOptions["scope"] },
): AnyContextProvider {
  return (
    store?.block({ label, sessionId: scope === "owner" ? null : id }) ?? new InMemoryDocument(label)
  );
}

function promptCache(
  store: SessionStore | null,
  { id, settings, emit }: { id: string; settings: SessionSettings; emit: Emit },
) {
  if (!settings.cachesPrompt) return undefined;
  const given = forSession(settings.promptCache, id);
  return given ? emittingPrompt(given, id, emit) : store?.promptCache(id);
}

/**
 * A provider given as a function is created per session; one given directly is shared by all sessions of a manager.
 */
function forSession<Provider extends object>(
  provider: Provider | ((sessionId: string) => Provider) | undefined,
  id: string,
): Provider | undefined {
  return typeof provider === "function" ? provider(id) : provider;
}

/** Runs a task once; after a failure the next caller retries. */
function once(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= task().catch((error: unknown) => {
      running = null;
      throw error;
    });
    return running;
  };
}

import { Compactor } from "@/lib/session/compaction/compactor";
import type { ContextOptions, RegisteredBlock } from "@/lib/session/context/context-block";
import { ContextBlocks } from "@/lib/session/context/context-blocks";
import { FrozenPrompt } from "@/lib/session/context/frozen-prompt";
import type { AnyContextProvider } from "@/lib/session/context-provider";
import { InMemoryDocument } from "@/lib/session/in-memory/in-memory-document";
import { InMemoryProposals } from "@/lib/session/in-memory/in-memory-proposals";
import type { SessionMessage } from "@/lib/session/message";
import { enforceRowSizeLimit } from "@/lib/session/micro-compaction/enforce-row-size-limit";
import type { ProposalStore } from "@/lib/session/proposals";
import type { SessionProvider } from "@/lib/session/session-provider";
import { isSessionStore, type SessionStore } from "@/lib/session/session-store";
import type { SessionSettings } from "./session-builder";
import { SessionVoice } from "./session-voice";

/** Storage of messages alone, or a store that creates every provider. */
export type SessionSource = SessionProvider | SessionStore;

export interface SessionParts {
  readonly id: string;
  readonly source: SessionSource;
  readonly provider: SessionProvider;
  readonly blocks: ContextBlocks;
  readonly prompt: FrozenPrompt;
  readonly compactor: Compactor;
  readonly voice: SessionVoice;
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
  const store = isSessionStore(source) ? source : null;
  const provider = isSessionStore(source) ? source.messages(id) : source;
  const prepare = once(async () => {
    if (createsSession) await store?.sessions.create("New session", { id });
  });
  const voice = new SessionVoice({
    sessionId: id,
    source,
    onListenerError: settings.onListenerError,
  });
  const blocks = new ContextBlocks({
    deadlineMs: settings.providerDeadlineMs,
    onWrite: ({ provenance, ...write }) => {
      voice.emit("block-write", { ...write, author: provenance?.author });
      voice.note();
    },
    beforeWrite: prepare,
  });
  const register = (label: string, options: ContextOptions): RegisteredBlock => ({
    id: options.blockId ?? label,
    label,
    description: options.description,
    maxTokens: options.maxTokens,
    writers: options.writers,
    initial: options.initial,
    provider:
      forSession(options.provider, id) ??
      defaultProvider(store, { id, label, scope: options.scope }),
  });
  for (const { label, ...options } of settings.context) blocks.add(register(label, options));
  const prompt = new FrozenPrompt({
    blocks,
    cache: promptCache(store, id, settings),
    beforeWrite: prepare,
  });
  const { compactFunction, threshold, autoCompaction, onCompactionError: onError } = settings;
  const compaction = { compactFunction, threshold, ...autoCompaction, onError };
  const compactor = new Compactor({
    ...compaction,
    sessionId: id,
    provider,
    source,
    prompt,
    voice,
  });
  const fitted = (message: SessionMessage) =>
    settings.rowSize ? enforceRowSizeLimit(message, settings.rowSize) : message;
  // Without a store they last as long as the process, like its blocks.
  const proposals = store?.proposals ?? new InMemoryProposals(() => true);
  return {
    id,
    source,
    provider,
    blocks,
    prompt,
    compactor,
    proposals,
    voice,
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
  return store?.block({ label, scope, sessionId: id }) ?? new InMemoryDocument(label);
}

function promptCache(store: SessionStore | null, id: string, settings: SessionSettings) {
  if (!settings.cachesPrompt) return undefined;
  return forSession(settings.promptCache, id) ?? store?.promptCache(id);
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

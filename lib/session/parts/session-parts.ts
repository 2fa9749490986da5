import { Compactor } from "../compaction/compactor";
import { ContextBlocks } from "../context/context-blocks";
import { FrozenPrompt } from "../context/prompt";
import { SessionContext } from "../context/session-context";
import { SessionProposals } from "../context/session-proposals";
import type { WritableContextProvider } from "../context-provider";
import { emittingPrompt } from "../emitting";
import { InvalidArgumentError } from "../errors";
import type { SessionSettings } from "../session-builder";
import { type SessionSource, SessionStorage, type SessionStorageOptions } from "../session-storage";
import { SessionMemoryView } from "./session-memory-view";
import { SessionMessages } from "./session-messages";
import { SessionTreeView } from "./session-tree-view";

export interface SessionParts {
  readonly storage: SessionStorage;
  readonly messages: SessionMessages;
  readonly compactor: Compactor;
  readonly blocks: ContextBlocks;
  readonly context: SessionContext;
  readonly prompt: FrozenPrompt;
  readonly proposals: SessionProposals;
  readonly tree: SessionTreeView;
  readonly memory: SessionMemoryView;
}

export function sessionParts(
  source: SessionSource,
  { settings, ...address }: SessionStorageOptions & { readonly settings: SessionSettings },
): SessionParts {
  const { refusesArchived } = settings;
  const storage = new SessionStorage(source, { ...address, refusesArchived });
  const { prepare: beforeWrite } = storage;
  const blocks = new ContextBlocks({ deadlineMs: settings.providerDeadlineMs, beforeWrite });
  const context = new SessionContext(storage, blocks);
  for (const { label, ...options } of settings.context) context.add(label, options);
  const prompt = new FrozenPrompt({ blocks, cache: promptCache(storage, settings), beforeWrite });
  const compactor = new Compactor({ storage, prompt, blocks }, settings);
  const messages = new SessionMessages({ storage, prompt, compactor, blocks, settings });
  const proposals = new SessionProposals(storage, blocks);
  const parts = { storage, messages, compactor, blocks, context, prompt, proposals };
  return { ...parts, tree: new SessionTreeView(parts), memory: new SessionMemoryView(parts) };
}

function promptCache(
  { id, store, emit }: SessionStorage,
  { cachesPrompt, promptCache: given }: SessionSettings,
): WritableContextProvider | undefined {
  if (!cachesPrompt) return undefined;
  const cache = typeof given === "function" ? given(id) : given;
  if (cache) assertUnshared(cache, id);
  return cache ? emittingPrompt(cache, id, emit) : store?.promptCache(id);
}

const sessionsByCache = new WeakMap<WritableContextProvider, string>();

/** A shared cache would put the memory of one session into the prompt of another. */
function assertUnshared(cache: WritableContextProvider, sessionId: string): void {
  const user = sessionsByCache.get(cache) ?? sessionId;
  sessionsByCache.set(cache, user);
  if (user !== sessionId) {
    throw new InvalidArgumentError(
      `Session "${sessionId}" needs a prompt cache of its own; this one belongs to "${user}".`,
    );
  }
}

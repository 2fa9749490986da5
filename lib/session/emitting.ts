import {
  type BlockRef,
  type BlockStore,
  blockName,
  type LoadableEntries,
  type SearchableEntries,
} from "./block-store";
import type {
  AnyContextProvider,
  EntryProvider,
  FrozenPromptProvider,
  SearchProvider,
  SkillProvider,
  VersionedContextProvider,
  WritableContextProvider,
  WriteOptions,
} from "./context-provider";
import { isKeyedProvider } from "./context-provider";
import { NotSupportedError } from "./errors";
import { type NewSessionEvent, SessionEvents } from "./events";
import type { AppendResult, SessionMessage } from "./message";
import type { ProposalStore } from "./proposals";
import type { SessionProvider, SessionTreeProvider } from "./session-provider";
import type { MessagesOptions, SessionRegistry, SessionStore } from "./session-store";
import { skillEvents } from "./skill-events";

export type Method = (...args: never) => unknown;

export type MethodName<Port> = {
  [Name in keyof Port]-?: NonNullable<Port[Name]> extends Method ? Name : never;
}[Exclude<keyof Port, "init">];

/** Per method of a port, `"read"` or the events of a successful call. `init` runs before every use. */
export type EventTable<Port> = {
  readonly [Name in MethodName<Port>]: NonNullable<Port[Name]> extends (
    ...args: infer Args
  ) => infer Result
    ? "read" | ((result: Awaited<Result>, ...args: Args) => readonly NewSessionEvent[])
    : never;
};

export type Emit = (event: NewSessionEvent) => void;

const emitters = new WeakSet<object>();

export function isEmitting(port: object): boolean {
  return emitters.has(port);
}

/** Members without an entry emit nothing. */
export function emitting<Port extends object>(
  port: Port,
  table: EventTable<never> | object,
  emit: Emit,
): Port {
  const lines = new Map<string | symbol, unknown>(Object.entries(table));
  const decorated = new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      const eventsOf = lines.get(name);
      if (typeof eventsOf !== "function") return member.bind(target);
      return async (...args: unknown[]) => {
        const result: unknown = await member.apply(target, args);
        for (const event of eventsOf(result, ...args) as NewSessionEvent[]) emit(event);
        return result;
      };
    },
  });
  emitters.add(decorated);
  return decorated;
}

/** Makes every write to blocks emit. */
export function emittingBlocks(blocks: BlockStore, emit: Emit): BlockStore {
  const store = emitting(blocks, blockStoreEvents, emit);
  const entryTable = (ref: BlockRef) => editableEntryEvents(eventBlock(ref));
  return {
    list: (sessionId) => store.list(sessionId),
    ensure: (wanted) => store.ensure(wanted),
    create: (block) => store.create(block),
    change: (block, changes) => store.change(block, changes),
    delete: (block, deletionId) => store.delete(block, deletionId),
    restore: (block, deletionId) => store.restore(block, deletionId),
    labels: (sessionId, ids) => store.labels(sessionId, ids),
    text: (ref) => emittingBlock(blocks.text(ref), eventBlock(ref), emit),
    searchable: (ref) => emitting(blocks.searchable(ref), entryTable(ref), emit),
    loadable: (ref) => emitting(blocks.loadable(ref), entryTable(ref), emit),
    writesOf: (sessionId, messageId) => store.writesOf(sessionId, messageId),
  };
}

export interface EmittingStore<Store extends SessionStore = SessionStore> extends SessionStore {
  readonly events: SessionEvents;
  readonly sessions: Store["sessions"];
  readonly proposals: Store["proposals"];
  messages(sessionId: string, options?: MessagesOptions): ReturnType<Store["messages"]>;
  block(ref: BlockRef): ReturnType<Store["block"]>;
  promptCache(sessionId: string): ReturnType<Store["promptCache"]>;
}

/** Makes every write of a store emit. */
export function emittingStore<Store extends SessionStore>(
  store: Store,
  events: SessionEvents = new SessionEvents(store.ownerId),
): EmittingStore<Store> {
  const emit: Emit = (event) => events.emit(event);
  const writing = emitting(store, storeEvents, emit);
  const namespaces = new Map<string, SessionStore>();
  return {
    ownerId: store.ownerId,
    events,
    sessions: emitting(store.sessions, registryEvents, emit),
    proposals: emitting(store.proposals, proposalEvents, emit),
    messages: (sessionId, options) => {
      const messages = store.messages(sessionId, options) as ReturnType<Store["messages"]>;
      return emitting(messages, messageEvents(sessionId), emit);
    },
    block: (ref) => {
      const block = store.block(ref) as ReturnType<Store["block"]>;
      return emittingBlock(block, eventBlock(ref), emit);
    },
    writeBlocks: (writes) => writing.writeBlocks(writes),
    ...(store.namespace && {
      namespace: (name: string) => {
        const namespace = namespaces.get(name) ?? emittingStore(requireNamespace(store, name));
        namespaces.set(name, namespace);
        return namespace;
      },
    }),
    promptCache: (sessionId) => {
      const cache = store.promptCache(sessionId) as ReturnType<Store["promptCache"]>;
      return emittingPrompt(cache, sessionId, emit);
    },
  };
}

function requireNamespace(store: SessionStore, name: string): SessionStore {
  if (!store.namespace) throw new NotSupportedError("namespaces");
  return store.namespace(name);
}

const storesBySource = new WeakMap<SessionStore, EmittingStore>();
const eventsBySource = new WeakMap<SessionProvider, SessionEvents>();

/** The store itself when it emits, otherwise the same emitting store each time. */
export function asEmittingStore(store: SessionStore): SessionStore & Pick<EmittingStore, "events"> {
  const { events } = store;
  if (events) return store as SessionStore & Pick<EmittingStore, "events">;
  const made = storesBySource.get(store) ?? emittingStore(store);
  storesBySource.set(store, made);
  return made;
}

export function providerEvents(provider: SessionProvider): SessionEvents {
  const events = eventsBySource.get(provider) ?? new SessionEvents();
  eventsBySource.set(provider, events);
  return events;
}

function eventBlock(ref: BlockRef): EmittingBlockOptions {
  const blockId = blockName(ref);
  return { blockId, label: ref.label ?? blockId, sessionId: ref.sessionId };
}

interface EmittingBlockOptions {
  readonly blockId: string;
  readonly label: string;
  readonly sessionId: string | null;
}

export function emittingBlock<Provider extends AnyContextProvider>(
  provider: Provider,
  block: EmittingBlockOptions,
  emit: Emit,
): Provider {
  return emitting(
    provider,
    isKeyedProvider(provider) ? entryEvents(block) : blockEvents(block),
    emit,
  );
}

export function emittingPrompt<Provider extends WritableContextProvider>(
  provider: Provider,
  sessionId: string,
  emit: Emit,
): Provider {
  return emitting(provider, promptEvents(sessionId), emit);
}

export const storeEvents = {
  writeBlocks: (_, writes) =>
    writes.map(({ block, provenance }) => ({
      type: "block-write",
      ...eventBlock(block),
      action: "replace",
      author: provenance?.author,
    })),
} satisfies EventTable<Pick<SessionStore, "writeBlocks">>;

export const registryEvents = {
  create: ({ id, changed }) =>
    changed ? [{ type: "session", sessionId: id, action: "create" }] : [],
  get: "read",
  list: "read",
  update: ({ id }) => [{ type: "session", sessionId: id, action: "update" }],
  delete: (deleted, sessionId) =>
    deleted ? [{ type: "session", sessionId, action: "delete" }] : [],
  purge: (purged) => purged.map((sessionId) => ({ type: "session", sessionId, action: "delete" })),
  restore: ({ id, changed }) =>
    changed ? [{ type: "session", sessionId: id, action: "restore" }] : [],
  expire: (expired) =>
    expired.map((sessionId) => ({ type: "session", sessionId, action: "delete" })),
  fork: ({ id, changed }) => (changed ? [{ type: "session", sessionId: id, action: "fork" }] : []),
  forks: "read",
  export: "read",
  import: ({ id }) => [{ type: "session", sessionId: id, action: "create" }],
  addUsage: (_, sessionId, { inputTokens, outputTokens, cost }) => [
    { type: "usage", sessionId, inputTokens, outputTokens, cost },
  ],
  search: "read",
  searchSessions: "read",
} satisfies EventTable<SessionRegistry>;

export const proposalEvents = {
  add: ({ id, sessionId }) => [{ type: "proposal", sessionId, proposalId: id, action: "add" }],
  get: "read",
  list: "read",
  accept: ({ id, sessionId }) => [
    { type: "proposal", sessionId, proposalId: id, action: "accept" },
  ],
  decline: ({ id, sessionId }) => [
    { type: "proposal", sessionId, proposalId: id, action: "decline" },
  ],
} satisfies EventTable<ProposalStore>;

/** A method of the documented core may return nothing. */
type MessagePort = SessionProvider & Omit<SessionTreeProvider, keyof SessionProvider>;

export const messageEvents = (sessionId: string) =>
  ({
    getMessage: "read",
    getHistory: "read",
    getLatestLeaf: "read",
    getBranches: "read",
    getPathLength: "read",
    appendMessage: (result, message, parent = null) =>
      appendEvents(sessionId, [{ ...(result ?? { inserted: true, parentId: parent }), message }]),
    appendMessages: (results) => appendEvents(sessionId, results),
    updateMessage: (isChanged, { id }) =>
      isChanged === false ? [] : [{ type: "update", sessionId, messageId: id }],
    deleteMessages: (deletion, ids) => {
      const { deletionId, messageIds } = deletion ?? { deletionId: "", messageIds: ids };
      const isRepeated = deletion && "changed" in deletion && deletion.changed === false;
      return messageIds.length > 0 && !isRepeated
        ? [{ type: "delete", sessionId, deletionId, messageIds }]
        : [];
    },
    restoreMessages: (isChanged, deletionId) =>
      isChanged ? [{ type: "restore", sessionId, deletionId }] : [],
    clearMessages: () => [{ type: "delete", sessionId, deletionId: null, messageIds: [] }],
    setActiveLeaf: (_, messageId) => [{ type: "activate", sessionId, messageId }],
    stepBack: ({ passed, leafId }) =>
      passed.length > 0 ? [{ type: "activate", sessionId, messageId: leafId }] : [],
    continueAfter: (appended, messageId) =>
      appended?.length === 0
        ? [{ type: "activate", sessionId, messageId }]
        : appendEvents(sessionId, appended ?? []),
    follow: ({ appended, leafId, changed }) =>
      changed && appended.length === 0
        ? [{ type: "activate", sessionId, messageId: leafId }]
        : appendEvents(sessionId, appended),
    getLeafUnder: "read",
    getSiblings: "read",
    getRoots: "read",
    getLeaves: "read",
    getTree: "read",
    getWindow: "read",
    getRecentHistory: "read",
    iterateHistory: "read",
    getHistoryRowStats: "read",
    setPinned: (_, messageId, pinned) => [{ type: "pin", sessionId, messageId, pinned }],
    setLabel: (_, messageId) => [{ type: "label", sessionId, messageId }],
    addCompaction: ({ id }) => [{ type: "compact", sessionId, compactionId: id, action: "add" }],
    replaceCompaction: ({ id }, replaced) => [
      { type: "compact", sessionId, compactionId: replaced, action: "remove" },
      { type: "compact", sessionId, compactionId: id, action: "add" },
    ],
    getCompactions: "read",
    removeCompaction: (_, id) => [
      { type: "compact", sessionId, compactionId: id, action: "remove" },
    ],
    restoreCompaction: (_, id) => [
      { type: "compact", sessionId, compactionId: id, action: "restore" },
    ],
    updateCompaction: (_, id) => [
      { type: "compact", sessionId, compactionId: id, action: "update" },
    ],
    searchMessages: "read",
    getLoadedSkills: "read",
    recordSkillEvent: (_, { label, key }, action) => [
      { type: "skill", sessionId, label, key, action },
    ],
  }) satisfies EventTable<MessagePort>;

interface Appended extends Pick<AppendResult, "inserted" | "parentId"> {
  readonly message: SessionMessage;
}

function appendEvents(
  sessionId: string,
  results: readonly Appended[],
): NewSessionEvent<"append" | "skill">[] {
  return results
    .filter(({ inserted }) => inserted)
    .flatMap(({ message, parentId }) => {
      const { id: messageId, role } = message;
      const skills = skillEvents(message).map((skill) => {
        return { type: "skill", sessionId, ...skill } as const;
      });
      return [{ type: "append", sessionId, messageId, parentId, role } as const, ...skills];
    });
}

function entryWrites(
  block: EmittingBlockOptions,
  write: { readonly key?: string; readonly action: "replace" | "remove" },
  options?: WriteOptions,
): NewSessionEvent<"block-write">[] {
  return [{ type: "block-write", ...block, ...write, author: options?.provenance?.author }];
}

export const blockEvents = (block: EmittingBlockOptions) =>
  ({
    get: "read",
    set: (_, _content, { action = "replace", provenance } = {}) => [
      { type: "block-write", ...block, action, author: provenance?.author },
    ],
    read: "read",
    versions: "read",
  }) satisfies EventTable<VersionedContextProvider>;

export const entryEvents = (block: EmittingBlockOptions) =>
  ({
    get: "read",
    load: "read",
    search: "read",
    searchEntries: "read",
    set: (_, key, _content, _description, options) =>
      entryWrites(block, { key, action: "replace" }, options),
    entries: "read",
    entry: "read",
    remove: (removed, key, options) =>
      removed ? entryWrites(block, { key, action: "remove" }, options) : [],
    entryVersions: "read",
  }) satisfies EventTable<SkillProvider & Omit<SearchProvider, "set"> & EntryProvider>;

const editableEntryEvents = (block: EmittingBlockOptions) =>
  ({
    ...entryEvents(block),
    count: "read",
    find: "read",
    restoreDeleted: (outcome, _deletionId, options) =>
      outcome === "restored" ? entryWrites(block, { action: "replace" }, options) : [],
    delete: (deleted, key, options) =>
      deleted ? entryWrites(block, { key, action: "remove" }, options) : [],
    write: (_, key, _entry, options) => entryWrites(block, { key, action: "replace" }, options),
  }) satisfies EventTable<SearchableEntries & Pick<LoadableEntries, "load">>;

/** The events of each method of a `BlockStore`. */
export const blockStoreEvents = {
  list: "read",
  ensure: "read",
  create: ({ id, sessionId }) => [{ type: "block", sessionId, blockId: id, action: "create" }],
  change: ({ id, sessionId }) => [{ type: "block", sessionId, blockId: id, action: "update" }],
  delete: (deleted, { id, sessionId }) =>
    deleted ? [{ type: "block", sessionId, blockId: id, action: "delete" }] : [],
  restore: ({ id, sessionId }) => [{ type: "block", sessionId, blockId: id, action: "restore" }],
  labels: "read",
  text: "read",
  searchable: "read",
  loadable: "read",
  writesOf: "read",
} satisfies EventTable<BlockStore>;

export const promptEvents = (sessionId: string) =>
  ({
    get: "read",
    set: () => [{ type: "prompt", sessionId }],
    readFrozen: "read",
    setFrozen: () => [{ type: "prompt", sessionId }],
  }) satisfies EventTable<FrozenPromptProvider>;

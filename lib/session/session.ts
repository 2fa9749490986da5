import { type Answer, answerMessage } from "./answer-message";
import type { AbortOptions, CompactOptions } from "./compaction/create-compact-function";
import type { ContextDefinition, ContextOptions } from "./context/context-block";
import type { ContextBlock, WriteOptions } from "./context-provider";
import { InvalidArgumentError } from "./errors";
import type { SessionEventType, SessionListener, Usage } from "./events";
import type {
  AppendOptions,
  AppendResult,
  FollowOptions,
  FollowResult,
  HistoryMessage,
  ListedMessage,
  NewMessage,
  StoredMessage,
  UpdateOptions,
} from "./message";
import type { SessionMemoryView } from "./parts/session-memory-view";
import type {
  LatestOptions,
  MeasuredHistory,
  ModelHistoryOptions,
  PoppedMessage,
} from "./parts/session-messages";
import { type SessionParts, sessionParts } from "./parts/session-parts";
import type { SessionTreeView } from "./parts/session-tree-view";
import type { SearchHit, SearchOptions } from "./search/search-hits";
import { SessionBuilder } from "./session-builder";
import type {
  Compaction,
  CompactionMetadata,
  DeleteMessagesOptions,
  Deletion,
} from "./session-provider";
import { assertSource, type SessionSource, type SessionStorage } from "./session-storage";
import { sessionTools, type ToolsOptions } from "./tools/context-tools";
import type { ContextTools, ToolsMadeBy } from "./tools/made-tools";

/** The parent of a message as Cloudflare's newer API names it. */
export interface ParentOptions extends AppendOptions {
  /** `null` starts a new root, omitted continues the active leaf. */
  readonly parentId?: string | null | undefined;
}

/** The leaf of a path as Cloudflare's newer API names it. */
export interface HistoryOptions {
  /** Default: the active leaf. */
  readonly leafId?: string | undefined;
}

export interface AnswerOptions extends ParentOptions {
  /** Default: that of a `UIMessage`, or one of the result's own. */
  readonly id?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface SessionOptions {
  readonly context?: readonly ContextDefinition[] | undefined;
  readonly sessionId?: string | undefined;
  /** `false`: an unknown session is an error instead of being created at the first write. */
  readonly createsSession?: boolean | undefined;
}

/**
 * One conversation tree with its memory, prompt, tools and compaction. Nothing is read or written before the first use.
 * Where the storage does not keep the whole tree, `tree` and undo throw `NotSupportedError`.
 */
export class Session extends SessionBuilder {
  readonly #source: SessionSource;
  #address: { readonly id: string; readonly createsSession: boolean };
  #assembled: SessionParts | null = null;

  constructor(
    source: SessionSource,
    { sessionId = "default", createsSession = true, context = [] }: SessionOptions = {},
  ) {
    super();
    assertSource(source);
    this.#source = source;
    this.#address = { id: sessionId, createsSession };
    this.settings.context.push(...context);
  }

  /** `source` stores messages, or also creates blocks and the prompt cache. */
  static create(source: SessionSource): Session {
    return new Session(source);
  }

  forSession(sessionId: string): this {
    this.assertConfigurable();
    this.#address = { ...this.#address, id: sessionId };
    return this;
  }

  /** Unique within its store; `"default"` without `forSession`. */
  get id(): string {
    return this.#address.id;
  }

  /** Branches, the active leaf, pins, labels and the order of summaries. */
  get tree(): SessionTreeView {
    return this.#parts.tree;
  }

  /** Entries, versions and proposals of blocks, and loaded skills. */
  get memory(): SessionMemoryView {
    return this.#parts.memory;
  }

  get #parts(): SessionParts {
    this.#assembled ??= sessionParts(this.#source, { ...this.#address, settings: this.settings });
    return this.#assembled;
  }

  get #storage(): SessionStorage {
    return this.#parts.storage;
  }

  protected assertConfigurable(): void {
    if (this.#assembled) throw new InvalidArgumentError("Set a session up before its first use.");
  }

  /** Listens across processes where the store's events do. */
  on<Type extends SessionEventType>(type: Type, listener: SessionListener<Type>): () => void {
    const options = { sessionId: this.id, onError: this.settings.onListenerError };
    return this.#storage.events.on(type, listener, options);
  }

  /**
   * Adds `message` as a child of `parentId`; `null` starts a new root, omitted continues the active leaf.
   * Appending the same `message.id` again leaves the first copy untouched, so a retried request cannot fork the
   * conversation. May compact afterwards, which does not fail the append.
   *
   * @throws {MessageNotFoundError} when `parentId` is not in this session.
   * @throws {MessageConflictError} when the id exists with another body.
   */
  async appendMessage(
    message: NewMessage,
    parent?: string | null | ParentOptions,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    if (typeof parent !== "object" || parent === null)
      return this.#parts.messages.append(message, parent, options);
    const { parentId, ...others } = parent;
    return this.#parts.messages.append(message, parentId, { ...others, ...options });
  }

  /**
   * Appends what a model answered as one message, with its calls and their results, reasoning, model and tokens; waits
   * until a stream has ended. The same result again, or the same `id`, changes nothing.
   *
   * @throws as `appendMessage` does. @throws {InvalidArgumentError} for anything that is no answer.
   */
  async appendAnswer(
    answer: Answer,
    { id, parentId, metadata, ...options }: AnswerOptions = {},
  ): Promise<StoredMessage> {
    const message = await answerMessage(answer, { id, metadata });
    return (await this.appendMessage(message, parentId, options)).message;
  }

  /**
   * Appends a chain in one step or not at all, the first under `parentId` (omitted: the active leaf).
   *
   * @throws as `appendMessage` does. @throws {InvalidArgumentError} for an id given twice.
   */
  async appendMessages(
    messages: readonly NewMessage[],
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult[]> {
    return this.#parts.messages.appendAll(messages, parentId, options);
  }

  /** Replaces a message's parts; its place and time stay. @throws {MessageNotFoundError} */
  async updateMessage(message: NewMessage, options?: UpdateOptions): Promise<void> {
    return this.#parts.messages.update(message, options);
  }

  /** Returns true when the message was appended, false when the one with its id was updated. */
  async upsertMessage(
    message: NewMessage,
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<boolean> {
    return this.#parts.messages.upsert(message, parentId, options);
  }

  /**
   * Removes messages from every path; their children move up. A repeated `deletionId` deletes nothing again; an empty
   * one in the result cannot be undone. @throws {DeletionConflictError} when it deleted other messages.
   */
  async deleteMessages(
    messageIds: readonly string[],
    options?: DeleteMessagesOptions,
  ): Promise<Deletion> {
    return this.#parts.messages.delete(messageIds, options);
  }

  /** Removes the active leaf, so that the session continues from its parent. `null` in an empty session. */
  async deleteLatestMessage(): Promise<PoppedMessage | null> {
    return this.#parts.messages.pop();
  }

  /** Removes all but the newest `count` messages from a path. Can be undone; to summarize them, compact. */
  async keepLatestMessages(count: number, leafId?: string): Promise<Deletion> {
    return this.#parts.messages.keepLatest(count, leafId);
  }

  /** A repeated call changes nothing. @throws {DeletionNotFoundError} */
  async restoreMessages(deletionId: string): Promise<void> {
    return this.#parts.messages.restore(deletionId);
  }

  /** Removes messages, summaries and loaded skills, and renders the prompt again. */
  async clearMessages(): Promise<void> {
    return this.#parts.messages.clear();
  }

  /** `null` for an unknown or deleted message. */
  async getMessage(id: string): Promise<StoredMessage | null> {
    return this.#parts.messages.get(id);
  }

  /** Root to leaf, with summaries in place of what they cover; `[]` for an unknown id. */
  async getHistory(leaf?: string | HistoryOptions): Promise<HistoryMessage[]> {
    const leafId = typeof leaf === "object" && leaf !== null ? leaf.leafId : leaf;
    return this.#parts.messages.history(leafId);
  }

  /** Oldest first, ignoring summaries. Zero or less gives none. */
  async getLatestMessages(count: number, options?: LatestOptions): Promise<StoredMessage[]> {
    return this.#parts.messages.latest(count, options);
  }

  /** The newest part of the history that fits, and the number of omitted messages; all of a bare `SessionProvider`. */
  async getRecentHistory(maxBytes: number, minRecentMessages?: number): Promise<MeasuredHistory> {
    return this.#parts.messages.recent(maxBytes, minRecentMessages);
  }

  /** The active leaf; `null` in an empty session. */
  async getLatestLeaf(): Promise<StoredMessage | null> {
    return this.#parts.messages.latestLeaf();
  }

  /** Ignores summaries. */
  async getPathLength(leafId?: string): Promise<number> {
    return this.#storage.provider.getPathLength(leafId);
  }

  /** Best first; `[]` for a blank query. */
  async search(query: string, options?: SearchOptions): Promise<SearchHit[]> {
    return this.#parts.messages.search(query, options);
  }

  /** The messages after one, oldest first; `[]` for an unknown id. */
  async getBranches(messageId: string): Promise<StoredMessage[]> {
    return this.#parts.messages.children(messageId);
  }

  /**
   * Makes the active path read as a list of messages, for agents that save their whole conversation. Removes nothing,
   * and writes nothing when the path already ends as the list. @throws {SessionArchivedError}
   */
  async follow(
    messages: readonly ListedMessage[],
    options: FollowOptions = {},
  ): Promise<FollowResult> {
    return this.#parts.messages.follow(messages, options);
  }

  /** @throws {MessageNotFoundError} @throws {CompactionRangeError} */
  async addCompaction(
    summary: string,
    fromId: string,
    toId: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    return this.#storage.addCompaction(summary, { fromId, toId }, metadata);
  }

  /** Oldest first, without removed ones. */
  async getCompactions(): Promise<Compaction[]> {
    return this.#storage.provider.getCompactions();
  }

  /** Summarizes the middle of the visible history, one call at a time. `null` when nothing was stored. */
  async compact(leafId?: string, options?: CompactOptions): Promise<Compaction | null> {
    return this.#parts.compactor.compact(leafId, options);
  }

  /** Compacts if the history exceeds its threshold. Never throws, even when aborted. */
  async compactIfNeeded(leafId?: string, options?: AbortOptions): Promise<Compaction | null> {
    return this.#parts.compactor.consider(leafId, options?.signal);
  }

  async compactionSettled(): Promise<void> {
    return this.#parts.compactor.settled();
  }

  /** Counts the visible history with the counter that triggers compaction. */
  async countTokens(leafId?: string): Promise<number> {
    return this.#parts.compactor.countTokens(leafId);
  }

  /** Adds a block to a running session. The frozen prompt stays. @throws {BlockExistsError} */
  async addContext(label: string, options: ContextOptions = {}): Promise<ContextBlock | null> {
    this.#parts.context.add(label, options);
    return this.getContextBlock(label);
  }

  /** Returns false for an unknown label. Content and frozen prompt are kept. */
  async removeContext(label: string): Promise<boolean> {
    return this.#parts.blocks.remove(label);
  }

  /** `null` for an unknown label. */
  async getContextBlock(label: string): Promise<ContextBlock | null> {
    return this.#parts.blocks.get(label);
  }

  /** In order; a block that cannot be read carries an `error`. */
  async getContextBlocks(): Promise<ContextBlock[]> {
    return this.#parts.blocks.getAll();
  }

  /** @throws {BlockNotFoundError} @throws {BlockReadonlyError} @throws {BlockTooLargeError} @throws {BlockConflictError} */
  async replaceContextBlock(
    label: string,
    content: string,
    options?: WriteOptions,
  ): Promise<ContextBlock> {
    return this.#parts.context.replace(label, content, options);
  }

  /** Appends text on its own line. @throws as `replaceContextBlock` does. */
  async appendContextBlock(
    label: string,
    text: string,
    options?: WriteOptions,
  ): Promise<ContextBlock> {
    return this.#parts.context.append(label, text, options);
  }

  /** Renders the system prompt the first time and keeps it until refreshed. */
  async freezeSystemPrompt(): Promise<string> {
    return this.#parts.prompt.freeze();
  }

  async refreshSystemPrompt(): Promise<string> {
    return this.#parts.prompt.refresh();
  }

  /** Tools for the blocks. They return failures as text or data and never throw. */
  async tools<Self extends Session>(
    this: Self,
    options?: ToolsOptions & { readonly allowWrites?: true | undefined },
  ): Promise<ToolsMadeBy<Self>>;
  async tools(options?: ToolsOptions): Promise<ContextTools>;
  async tools(options?: ToolsOptions): Promise<ContextTools> {
    return sessionTools(this.#parts, options);
  }

  /** The history in a form a model accepts. */
  async getModelHistory(leafId?: string, options?: ModelHistoryOptions): Promise<HistoryMessage[]> {
    return this.#parts.messages.modelHistory(leafId, options);
  }

  /** Adds to the session's totals, where a store keeps them. */
  async addUsage(usage: Usage): Promise<void> {
    return this.#storage.addUsage(usage);
  }
}

import type { AbortOptions, CompactOptions } from "./compaction/create-compact-function";
import type { ContextDefinition, ContextOptions } from "./context/context-block";
import type { EntryWrite } from "./context/context-blocks";
import type { BlockChange } from "./context/prompt";
import type { Consolidate, VersionsOptions } from "./context/session-context";
import type { AcceptOptions } from "./context/session-proposals";
import type {
  ContextBlock,
  ContextEntry,
  DocumentVersion,
  FrozenText,
  WriteOptions,
} from "./context-provider";
import { InvalidArgumentError } from "./errors";
import type { SessionEventType, SessionListener, Usage } from "./events";
import type {
  AppendOptions,
  AppendResult,
  ContinueOptions,
  FollowOptions,
  FollowResult,
  HistoryMessage,
  ListedMessage,
  NewMessage,
  SteppedBack,
  StoredMessage,
  UpdateOptions,
} from "./message";
import { type HistoryBatches, historyBatches } from "./parts/history-batches";
import type { LatestOptions, ModelHistoryOptions, PoppedMessage } from "./parts/session-messages";
import { type SessionParts, sessionParts } from "./parts/session-parts";
import type { ListProposalsOptions, Proposal } from "./proposals";
import type { SearchHit, SearchOptions } from "./search/search-hits";
import { SessionBuilder } from "./session-builder";
import type {
  Compaction,
  CompactionMetadata,
  DeleteMessagesOptions,
  Deletion,
  HistoryRowStat,
  LoadedSkill,
  RecentHistory,
  TranscriptWindow,
  TreeNode,
  WindowOptions,
} from "./session-provider";
import { assertSource, type SessionSource, type SessionStorage } from "./session-storage";
import { sessionTools, type ToolsOptions } from "./tools/context-tools";
import type { ContextTools, ToolsMadeBy } from "./tools/made-tools";

/** For constructing a session without a builder. */
export interface SessionOptions {
  readonly context?: readonly ContextDefinition[] | undefined;
  readonly sessionId?: string | undefined;
  /** `false`: an unknown session is an error instead of being created at the first write. */
  readonly createsSession?: boolean | undefined;
}

/**
 * One conversation tree with its memory: messages, context blocks, prompt, tools and compaction. Lazy: nothing is
 * read or written before the first use. Methods about branches, pins, labels and undo throw `NotSupportedError` where
 * the storage does not keep the whole tree.
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

  /** Within its store; `"default"` without `forSession`. */
  get id(): string {
    return this.#address.id;
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

  /** Listens to this session, across processes where the store's events do. @returns a function that unsubscribes. */
  on<Type extends SessionEventType>(type: Type, listener: SessionListener<Type>): () => void {
    const options = { sessionId: this.id, onError: this.settings.onListenerError };
    return this.#storage.events.on(type, listener, options);
  }

  /**
   * Adds `message` as a child of `parentId`; `null` starts a new root, omitted continues the active leaf.
   *
   * Appending the same `message.id` again leaves the first copy untouched, so a retried request cannot fork the
   * conversation. May compact the history afterwards; a failed compaction does not fail the append.
   *
   * @throws {MessageNotFoundError} when `parentId` is not in this session.
   * @throws {MessageConflictError} when the id exists with another body.
   */
  async appendMessage(
    message: NewMessage,
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    return this.#parts.messages.append(message, parentId, options);
  }

  /**
   * Appends a chain of messages in one step or not at all, the first under `parentId` (omitted: the active leaf).
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

  /** Appends a message, or updates the one with its id. Returns true when it was appended. */
  async upsertMessage(
    message: NewMessage,
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<boolean> {
    return this.#parts.messages.upsert(message, parentId, options);
  }

  /**
   * Removes messages from every path; their children move up. A repeated `deletionId` deletes nothing again. An empty
   * one in the result means that it cannot be undone. @throws {DeletionConflictError} when it deleted other messages.
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

  /** `deleteLatestMessage` under the name of other libraries. */
  async popMessage(): Promise<PoppedMessage | null> {
    return this.deleteLatestMessage();
  }

  /** Removes all but the newest `count` messages from a path. Can be undone; to replace them by a summary, compact. */
  async keepLatestMessages(count: number, leafId?: string): Promise<Deletion> {
    return this.#parts.messages.keepLatest(count, leafId);
  }

  /** Undoes a deletion; a repeated call changes nothing. @throws {DeletionNotFoundError} */
  async restoreMessages(deletionId: string): Promise<void> {
    return this.#parts.messages.restore(deletionId);
  }

  /** Removes messages, summaries and loaded skills, keeps the blocks, and renders the prompt again. */
  async clearMessages(): Promise<void> {
    return this.#parts.messages.clear();
  }

  /** `null` for an unknown or deleted message. */
  async getMessage(id: string): Promise<StoredMessage | null> {
    return this.#parts.messages.get(id);
  }

  /** Root to leaf (omitted: the active one) with summaries in place of what they cover; `[]` for an unknown id. */
  async getHistory(leafId?: string): Promise<HistoryMessage[]> {
    return this.#parts.messages.history(leafId);
  }

  /** The newest `count` stored messages of a path, oldest first, ignoring summaries. Zero or less gives none. */
  async getLatestMessages(count: number, options?: LatestOptions): Promise<StoredMessage[]> {
    return this.#parts.messages.latest(count, options);
  }

  /** The newest part of the history that fits, and the number of omitted messages. */
  async getRecentHistory(maxBytes: number, minRecentMessages?: number): Promise<RecentHistory> {
    return this.#storage.tree("recent history").getRecentHistory(maxBytes, minRecentMessages);
  }

  /** The history in batches, for very long ones. Rejects with the reason of an aborted signal. */
  async *iterateHistory(options?: HistoryBatches): AsyncIterable<StoredMessage[]> {
    yield* historyBatches(this.#storage.tree("iterating"), options);
  }

  /** Sizes of the stored messages of a path, root to leaf, ignoring summaries; reads no content. */
  async getHistoryRowStats(leafId?: string): Promise<HistoryRowStat[]> {
    return this.#storage.tree("sizes of messages").getHistoryRowStats(leafId);
  }

  /** The message the session continues from; `null` in an empty session. */
  async getActiveLeaf(): Promise<StoredMessage | null> {
    return this.#parts.messages.latestLeaf();
  }

  /** `getActiveLeaf` under its name in Cloudflare's Session API; not always the newest message. */
  async getLatestLeaf(): Promise<StoredMessage | null> {
    return this.getActiveLeaf();
  }

  /** Counts stored messages on the path. */
  async getPathLength(leafId?: string): Promise<number> {
    return this.#storage.provider.getPathLength(leafId);
  }

  /** Messages and summaries of this session that match a query, best first; `[]` for a blank one. */
  async search(query: string, options?: SearchOptions): Promise<SearchHit[]> {
    return this.#parts.messages.search(query, options);
  }

  /** The children of a message, oldest first; `[]` for an unknown id. */
  async getChildren(messageId: string): Promise<StoredMessage[]> {
    return this.#parts.messages.children(messageId);
  }

  /** `getChildren` under its name in Cloudflare's Session API. */
  async getBranches(messageId: string): Promise<StoredMessage[]> {
    return this.getChildren(messageId);
  }

  /** The message and its siblings, oldest first. @throws {MessageNotFoundError} */
  async getSiblings(messageId: string): Promise<StoredMessage[]> {
    return this.#storage.tree("siblings").getSiblings(messageId);
  }

  /** Oldest first. */
  async getRoots(): Promise<StoredMessage[]> {
    return this.#storage.tree("roots").getRoots();
  }

  /** Messages without children, oldest first. */
  async getLeaves(): Promise<StoredMessage[]> {
    return this.#storage.tree("leaves").getLeaves();
  }

  /** Every message without content. */
  async getTree(): Promise<TreeNode[]> {
    return this.#storage.tree("the tree").getTree();
  }

  /** A page of the transcript with alternatives, pins and summaries. */
  async getWindow(options?: WindowOptions): Promise<TranscriptWindow> {
    return this.#storage.tree("windows").getWindow(options);
  }

  /** Sets the message the session continues from, durably. @throws {MessageNotFoundError} */
  async setActiveLeaf(messageId: string): Promise<void> {
    return this.#storage.changeTree("an active leaf", (tree) => tree.setActiveLeaf(messageId));
  }

  /**
   * Moves the active leaf back over up to `count` messages, also before the first one: then the history is empty and the
   * next message becomes a root. Nothing is deleted; `setActiveLeaf` moves forward again.
   */
  async stepBack(count = 1): Promise<SteppedBack> {
    return this.#storage.changeTree("stepping back", (tree) => tree.stepBack(count));
  }

  /**
   * Continues after a message (`null`: before the first one) with a chain, if `expectedLeafId` is still the active leaf.
   * `null`, with nothing changed, when it is not. @throws as `SessionTreeProvider.continueAfter` does.
   */
  async continueAfter(
    messageId: string | null,
    messages: readonly NewMessage[],
    options: ContinueOptions,
  ): Promise<AppendResult[] | null> {
    return this.#parts.messages.continueAfter(messageId, messages, options);
  }

  /**
   * Makes the active path read as a list of messages, for agents that save their whole conversation. Removes nothing, and
   * writes nothing when the path already ends as the list. @throws {SessionArchivedError}
   */
  async follow(
    messages: readonly ListedMessage[],
    options: FollowOptions = {},
  ): Promise<FollowResult> {
    return this.#parts.messages.follow(messages, options);
  }

  /** The most recently used leaf at or below a message. @throws {MessageNotFoundError} */
  async getLeafUnder(messageId: string): Promise<string> {
    return this.#storage.tree("an active leaf").getLeafUnder(messageId);
  }

  /** Keeps a message verbatim when summarized. @throws {MessageNotFoundError} */
  async setPinned(messageId: string, pinned: boolean): Promise<void> {
    return this.#storage.changeTree("pinned messages", (tree) => tree.setPinned(messageId, pinned));
  }

  /** Names a message; `null` removes the name. @throws {MessageNotFoundError} @throws {InvalidArgumentError} */
  async setLabel(messageId: string, label: string | null): Promise<void> {
    return this.#storage.changeTree("labelled messages", (tree) => tree.setLabel(messageId, label));
  }

  /** Adds a summary over a range of one path. @throws {MessageNotFoundError} @throws {CompactionRangeError} */
  async addCompaction(
    summary: string,
    fromId: string,
    toId: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    return this.#storage.addCompaction(summary, { fromId, toId }, metadata);
  }

  /** Replaces a summary of the same range, in one step or not at all. @throws {CompactionNotFoundError} */
  async replaceCompaction(
    compactionId: string,
    summary: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    return this.#storage.replaceCompaction(compactionId, summary, metadata);
  }

  /** Summaries not removed, oldest first. */
  async getCompactions(): Promise<Compaction[]> {
    return this.#storage.provider.getCompactions();
  }

  /** Uncovers what a summary covered. @throws {CompactionNotFoundError} */
  async removeCompaction(compactionId: string): Promise<void> {
    return this.#storage.changeTree("removing a summary", (tree) =>
      tree.removeCompaction(compactionId),
    );
  }

  /** @throws {CompactionNotFoundError} */
  async restoreCompaction(compactionId: string): Promise<void> {
    return this.#storage.changeTree("restoring a summary", (tree) =>
      tree.restoreCompaction(compactionId),
    );
  }

  /** @throws {CompactionNotFoundError} */
  async updateCompaction(compactionId: string, summary: string): Promise<void> {
    return this.#storage.changeTree("editing a summary", (tree) =>
      tree.updateCompaction(compactionId, summary),
    );
  }

  /** Summarizes the middle of the visible history, one call at a time. `null` when nothing was stored. */
  async compact(leafId?: string, options?: CompactOptions): Promise<Compaction | null> {
    return this.#parts.compactor.compact(leafId, options);
  }

  /** Compacts if the history exceeds its threshold, as before a model call. Never throws, even when aborted. */
  async compactIfNeeded(leafId?: string, options?: AbortOptions): Promise<Compaction | null> {
    return this.#parts.compactor.consider(leafId, options?.signal);
  }

  /** Resolves when a background compaction has ended. */
  async compactionSettled(): Promise<void> {
    return this.#parts.compactor.settled();
  }

  /** Tokens of the visible history, by the counter that triggers compaction. */
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

  /** Labels of the blocks by id. */
  get contextLabels(): ReadonlyMap<string, string> {
    return this.#parts.blocks.labelsById;
  }

  /** Every block in order; one that cannot be read carries an `error`. */
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

  /**
   * Distils the conversation into a block; the messages stay. @throws {BlockConflictError} when the block changed
   * meanwhile. @throws as `replaceContextBlock` does.
   */
  async consolidate(
    label: string,
    write: Consolidate,
    { leafId }: { readonly leafId?: string | undefined } = {},
  ): Promise<ContextBlock> {
    return this.#parts.context.consolidate(label, write, () => this.getHistory(leafId));
  }

  /** Reads a block and empties it, for notes to read once. `null` when it was empty. */
  async takeContextBlock(label: string, options?: WriteOptions): Promise<string | null> {
    return this.#parts.context.take(label, options);
  }

  async setContextEntry(label: string, entry: EntryWrite, options?: WriteOptions): Promise<void> {
    return this.#parts.context.setEntry(label, entry, options);
  }

  /** Entries of a skill or searchable block, by key. @throws {NotSupportedError} */
  async getContextEntries(label: string, options?: { limit?: number }): Promise<ContextEntry[]> {
    return this.#parts.context.entries(label, options);
  }

  /** Removes an entry; its versions stay. @throws {NotSupportedError} */
  async removeContextEntry(label: string, key: string, options?: WriteOptions): Promise<void> {
    return this.#parts.context.removeEntry(label, key, options);
  }

  /** Versions of a block or an entry, newest first. @throws {NotSupportedError} */
  async getContextVersions(label: string, options?: VersionsOptions): Promise<DocumentVersion[]> {
    return this.#parts.context.versions(label, options);
  }

  /** Writes an earlier version again as a new one. @throws {InvalidArgumentError} for an unknown version. */
  async restoreContextVersion(
    label: string,
    version: number,
    options?: WriteOptions & { readonly key?: string | undefined },
  ): Promise<void> {
    return this.#parts.context.restoreVersion(label, version, options);
  }

  /** Proposals of this session, newest first. */
  async getProposals(options?: Omit<ListProposalsOptions, "sessionId">): Promise<Proposal[]> {
    return this.#parts.proposals.list(options);
  }

  /** Writes a proposal, optionally edited by the person. @throws {ProposalDecidedError} @throws {BlockConflictError} */
  async acceptProposal(proposalId: string, options?: AcceptOptions): Promise<Proposal> {
    return this.#parts.proposals.accept(proposalId, options);
  }

  /** @throws {ProposalNotFoundError} @throws {ProposalDecidedError} */
  async declineProposal(proposalId: string): Promise<Proposal> {
    return this.#parts.proposals.decline(proposalId);
  }

  /** Renders the system prompt the first time and keeps it until refreshed. */
  async freezeSystemPrompt(): Promise<string> {
    return this.#parts.prompt.freeze();
  }

  /** Like `freezeSystemPrompt`, with the versions of its blocks. */
  async freezeVersionedPrompt(): Promise<FrozenText> {
    return this.#parts.prompt.freezeVersioned();
  }

  /** Renders the system prompt again from the current blocks. */
  async refreshSystemPrompt(): Promise<string> {
    return this.#parts.prompt.refresh();
  }

  /** Differences between the frozen prompt and the current blocks. */
  async getPromptChanges(): Promise<BlockChange[]> {
    return this.#parts.prompt.changes();
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

  /** The history in a form a model accepts, with loaded documents. `withModelInput` may change it. */
  async getModelHistory(leafId?: string, options?: ModelHistoryOptions): Promise<HistoryMessage[]> {
    return this.#parts.messages.modelHistory(leafId, options);
  }

  /** Skills loaded and not unloaded on the path to a leaf, in order of loading. */
  async getLoadedSkills(leafId?: string): Promise<LoadedSkill[]> {
    return this.#parts.messages.loadedSkills(leafId);
  }

  /** Records that a person loaded or unloaded a skill at the active leaf. */
  async recordSkillEvent(skill: LoadedSkill, action: "load" | "unload"): Promise<void> {
    return this.#storage.changeTree("loading by a person", (tree) =>
      tree.recordSkillEvent(skill, action),
    );
  }

  /** Adds to the session's totals, where a store keeps them, and emits the event. */
  async addUsage(usage: Usage): Promise<void> {
    return this.#storage.addUsage(usage);
  }
}

import { InvalidArgumentError, NotSupportedError } from "./errors";
import {
  type AppendOptions,
  type AppendResult,
  asHistory,
  dated,
  type HistoryMessage,
  type SessionMessage,
  type SessionMessageRole,
  type StoredMessage,
} from "./message";
import { searchLimit } from "./search/search-limit";
import type { SearchHit, SearchOptions } from "./search/search-types";
import {
  type Compaction,
  type CompactionMetadata,
  type Deletion,
  isTreeProvider,
  type LoadedSkill,
  type MaybePromise,
  type RecentHistory,
  type SessionTreeProvider,
  type TranscriptWindow,
  type TreeNode,
  type WindowOptions,
} from "./session-provider";
import { loadedAfter, skillEvents } from "./skill-events";
import { assertStorable } from "./stored-body";
import { SessionBuilder } from "./wiring/session-builder";
import type { SessionParts } from "./wiring/wire-session";

const batchSize = 200;

/** A removed message; `restoreMessages(deletionId)` restores it, unless the id is empty. */
export interface PoppedMessage {
  readonly message: StoredMessage;
  readonly deletionId: string;
}

export interface LatestOptions {
  /** Default: the active leaf. */
  readonly leafId?: string | undefined;
  readonly role?: SessionMessageRole | undefined;
  /** Newest messages to skip. */
  readonly skip?: number | undefined;
}

/**
 * The messages of a session. Methods work on the documented core of the storage where they can, and throw
 * `NotSupportedError` where it does not keep the whole tree.
 */
export abstract class SessionMessages extends SessionBuilder {
  protected abstract readonly parts: SessionParts;
  #isLoaded = false;

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
    message: SessionMessage,
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    assertStorable(message);
    const { provider, saves, compactor, prepare, fitted } = this.parts;
    return saves.run(async () => {
      await prepare();
      const parent = isTreeProvider(provider) ? parentId : await this.#parentOnCore(parentId);
      const stored = fitted(message);
      const result = (await provider.appendMessage(stored, parent, options)) ?? {
        inserted: true,
        message: dated(stored),
        parentId: parent ?? null,
      };
      if (result.inserted) await compactor.afterAppend(result);
      return result;
    });
  }

  /** Appends a chain of messages, the first under `parentId` (omitted: the active leaf). */
  async appendMessages(
    messages: readonly SessionMessage[],
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult[]> {
    return this.parts.saves.run(async () => {
      const results: AppendResult[] = [];
      let parent = parentId;
      for (const message of messages) {
        results.push(await this.appendMessage(message, parent, options));
        parent = message.id;
      }
      return results;
    });
  }

  /** Replaces a message's parts; its place and time stay. @throws {MessageNotFoundError} */
  async updateMessage(message: SessionMessage): Promise<void> {
    assertStorable(message);
    await this.#change(({ provider, fitted }) => provider.updateMessage(fitted(message)));
  }

  /**
   * Removes messages from every path; their children move up. On storage of the documented core the returned
   * `deletionId` is empty, and it cannot be undone.
   */
  async deleteMessages(messageIds: readonly string[]): Promise<Deletion> {
    return this.#change(
      async ({ provider }) =>
        (await provider.deleteMessages(messageIds)) ?? { deletionId: "", messageIds },
    );
  }

  /** Removes the active leaf, so that the session continues from its parent. `null` in an empty session. */
  async popMessage(): Promise<PoppedMessage | null> {
    const message = await this.getLatestLeaf();
    if (!message) return null;
    const { deletionId } = await this.deleteMessages([message.id]);
    return { message, deletionId };
  }

  /**
   * Removes all but the newest `count` messages from a path. Can be undone; to replace them by a summary, compact.
   */
  async keepLatestMessages(count: number, leafId?: string): Promise<Deletion> {
    const older = await this.getLatestMessages(Number.POSITIVE_INFINITY, { leafId, skip: count });
    return this.deleteMessages(older.map(({ id }) => id));
  }

  /** Undoes a deletion. @throws {DeletionNotFoundError} */
  async restoreMessages(deletionId: string): Promise<void> {
    await this.#change(() => this.#tree("undoing a deletion").restoreMessages(deletionId));
  }

  /** Removes messages, summaries and loaded skills, keeps the blocks, and renders the prompt again. */
  async clearMessages(): Promise<void> {
    const { prompt, saves } = this.parts;
    await saves.run(async () => {
      await this.#change(({ provider }) => provider.clearMessages());
      await prompt.refresh();
    });
  }

  /** `null` for an unknown or deleted message. */
  async getMessage(id: string): Promise<StoredMessage | null> {
    const message = await this.parts.provider.getMessage(id);
    return message && dated(message);
  }

  /**
   * Root to leaf (omitted: the active one) with summaries in place of what they cover; `[]` for an unknown id.
   */
  async getHistory(leafId?: string): Promise<HistoryMessage[]> {
    return this.loaded(await this.parts.provider.getHistory(leafId));
  }

  /**
   * The newest `count` stored messages of a path, oldest first, ignoring summaries. Zero or less gives none.
   */
  async getLatestMessages(
    count: number,
    { leafId, role, skip = 0 }: LatestOptions = {},
  ): Promise<StoredMessage[]> {
    const wanted: StoredMessage[] = [];
    let toSkip = Math.max(0, skip);
    for await (const message of this.#backwards(leafId)) {
      if (wanted.length >= count) break;
      if (role !== undefined && message.role !== role) continue;
      if (toSkip > 0) toSkip--;
      else wanted.push(message);
    }
    return wanted.reverse();
  }

  /** The newest part of the history that fits, and the number of omitted messages. */
  async getRecentHistory(maxBytes: number, minRecentMessages?: number): Promise<RecentHistory> {
    return this.#tree("recent history").getRecentHistory(maxBytes, minRecentMessages);
  }

  /** The history in batches, for very long ones. */
  iterateHistory(options?: {
    leafId?: string;
    batchSize?: number;
  }): AsyncIterable<StoredMessage[]> {
    return this.#tree("iterating").iterateHistory(options);
  }

  /** The active leaf; `null` in an empty session. */
  async getLatestLeaf(): Promise<StoredMessage | null> {
    const message = await this.parts.provider.getLatestLeaf();
    return message && dated(message);
  }

  /** Counts stored messages on the path. */
  async getPathLength(leafId?: string): Promise<number> {
    return this.parts.provider.getPathLength(leafId);
  }

  /** The children of a message, oldest first. */
  async getBranches(messageId: string): Promise<StoredMessage[]> {
    return (await this.parts.provider.getBranches(messageId)).map(dated);
  }

  /** The message and its siblings, oldest first. @throws {MessageNotFoundError} */
  async getSiblings(messageId: string): Promise<StoredMessage[]> {
    return this.#tree("siblings").getSiblings(messageId);
  }

  /** Oldest first. */
  async getRoots(): Promise<StoredMessage[]> {
    return this.#tree("roots").getRoots();
  }

  /** Messages without children, oldest first. */
  async getLeaves(): Promise<StoredMessage[]> {
    return this.#tree("leaves").getLeaves();
  }

  /** Every message without content. */
  async getTree(): Promise<TreeNode[]> {
    return this.#tree("the tree").getTree();
  }

  /** A page of the transcript with alternatives, pins and summaries. */
  async getWindow(options?: WindowOptions): Promise<TranscriptWindow> {
    return this.#tree("windows").getWindow(options);
  }

  /** Sets the message the session continues from, durably. @throws {MessageNotFoundError} */
  async setActiveLeaf(messageId: string): Promise<void> {
    await this.#change(() => this.#tree("an active leaf").setActiveLeaf(messageId));
  }

  /** The most recently used leaf at or below a message. @throws {MessageNotFoundError} */
  async getLeafUnder(messageId: string): Promise<string> {
    return this.#tree("an active leaf").getLeafUnder(messageId);
  }

  /** Keeps a message verbatim when summarized. @throws {MessageNotFoundError} */
  async setPinned(messageId: string, pinned: boolean): Promise<void> {
    await this.#change(() => this.#tree("pinned messages").setPinned(messageId, pinned));
  }

  /**
   * Names a message; `null` removes the name. @throws {MessageNotFoundError} @throws {InvalidArgumentError}
   */
  async setLabel(messageId: string, label: string | null): Promise<void> {
    await this.#change(() => this.#tree("labelled messages").setLabel(messageId, label));
  }

  /** Messages and summaries of this session that match a query, best first; `[]` for a blank one. */
  async search(query: string, options?: SearchOptions): Promise<SearchHit[]> {
    const { provider } = this.parts;
    return provider.searchMessages(
      query,
      isTreeProvider(provider) ? options : searchLimit(options ?? {}),
    );
  }

  /**
   * Adds a summary over a range of one path. @throws {MessageNotFoundError} @throws {CompactionRangeError}
   */
  async addCompaction(
    summary: string,
    fromId: string,
    toId: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    if (summary.trim() === "") throw new InvalidArgumentError("A summary is not blank.");
    return this.#change(({ provider }) => provider.addCompaction(summary, fromId, toId, metadata));
  }

  /**
   * Replaces a summary of the same range in one step. @throws {CompactionNotFoundError} when the old one is gone;
   * nothing is stored then.
   */
  async replaceCompaction(
    compactionId: string,
    summary: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    if (summary.trim() === "") throw new InvalidArgumentError("A summary is not blank.");
    return this.#change(() =>
      this.#tree("exchanging a summary").replaceCompaction(compactionId, summary, metadata),
    );
  }

  /** Summaries not removed, oldest first. */
  async getCompactions(): Promise<Compaction[]> {
    return this.parts.provider.getCompactions();
  }

  /** Uncovers what a summary covered. @throws {CompactionNotFoundError} */
  async removeCompaction(compactionId: string): Promise<void> {
    await this.#change(() => this.#tree("removing a summary").removeCompaction(compactionId));
  }

  /** @throws {CompactionNotFoundError} */
  async restoreCompaction(compactionId: string): Promise<void> {
    await this.#change(() => this.#tree("restoring a summary").restoreCompaction(compactionId));
  }

  /** @throws {CompactionNotFoundError} */
  async updateCompaction(compactionId: string, summary: string): Promise<void> {
    await this.#change(() =>
      this.#tree("editing a summary").updateCompaction(compactionId, summary),
    );
  }

  /** Skills loaded and not unloaded on the path to a leaf, in order of loading. */
  async getLoadedSkills(leafId?: string): Promise<LoadedSkill[]> {
    const { provider } = this.parts;
    if (isTreeProvider(provider)) return provider.getLoadedSkills(leafId);
    return loadedAfter((await provider.getHistory(leafId)).flatMap(skillEvents));
  }

  /** Records that a person loaded or unloaded a skill at the active leaf. */
  async recordSkillEvent(skill: LoadedSkill, action: "load" | "unload"): Promise<void> {
    await this.#change(() => this.#tree("loading by a person").recordSkillEvent(skill, action));
  }

  protected loaded(history: readonly SessionMessage[]): HistoryMessage[] {
    if (!this.#isLoaded && history.length > 0) {
      this.#isLoaded = true;
      const { events, id } = this.parts;
      events.emit({ type: "load", sessionId: id, messageCount: history.length });
    }
    return asHistory(history);
  }

  /** Writes to a prepared session and resets the running estimate. */
  async #change<Result>(write: (parts: SessionParts) => MaybePromise<Result>): Promise<Result> {
    const { saves, compactor, prepare } = this.parts;
    return saves.run(async () => {
      await prepare();
      const result = await write(this.parts);
      compactor.invalidate();
      return result;
    });
  }

  async *#backwards(leafId: string | undefined): AsyncIterable<StoredMessage> {
    const { provider } = this.parts;
    if (!isTreeProvider(provider)) {
      yield* (await provider.getHistory(leafId)).map(dated).reverse();
      return;
    }
    let beforePosition: number | undefined;
    while (true) {
      const window = { leafId, beforePosition, limit: batchSize, overlays: false };
      const { entries, hasMore } = await provider.getWindow(window);
      yield* entries.map(({ message }) => message).reverse();
      beforePosition = entries[0]?.position;
      if (!hasMore || beforePosition === undefined) return;
    }
  }

  #tree(operation: string): SessionTreeProvider {
    const { provider } = this.parts;
    if (!isTreeProvider(provider)) throw new NotSupportedError(operation);
    return provider;
  }

  async #parentOnCore(parentId: string | null | undefined): Promise<string | null> {
    if (parentId !== undefined) return parentId;
    return (await this.parts.provider.getLatestLeaf())?.id ?? null;
  }
}

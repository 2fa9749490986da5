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
import type { SessionVoice } from "./wiring/session-voice";
import type { SessionParts } from "./wiring/wire-session";

const batchSize = 200;

/** A message that was taken off; `restoreMessages(deletionId)` puts it back, unless the id is empty. */
export interface PoppedMessage {
  readonly message: StoredMessage;
  readonly deletionId: string;
}

/** Which of the newest messages of a path is meant. */
export interface LatestOptions {
  /** The path is root → this message. Omitted: the active leaf. */
  readonly leafId?: string | undefined;
  readonly role?: SessionMessageRole | undefined;
  /** How many of the newest ones to leave out. */
  readonly skip?: number | undefined;
}

/**
 * The messages of a session. Every method works on the documented core of the storage where it can, and throws
 * `NotSupportedError` where the storage does not keep the whole tree.
 */
export abstract class SessionMessages extends SessionBuilder {
  protected abstract readonly parts: SessionParts;
  #isLoaded = false;

  /**
   * Adds `message` as a child of `parentId`; `null` starts a new root, omitted continues the active leaf.
   *
   * Appending the same `message.id` again leaves the first copy untouched, so a retried request cannot fork the
   * conversation. May compact the history afterwards; a compaction that fails does not fail the append.
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
    const { provider, voice, compactor, prepare, fitted } = this.parts;
    return voice.saving(async () => {
      await prepare();
      const fallbackParent = isTreeProvider(provider) ? null : await this.#parentOnCore(parentId);
      const stored = fitted(message);
      const result = (await provider.appendMessage(stored, parentId, options)) ?? {
        inserted: true,
        message: dated(stored),
        parentId: fallbackParent,
      };
      if (!result.inserted) return result;
      voice.wrote("append", {
        messageId: message.id,
        parentId: result.parentId,
        role: message.role,
      });
      await compactor.afterAppend(result);
      return result;
    });
  }

  /** Appends messages one under the other, the first under `parentId` (omitted: the active leaf). */
  async appendMessages(
    messages: readonly SessionMessage[],
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult[]> {
    return this.parts.voice.saving(async () => {
      const results: AppendResult[] = [];
      let parent = parentId;
      for (const message of messages) {
        results.push(await this.appendMessage(message, parent, options));
        parent = message.id;
      }
      return results;
    });
  }

  /** Replaces a message's parts by id; its place and time stay. @throws {MessageNotFoundError} */
  async updateMessage(message: SessionMessage): Promise<void> {
    assertStorable(message);
    await this.#change(
      ({ provider, fitted }) => provider.updateMessage(fitted(message)),
      (voice) => voice.wrote("update", { messageId: message.id }),
    );
  }

  /**
   * Takes messages off every path; what hung under them moves up. On storage of the documented core alone the answer's
   * `deletionId` is empty: it cannot be undone there.
   */
  async deleteMessages(messageIds: readonly string[]): Promise<Deletion> {
    return this.#change(
      async ({ provider }) =>
        (await provider.deleteMessages(messageIds)) ?? { deletionId: "", messageIds },
      (voice, deletion) => voice.wrote("delete", deletion),
    );
  }

  /**
   * Takes the message the session continues from off its path, so that it continues from the one before. `null` in an
   * empty session.
   */
  async popMessage(): Promise<PoppedMessage | null> {
    const message = await this.getLatestLeaf();
    if (!message) return null;
    const { deletionId } = await this.deleteMessages([message.id]);
    return { message, deletionId };
  }

  /** Takes all but the newest `count` messages off a path. Can be undone; for a summary in their place, compact. */
  async keepLatestMessages(count: number, leafId?: string): Promise<Deletion> {
    const older = await this.getLatestMessages(Number.POSITIVE_INFINITY, { leafId, skip: count });
    return this.deleteMessages(older.map(({ id }) => id));
  }

  /** Puts a deletion back. @throws {DeletionNotFoundError} */
  async restoreMessages(deletionId: string): Promise<void> {
    await this.#change(
      () => this.#tree("undoing a deletion").restoreMessages(deletionId),
      (voice) => voice.wrote("restore", { deletionId }),
    );
  }

  /** Empties messages, summaries and loaded skills, keeps the blocks, and renders the prompt anew. */
  async clearMessages(): Promise<void> {
    const { prompt, voice } = this.parts;
    await voice.saving(async () => {
      await this.#change(
        ({ provider }) => provider.clearMessages(),
        () => voice.wrote("delete", { deletionId: null, messageIds: [] }),
      );
      await prompt.refresh();
    });
  }

  /** `null` for an unknown or deleted message. */
  async getMessage(id: string): Promise<StoredMessage | null> {
    const message = await this.parts.provider.getMessage(id);
    return message && dated(message);
  }

  /** Root to leaf (omitted: the active one) with summaries in place of what they cover; `[]` for an unknown id. */
  async getHistory(leafId?: string): Promise<HistoryMessage[]> {
    return this.loaded(await this.parts.provider.getHistory(leafId));
  }

  /**
   * The newest `count` messages of a path as they are stored, oldest of them first; summaries do not count. Zero or less
   * gives none.
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

  /** The newest part of the history that fits, and how much was left out. */
  async getRecentHistory(maxBytes: number, minRecentMessages?: number): Promise<RecentHistory> {
    return this.#tree("recent history").getRecentHistory(maxBytes, minRecentMessages);
  }

  /** The history in batches, for one too long to hold. */
  iterateHistory(options?: {
    leafId?: string;
    batchSize?: number;
  }): AsyncIterable<StoredMessage[]> {
    return this.#tree("iterating").iterateHistory(options);
  }

  /** The message the session continues from; `null` in an empty one. */
  async getLatestLeaf(): Promise<StoredMessage | null> {
    const message = await this.parts.provider.getLatestLeaf();
    return message && dated(message);
  }

  /** How many stored messages the path has. */
  async getPathLength(leafId?: string): Promise<number> {
    return this.parts.provider.getPathLength(leafId);
  }

  /** The children of a message, oldest first. */
  async getBranches(messageId: string): Promise<StoredMessage[]> {
    return (await this.parts.provider.getBranches(messageId)).map(dated);
  }

  /** The message and its alternatives under the same parent, oldest first. @throws {MessageNotFoundError} */
  async getSiblings(messageId: string): Promise<StoredMessage[]> {
    return this.#tree("siblings").getSiblings(messageId);
  }

  /** Messages without a parent, oldest first. */
  async getRoots(): Promise<StoredMessage[]> {
    return this.#tree("roots").getRoots();
  }

  /** Messages nothing hangs under, oldest first. */
  async getLeaves(): Promise<StoredMessage[]> {
    return this.#tree("leaves").getLeaves();
  }

  /** Every message without content. */
  async getTree(): Promise<TreeNode[]> {
    return this.#tree("the tree").getTree();
  }

  /** A stretch of the transcript with alternatives, pins and summaries. */
  async getWindow(options?: WindowOptions): Promise<TranscriptWindow> {
    return this.#tree("windows").getWindow(options);
  }

  /** Makes a message the one the session continues from; it survives restarts. @throws {MessageNotFoundError} */
  async setActiveLeaf(messageId: string): Promise<void> {
    await this.#change(
      () => this.#tree("an active leaf").setActiveLeaf(messageId),
      (voice) => voice.wrote("activate", { messageId }),
    );
  }

  /** The leaf most recently used at or under a message. @throws {MessageNotFoundError} */
  async getLeafUnder(messageId: string): Promise<string> {
    return this.#tree("an active leaf").getLeafUnder(messageId);
  }

  /** Keeps a message verbatim whatever is summarized. @throws {MessageNotFoundError} */
  async setPinned(messageId: string, pinned: boolean): Promise<void> {
    await this.#change(
      () => this.#tree("pinned messages").setPinned(messageId, pinned),
      (voice) => voice.wrote("pin", { messageId, pinned }),
    );
  }

  /** Gives a message a short name; `null` takes it away. @throws {MessageNotFoundError} @throws {InvalidArgumentError} */
  async setLabel(messageId: string, label: string | null): Promise<void> {
    await this.#change(
      () => this.#tree("labelled messages").setLabel(messageId, label),
      (voice) => voice.wrote("label", { messageId }),
    );
  }

  /** Messages and summaries of this session that answer a query, best first; `[]` for a blank one. */
  async search(query: string, options?: SearchOptions): Promise<SearchHit[]> {
    const { provider } = this.parts;
    return provider.searchMessages(
      query,
      isTreeProvider(provider) ? options : searchLimit(options ?? {}),
    );
  }

  /** Lays a summary over a range of one path. @throws {MessageNotFoundError} @throws {CompactionRangeError} */
  async addCompaction(
    summary: string,
    fromId: string,
    toId: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    if (summary.trim() === "") throw new InvalidArgumentError("A summary is not blank.");
    return this.#change(
      ({ provider }) => provider.addCompaction(summary, fromId, toId, metadata),
      (voice, { id }) => voice.wrote("compact", { compactionId: id, action: "add" }),
    );
  }

  /**
   * Puts a summary in the place of another, over the same range, in one step.
   * @throws {CompactionNotFoundError} when the old one is not there any more; nothing is stored then.
   */
  async replaceCompaction(
    compactionId: string,
    summary: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    if (summary.trim() === "") throw new InvalidArgumentError("A summary is not blank.");
    return this.#change(
      () => this.#tree("exchanging a summary").replaceCompaction(compactionId, summary, metadata),
      (voice, { id }) => {
        voice.wrote("compact", { compactionId, action: "remove" });
        voice.wrote("compact", { compactionId: id, action: "add" });
      },
    );
  }

  /** Every summary not removed, oldest first. */
  async getCompactions(): Promise<Compaction[]> {
    return this.parts.provider.getCompactions();
  }

  /** Shows again what a summary covered. @throws {CompactionNotFoundError} */
  async removeCompaction(compactionId: string): Promise<void> {
    await this.#change(
      () => this.#tree("removing a summary").removeCompaction(compactionId),
      (voice) => voice.wrote("compact", { compactionId, action: "remove" }),
    );
  }

  /** Puts a removed summary back. @throws {CompactionNotFoundError} */
  async restoreCompaction(compactionId: string): Promise<void> {
    await this.#change(
      () => this.#tree("restoring a summary").restoreCompaction(compactionId),
      (voice) => voice.wrote("compact", { compactionId, action: "restore" }),
    );
  }

  /** Rewrites a summary's text. @throws {CompactionNotFoundError} */
  async updateCompaction(compactionId: string, summary: string): Promise<void> {
    await this.#change(
      () => this.#tree("editing a summary").updateCompaction(compactionId, summary),
      (voice) => voice.wrote("compact", { compactionId, action: "update" }),
    );
  }

  /** Skills loaded and not unloaded on the path to a leaf, in order of loading. */
  async getLoadedSkills(leafId?: string): Promise<LoadedSkill[]> {
    const { provider } = this.parts;
    if (isTreeProvider(provider)) return provider.getLoadedSkills(leafId);
    return loadedAfter((await provider.getHistory(leafId)).flatMap(skillEvents));
  }

  /** Notes that a person loaded or unloaded a skill at the active leaf. */
  async recordSkillEvent(skill: LoadedSkill, action: "load" | "unload"): Promise<void> {
    await this.#change(
      () => this.#tree("loading by a person").recordSkillEvent(skill, action),
      (voice) => voice.wrote("skill", { label: skill.label, key: skill.key, action }),
    );
  }

  /** A history as it was read; the first one is told of. */
  protected loaded(history: readonly SessionMessage[]): HistoryMessage[] {
    if (!this.#isLoaded && history.length > 0) {
      this.#isLoaded = true;
      this.parts.voice.emit("load", { messageCount: history.length });
    }
    return asHistory(history);
  }

  /** Writes to a session the storage knows by then, forgets the running estimate and tells of it. */
  async #change<Result>(
    write: (parts: SessionParts) => MaybePromise<Result>,
    tell: (voice: SessionVoice, result: Result) => void,
  ): Promise<Result> {
    const { voice, compactor, prepare } = this.parts;
    return voice.saving(async () => {
      await prepare();
      const result = await write(this.parts);
      compactor.invalidate();
      tell(voice, result);
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

import type {
  AppendResult,
  ContinueOptions,
  NewMessage,
  SteppedBack,
  StoredMessage,
} from "../message";
import type {
  Compaction,
  CompactionMetadata,
  HistoryRowStat,
  TranscriptWindow,
  TreeNode,
  WindowOptions,
} from "../session-provider";
import type { SessionStorage } from "../session-storage";
import { type HistoryBatches, historyBatches } from "./history-batches";
import type { SessionMessages } from "./session-messages";

interface Parts {
  readonly storage: SessionStorage;
  readonly messages: SessionMessages;
}

/**
 * Branches, the active leaf, pins, labels, and summaries as they lie on a session's tree. Where the storage does not
 * keep the whole tree, all but `getActiveLeaf` and `getChildren` throw `NotSupportedError`.
 */
export class SessionTreeView {
  readonly #storage: SessionStorage;
  readonly #messages: SessionMessages;

  /** @internal */
  constructor({ storage, messages }: Parts) {
    this.#storage = storage;
    this.#messages = messages;
  }

  /** The history in pieces. Rejects with the reason of an aborted signal. */
  async *iterateHistory(options?: HistoryBatches): AsyncIterable<StoredMessage[]> {
    yield* historyBatches(this.#storage.tree("iterating"), options);
  }

  /** Root to leaf, ignoring summaries; the estimate is a quarter of the bytes. */
  async getHistoryRowStats(
    leafId?: string,
  ): Promise<(HistoryRowStat & { readonly tokenEstimate: number })[]> {
    const rows = await this.#storage.tree("sizes of messages").getHistoryRowStats(leafId);
    return rows.map((row) => ({ ...row, tokenEstimate: Math.ceil(row.bytes / 4) }));
  }

  /** `null` in an empty session. */
  async getActiveLeaf(): Promise<StoredMessage | null> {
    return this.#messages.latestLeaf();
  }

  /** Oldest first; `[]` for an unknown id. */
  async getChildren(messageId: string): Promise<StoredMessage[]> {
    return this.#messages.children(messageId);
  }

  /** Oldest first, the message included. @throws {MessageNotFoundError} */
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

  async getNodes(): Promise<TreeNode[]> {
    return this.#storage.tree("the tree").getTree();
  }

  async getWindow(options?: WindowOptions): Promise<TranscriptWindow> {
    return this.#storage.tree("windows").getWindow(options);
  }

  /** @throws {MessageNotFoundError} */
  async setActiveLeaf(messageId: string): Promise<void> {
    return this.#storage.changeTree("an active leaf", (tree) => tree.setActiveLeaf(messageId));
  }

  /**
   * Moves the active leaf back over up to `count` messages, also before the first one. Nothing is deleted;
   * `setActiveLeaf` moves forward again.
   */
  async stepBack(count = 1): Promise<SteppedBack> {
    return this.#storage.changeTree("stepping back", (tree) => tree.stepBack(count));
  }

  /**
   * Continues with a chain after a message, if `expectedLeafId` is still the active leaf; else `null`, with nothing
   * changed. @throws as `SessionTreeProvider.continueAfter` does.
   */
  async continueAfter(
    messageId: string | null,
    messages: readonly NewMessage[],
    options: ContinueOptions,
  ): Promise<AppendResult[] | null> {
    return this.#messages.continueAfter(messageId, messages, options);
  }

  /** The most recently used leaf at or below a message. @throws {MessageNotFoundError} */
  async getLeafUnder(messageId: string): Promise<string> {
    return this.#storage.tree("an active leaf").getLeafUnder(messageId);
  }

  /** Keeps a message verbatim when summarized; unpinning removes its label. @throws {MessageNotFoundError} */
  async setPinned(messageId: string, pinned: boolean): Promise<void> {
    return this.#storage.changeTree("pinned messages", (tree) => tree.setPinned(messageId, pinned));
  }

  /** Pins a message under a name; `null` removes the name alone. @throws {MessageNotFoundError} @throws {InvalidArgumentError} */
  async setLabel(messageId: string, label: string | null): Promise<void> {
    return this.#storage.changeTree("labelled messages", (tree) => tree.setLabel(messageId, label));
  }

  /** Replaces a summary of the same range atomically. @throws {CompactionNotFoundError} */
  async replaceCompaction(
    compactionId: string,
    summary: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    return this.#storage.replaceCompaction(compactionId, summary, metadata);
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
}

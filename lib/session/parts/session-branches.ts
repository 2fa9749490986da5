import type { SteppedBack, StoredMessage } from "@/lib/session/message";
import type {
  HistoryRowStat,
  IterateOptions,
  LoadedSkill,
  RecentHistory,
  SessionTreeProvider,
  TranscriptWindow,
  TreeNode,
  WindowOptions,
} from "@/lib/session/session-provider";
import type { SessionStorage } from "./session-storage";

export interface HistoryBatches extends IterateOptions {
  /** Default `"oldest-first"`. */
  readonly order?: "oldest-first" | "newest-first" | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The most a batch takes as JSON in UTF-8; a larger message is a batch of its own. Default: no limit. */
  readonly maxBatchBytes?: number | undefined;
}

/** The branches of a session; throws `NotSupportedError` where the storage does not keep the whole tree. */
export class SessionBranches {
  readonly #storage: SessionStorage;

  constructor(storage: SessionStorage) {
    this.#storage = storage;
  }

  async siblings(messageId: string): Promise<StoredMessage[]> {
    return this.#storage.tree("siblings").getSiblings(messageId);
  }

  async roots(): Promise<StoredMessage[]> {
    return this.#storage.tree("roots").getRoots();
  }

  async leaves(): Promise<StoredMessage[]> {
    return this.#storage.tree("leaves").getLeaves();
  }

  async nodes(): Promise<TreeNode[]> {
    return this.#storage.tree("the tree").getTree();
  }

  async window(options?: WindowOptions): Promise<TranscriptWindow> {
    return this.#storage.tree("windows").getWindow(options);
  }

  async recentHistory(maxBytes: number, minRecentMessages?: number): Promise<RecentHistory> {
    return this.#storage.tree("recent history").getRecentHistory(maxBytes, minRecentMessages);
  }

  async *iterateHistory({
    order = "oldest-first",
    signal,
    maxBatchBytes = Number.POSITIVE_INFINITY,
    ...options
  }: HistoryBatches = {}): AsyncIterable<StoredMessage[]> {
    const tree = this.#storage.tree("iterating");
    const read = order === "oldest-first" ? tree.iterateHistory(options) : backwards(tree, options);
    signal?.throwIfAborted();
    for await (const messages of read) {
      for (const batch of batchesWithin(messages, maxBatchBytes)) {
        signal?.throwIfAborted();
        yield batch;
        signal?.throwIfAborted();
      }
    }
  }

  async rowStats(leafId?: string): Promise<HistoryRowStat[]> {
    return this.#storage.tree("sizes of messages").getHistoryRowStats(leafId);
  }

  async leafUnder(messageId: string): Promise<string> {
    return this.#storage.tree("an active leaf").getLeafUnder(messageId);
  }

  async activate(messageId: string): Promise<void> {
    await this.#change("an active leaf", (tree) => tree.setActiveLeaf(messageId));
  }

  async stepBack(count: number): Promise<SteppedBack> {
    const tree = this.#storage.tree("stepping back");
    return this.#storage.change(() => tree.stepBack(count));
  }

  async pin(messageId: string, pinned: boolean): Promise<void> {
    await this.#change("pinned messages", (tree) => tree.setPinned(messageId, pinned));
  }

  async label(messageId: string, label: string | null): Promise<void> {
    await this.#change("labelled messages", (tree) => tree.setLabel(messageId, label));
  }

  async recordSkillEvent(skill: LoadedSkill, action: "load" | "unload"): Promise<void> {
    await this.#change("loading by a person", (tree) => tree.recordSkillEvent(skill, action));
  }

  async #change(
    operation: string,
    write: (tree: SessionTreeProvider) => Promise<void>,
  ): Promise<void> {
    await this.#storage.change(() => write(this.#storage.tree(operation)));
  }
}

/** Newest first, with summaries in place of what they cover. */
async function* backwards(
  tree: SessionTreeProvider,
  { leafId, batchSize: limit = 200 }: IterateOptions,
): AsyncIterable<StoredMessage[]> {
  let beforePosition: number | undefined;
  for (;;) {
    const { entries, hasMore } = await tree.getWindow({ leafId, beforePosition, limit });
    if (entries.length > 0) yield entries.map(({ message }) => message).reverse();
    beforePosition = entries[0]?.position;
    if (!hasMore || beforePosition === undefined) return;
  }
}

/** At least one message in each. */
function* batchesWithin(
  messages: StoredMessage[],
  maxBytes: number,
): Generator<StoredMessage[], void> {
  let batch: StoredMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = maxBytes === Number.POSITIVE_INFINITY ? 0 : bytesOf(message);
    if (batch.length > 0 && bytes + size > maxBytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function bytesOf(message: StoredMessage): number {
  return new TextEncoder().encode(JSON.stringify(message)).length;
}

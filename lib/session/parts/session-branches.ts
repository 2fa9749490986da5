import type { SteppedBack, StoredMessage } from "@/lib/session/message";
import type {
  IterateOptions,
  LoadedSkill,
  RecentHistory,
  SessionTreeProvider,
  TranscriptWindow,
  TreeNode,
  WindowOptions,
} from "@/lib/session/session-provider";
import type { SessionStorage } from "./session-storage";

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

  iterateHistory(options?: IterateOptions): AsyncIterable<StoredMessage[]> {
    return this.#storage.tree("iterating").iterateHistory(options);
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

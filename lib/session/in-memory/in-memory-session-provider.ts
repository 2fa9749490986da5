import { MessageConflictError } from "../errors";
import type {
  AppendOptions,
  AppendResult,
  ContinueOptions,
  FollowOptions,
  FollowResult,
  ListedMessage,
  SessionMessage,
  SteppedBack,
  StoredMessage,
} from "../message";
import { queryWith, type SearchQuery, searchLimit } from "../search/query";
import type { SearchHit, SearchOptions } from "../search/search-hits";
import { previewOf } from "../search/searchable-text";
import type {
  ChangedDeletion,
  Compaction,
  CompactionMetadata,
  DeleteMessagesOptions,
  HistoryRowStat,
  LoadedSkill,
  RecentHistory,
  SessionTreeProvider,
  TranscriptWindow,
  TreeNode,
  WindowOptions,
} from "../session-provider";
import { contentOf, fromStoredBody } from "../stored-body";
import { appendAllTo, appendTo } from "../tree/append";
import {
  addOverlay,
  liveCompactions,
  replaceOverlay,
  rewriteSummary,
  setRemoved,
} from "../tree/compactions";
import {
  activateIn,
  clearTree,
  deleteFrom,
  labelIn,
  pinIn,
  requireRecord,
  restoreIn,
  stepBackIn,
  updateIn,
} from "../tree/edits";
import { type FollowedTree, followIn } from "../tree/follow";
import { recentOf } from "../tree/history";
import {
  childrenByParent,
  leafUnder,
  leavesOf,
  liveRecord,
  liveRecords,
  survivingParent,
} from "../tree/paths";
import { matchesIn, ranked } from "../tree/search-tree";
import { emptyTree, type SessionTree, type TreeRecord } from "../tree/session-tree";
import { loadedSkills, recordSkill } from "../tree/skills";
import { entryMessage, livePath, visiblePath } from "../tree/visible-path";
import { windowOf } from "../tree/window";

interface TreeAccess {
  readonly sessionId: string;
  read(): SessionTree;
  write(): SessionTree;
  append(): SessionTree;
  /** Moving in the tree is no activity. */
  touch(): void;
}

/** One session in memory: for tests and trials, and as the reference for other storage. */
export class InMemorySessionProvider implements SessionTreeProvider {
  readonly #access: TreeAccess;

  /** @internal */
  constructor(access: TreeAccess = accessTo(emptyTree())) {
    this.#access = access;
  }

  async getMessage(id: string): Promise<StoredMessage | null> {
    const record = liveRecord(this.#tree, id);
    return record && fromStoredBody(record.body);
  }

  async getHistory(leafId?: string): Promise<StoredMessage[]> {
    return visiblePath(this.#tree, this.#leaf(leafId)).map(entryMessage);
  }

  async getLatestLeaf(): Promise<StoredMessage | null> {
    const record = liveRecord(this.#tree, this.#tree.activeLeafId);
    return record && fromStoredBody(record.body);
  }

  async getBranches(messageId: string): Promise<StoredMessage[]> {
    return messagesOf(childrenByParent(this.#tree).get(messageId) ?? []);
  }

  async getPathLength(leafId?: string): Promise<number> {
    return livePath(this.#tree, this.#leaf(leafId)).length;
  }

  async appendMessage(
    message: SessionMessage,
    parentId?: string | null,
    options: AppendOptions = {},
  ): Promise<AppendResult> {
    const { sessionId } = this.#access;
    const result = appendTo(this.#access.append(), message, { ...options, parentId, sessionId });
    if (!result.inserted) return result;
    this.#access.touch();
    return result;
  }

  async appendMessages(
    messages: readonly SessionMessage[],
    parentId?: string | null,
    options: AppendOptions = {},
  ): Promise<AppendResult[]> {
    if (messages.length === 0) return [];
    const { sessionId } = this.#access;
    const target = { ...options, parentId, sessionId };
    const results = appendAllTo(this.#access.append(), messages, target);
    if (results.some(({ inserted }) => inserted)) this.#access.touch();
    return results;
  }

  async updateMessage(message: SessionMessage): Promise<boolean> {
    const isChanged = updateIn(this.#access.write(), message);
    if (isChanged) this.#access.touch();
    return isChanged;
  }

  async deleteMessages(
    messageIds: readonly string[],
    options?: DeleteMessagesOptions,
  ): Promise<ChangedDeletion> {
    const deletion = deleteFrom(this.#access.write(), messageIds, options);
    if (deletion.changed) this.#access.touch();
    return deletion;
  }

  async restoreMessages(deletionId: string): Promise<boolean> {
    const isChanged = restoreIn(this.#access.write(), deletionId);
    if (isChanged) this.#access.touch();
    return isChanged;
  }

  async clearMessages(): Promise<void> {
    clearTree(this.#access.write());
    this.#access.touch();
  }

  async setActiveLeaf(messageId: string): Promise<void> {
    activateIn(this.#access.write(), messageId);
  }

  async stepBack(count: number): Promise<SteppedBack> {
    const tree = this.#access.write();
    const passed = messagesOf(stepBackIn(tree, count));
    return { passed, leafId: tree.activeLeafId };
  }

  async continueAfter(
    messageId: string | null,
    messages: readonly SessionMessage[],
    { expectedLeafId }: ContinueOptions,
  ): Promise<AppendResult[] | null> {
    const { activeLeafId, clock } = this.#tree;
    if (activeLeafId !== expectedLeafId) return null;
    return this.#continueAt(messageId, messages, clock);
  }

  async follow(
    messages: readonly ListedMessage[],
    options: FollowOptions = {},
  ): Promise<FollowResult> {
    const tree: FollowedTree = {
      revision: async () => this.#tree.clock,
      path: async (leafId, newest = Number.POSITIVE_INFINITY) => {
        const path = livePath(this.#tree, this.#leaf(leafId));
        return messagesOf(
          path.slice(Math.max(0, path.length - newest)).map(({ record }) => record),
        );
      },
      children: (id) => (id === null ? this.getRoots() : this.getBranches(id)),
      leafUnder: (id) => this.getLeafUnder(id),
      taken: async (ids) => new Set(ids.filter((id) => this.#tree.records.has(id))),
      continueAt: async (leafId, rest, revision) => this.#continueAt(leafId, rest, revision),
    };
    return followIn(tree, messages, options);
  }

  #continueAt(
    leafId: string | null,
    messages: readonly SessionMessage[],
    revision: number | null,
  ): AppendResult[] | null {
    const tree = messages.length > 0 ? this.#access.append() : this.#access.write();
    if (tree.clock !== revision) return null;
    const taken = messages.find(({ id }) => tree.records.has(id));
    if (taken) throw new MessageConflictError(taken.id);
    if (messages.length > 0) {
      const { sessionId } = this.#access;
      const results = appendAllTo(tree, messages, { parentId: leafId, sessionId });
      this.#access.touch();
      return results;
    }
    if (leafId === null) stepBackIn(tree, Number.POSITIVE_INFINITY);
    else activateIn(tree, leafId);
    return [];
  }

  async getLeafUnder(messageId: string): Promise<string> {
    return leafUnder(this.#tree, requireRecord(this.#tree, messageId)).body.id;
  }

  async getSiblings(messageId: string): Promise<StoredMessage[]> {
    const parent = survivingParent(this.#tree, requireRecord(this.#tree, messageId));
    return messagesOf(childrenByParent(this.#tree).get(parent?.body.id ?? null) ?? []);
  }

  async getRoots(): Promise<StoredMessage[]> {
    return messagesOf(childrenByParent(this.#tree).get(null) ?? []);
  }

  async getLeaves(): Promise<StoredMessage[]> {
    return messagesOf(leavesOf(this.#tree));
  }

  async getTree(): Promise<TreeNode[]> {
    const tree = this.#tree;
    return liveRecords(tree).map((record) => treeNode(tree, record));
  }

  async getWindow(options?: WindowOptions): Promise<TranscriptWindow> {
    return windowOf(this.#tree, options);
  }

  async getRecentHistory(maxBytes: number, minRecentMessages = 1): Promise<RecentHistory> {
    return recentOf(await this.getHistory(), { maxBytes, minRecentMessages });
  }

  async *iterateHistory({ leafId, batchSize = 200 }: { leafId?: string; batchSize?: number } = {}) {
    const path = visiblePath(this.#tree, this.#leaf(leafId));
    for (let start = 0; start < path.length; start += batchSize) {
      yield path.slice(start, start + batchSize).map(entryMessage);
    }
  }

  async getHistoryRowStats(leafId?: string): Promise<HistoryRowStat[]> {
    return livePath(this.#tree, this.#leaf(leafId)).map(({ record: { body } }) => {
      const bytes = new TextEncoder().encode(contentOf(body)).length;
      return { id: body.id, role: body.role, bytes };
    });
  }

  async setPinned(messageId: string, pinned: boolean): Promise<void> {
    pinIn(this.#access.write(), messageId, pinned);
  }

  async setLabel(messageId: string, label: string | null): Promise<void> {
    labelIn(this.#access.write(), messageId, label);
  }

  async addCompaction(
    summary: string,
    fromId: string,
    toId: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    return addOverlay(this.#access.write(), { summary, fromId, toId, metadata });
  }

  async replaceCompaction(
    compactionId: string,
    summary: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    return replaceOverlay(this.#access.write(), compactionId, { summary, metadata });
  }

  async getCompactions(): Promise<Compaction[]> {
    return liveCompactions(this.#tree);
  }

  async removeCompaction(compactionId: string): Promise<void> {
    setRemoved(this.#access.write(), compactionId, { was: false });
  }

  async restoreCompaction(compactionId: string): Promise<void> {
    setRemoved(this.#access.write(), compactionId, { was: true });
  }

  async updateCompaction(compactionId: string, summary: string): Promise<void> {
    rewriteSummary(this.#access.write(), compactionId, summary);
  }

  async searchMessages(
    query: string | SearchQuery,
    options: SearchOptions | number = {},
  ): Promise<SearchHit[]> {
    const given = typeof options === "number" ? { limit: options } : options;
    const { sessionId } = this.#access;
    const asked = queryWith(query, given);
    const hits = ranked(asked, matchesIn(this.#tree, { sessionId }, asked));
    return hits.slice(0, searchLimit(given));
  }

  async getLoadedSkills(leafId?: string): Promise<LoadedSkill[]> {
    return loadedSkills(this.#tree, this.#leaf(leafId));
  }

  async recordSkillEvent({ label, key }: LoadedSkill, action: "load" | "unload"): Promise<void> {
    recordSkill(this.#access.write(), { label, key, action });
  }

  get #tree(): SessionTree {
    return this.#access.read();
  }

  #leaf(leafId: string | undefined): string | null {
    return leafId ?? this.#tree.activeLeafId;
  }
}

function accessTo(tree: SessionTree): TreeAccess {
  const open = () => tree;
  return { sessionId: "default", read: open, write: open, append: open, touch: () => undefined };
}

function messagesOf(records: readonly TreeRecord[]): StoredMessage[] {
  return records.map((record) => fromStoredBody(record.body));
}

function treeNode(tree: SessionTree, record: TreeRecord): TreeNode {
  const message = fromStoredBody(record.body);
  return {
    id: message.id,
    parentId: survivingParent(tree, record)?.body.id ?? null,
    role: message.role,
    createdAt: message.createdAt,
    preview: previewOf(message),
    pinned: record.pinned,
    label: record.label,
  };
}

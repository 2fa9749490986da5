import type postgres from "postgres";
import {
  type AppendOptions,
  type Compaction,
  type LoadedSkill,
  MessageConflictError,
  MessageNotFoundError,
  type SearchHit,
  type SearchOptions,
  type SessionMessage,
  type SessionTreeProvider,
  type StoredMessage,
} from "../session";
import {
  assertDistinct,
  assertId,
  type ChangedDeletion,
  type ContinueOptions,
  compactionIdOf,
  type DeleteMessagesOptions,
  type FollowedTree,
  type FollowOptions,
  followIn,
  type HistoryRowStat,
  isAlone,
  type ListedMessage,
  type SkillEvent,
  stepCount,
  storableLabel,
  storableText,
} from "../session/internal";
import type {
  AppendResult,
  CompactionMetadata,
  FollowResult,
  RecentHistory,
  SearchQuery,
  SteppedBack,
  TranscriptWindow,
  TreeNode,
  WindowOptions,
} from "../session/ports";
import { readableStatements } from "./connect";
import { withMoreTime } from "./connections/own-connection";
import type { Sql } from "./connections/sql";
import { translated } from "./database-error";
import { searchMessages } from "./search/search-messages";
import { type AppendQuery, appendChain, continueAt, isRefusal } from "./tree/append-messages";
import * as compactions from "./tree/compactions";
import { historyBatches, recentHistory } from "./tree/history-batches";
import { linkTree } from "./tree/link-tree";
import * as paths from "./tree/path-rows";
import { loadedSkills, recordSkillEvent } from "./tree/skill-events";
import { compactionFromRow, messageColumns, messageFromRow } from "./tree/stored-message";
import {
  everything,
  history,
  oldestWindow,
  type WindowRow,
  window,
  windowFromRows,
} from "./tree/window";

/** Every write is one statement. */
export class PostgresSessionProvider implements SessionTreeProvider {
  readonly #sql: Sql;
  readonly #key: { readonly owner: string; readonly session: string };
  readonly #target: Pick<AppendQuery, "owner" | "session" | "requires">;

  /** Default: a first append creates the session. @throws {InvalidArgumentError} for a pool that reads other types. */
  constructor(
    pool: Sql | postgres.Sql,
    {
      ownerId,
      sessionId,
      requires = "nothing",
    }: { ownerId: string; sessionId: string; requires?: AppendQuery["requires"] },
  ) {
    this.#sql = readableStatements(pool);
    this.#key = { owner: ownerId, session: sessionId };
    this.#target = { ...this.#key, requires };
  }

  async getMessage(id: string): Promise<StoredMessage | null> {
    const row = await paths.messageById(this.#sql, { ...this.#key, id });
    return row ? messageFromRow(row) : null;
  }

  getHistory(leafId?: string): Promise<StoredMessage[]> {
    return this.#history({ leafId });
  }

  async getLatestLeaf(): Promise<StoredMessage | null> {
    const [leaf] = await this.#history({ limit: 1, overlays: false });
    return leaf ?? null;
  }

  async getBranches(messageId: string): Promise<StoredMessage[]> {
    const rows = await paths.replies(this.#sql, { ...this.#key, id: messageId });
    return rows.map(messageFromRow);
  }

  async getRoots(): Promise<StoredMessage[]> {
    return this.#children(null);
  }

  getPathLength(leafId?: string): Promise<number> {
    return paths.pathLength(this.#sql, { ...this.#key, leaf: leafId ?? null });
  }

  async appendMessage(
    message: SessionMessage,
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    const [result] = await this.appendMessages([message], parentId, options);
    if (!result) throw new Error("An append returned nothing.");
    return result;
  }

  async appendMessages(
    messages: readonly SessionMessage[],
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult[]> {
    return appendChain(this.#sql, this.#target, { messages, parentId, ...options });
  }

  async updateMessage(message: SessionMessage): Promise<boolean> {
    const { content, preview, tsv: words, skills } = messageColumns(message);
    const [{ owner, session }, tsv] = [this.#key, await words];
    const [row] = await this.#write(
      (sql) => sql<{ changed: boolean }[]>`
        select chat_update_message(
          ${owner}, ${session}, ${message.id}, ${content}, ${preview}, ${tsv}::tsvector, ${skills}::text::json
        ) as changed`,
    );
    return row?.changed ?? false;
  }

  async deleteMessages(
    messageIds: readonly string[],
    {
      deletionId = crypto.randomUUID(),
      withDescendants: isWhole = false,
      continueAt = "sibling",
    }: DeleteMessagesOptions = {},
  ): Promise<ChangedDeletion> {
    assertId(deletionId, "deletion");
    const { owner, session } = this.#key;
    const named = [...new Set(messageIds)].sort();
    const given = [...messageIds];
    const toParent = continueAt === "parent";
    const rows = isWhole ? await this.#messageCount() : given.length;
    const send = (sql: Sql) => {
      const below = isWhole
        ? sql`chat_with_descendants(${owner}, ${session}, ${given})`
        : sql`'{}'::text[]`;
      return sql<{ id: string; removed: string[]; changed: boolean }[]>`
        select deletion_id as id, message_ids as removed, changed
        from chat_delete(${owner}, ${session}, ${given}::text[] || ${below}, ${named}, ${deletionId}, ${toParent})`;
    };
    const [row] = await this.#write(send, rows);
    const { id = deletionId, removed = [], changed = false } = row ?? {};
    return { deletionId: id, messageIds: removed, changed };
  }

  async restoreMessages(deletionId: string): Promise<boolean> {
    const { owner, session } = this.#key;
    const [row] = await this.#write(
      (sql) => sql<{ changed: boolean }[]>`
        select chat_restore(${owner}, ${session}, ${deletionId}) as changed`,
    );
    return row?.changed ?? false;
  }

  async clearMessages(): Promise<void> {
    const { owner, session } = this.#key;
    await this.#write((sql) => sql`select chat_clear(${owner}, ${session})`);
  }

  async setActiveLeaf(messageId: string): Promise<void> {
    await translated(
      this.#sql`select chat_activate(${this.#key.owner}, ${this.#key.session}, ${messageId})`,
    );
  }

  async stepBack(count: number): Promise<SteppedBack> {
    const steps = Math.min(stepCount(count), everything - 1);
    const rows = await translated(this.#sql<paths.MessageRow[]>`
      select id, role, created_at, content from chat_step_back(${this.#key.owner}, ${this.#key.session}, ${steps})`);
    const passed = rows.slice(0, steps).map(messageFromRow).reverse();
    return { passed, leafId: rows[steps]?.id ?? null };
  }

  async continueAfter(
    messageId: string | null,
    messages: readonly SessionMessage[],
    { expectedLeafId }: ContinueOptions,
  ): Promise<AppendResult[] | null> {
    assertDistinct(messages);
    for (;;) {
      const revision = await paths.revision(this.#sql, this.#key);
      if ((await this.#leafId(undefined)) !== expectedLeafId) return null;
      try {
        const appended = await continueAt(this.#sql, this.#target, {
          leafId: messageId,
          messages,
          revision,
        });
        if (appended) return appended;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const [taken] = await this.#taken(messages.map(({ id }) => id));
        throw taken === undefined ? error : new MessageConflictError(taken);
      }
    }
  }

  async #taken(ids: readonly string[]): Promise<string[]> {
    const known = await paths.knownMessages(this.#sql, { ...this.#key, ids });
    return known.map(({ id }) => id);
  }

  async follow(
    messages: readonly ListedMessage[],
    options: FollowOptions = {},
  ): Promise<FollowResult> {
    const tree: FollowedTree = {
      revision: () => paths.revision(this.#sql, this.#key),
      path: (leafId, limit) => this.#history({ leafId, limit, overlays: false }),
      children: (id) => this.#children(id),
      leafUnder: (id) => this.getLeafUnder(id),
      taken: async (ids) => new Set(await this.#taken(ids)),
      continueAt: (leafId, rest, revision) =>
        continueAt(this.#sql, this.#target, { leafId, messages: rest, revision }),
    };
    return followIn(tree, messages, options);
  }

  async getLeafUnder(messageId: string): Promise<string> {
    const leaf = await paths.leafUnder(this.#sql, { ...this.#key, id: messageId });
    if (leaf === undefined) throw new MessageNotFoundError(messageId);
    return leaf;
  }

  async getSiblings(messageId: string): Promise<StoredMessage[]> {
    const found = await paths.beside(this.#sql, { ...this.#key, id: messageId });
    if (!found) throw new MessageNotFoundError(messageId);
    return this.#messages(found.sibling_ids ?? [messageId]);
  }

  async getLeaves(): Promise<StoredMessage[]> {
    const nodes = await this.getTree();
    const parents = new Set(nodes.map((node) => node.parentId));
    return this.#messages(nodes.filter((node) => !parents.has(node.id)).map((node) => node.id));
  }

  async getTree(): Promise<TreeNode[]> {
    const [branches, rows] = await Promise.all([
      paths.treeBranches(this.#sql, this.#key),
      withMoreTime(this.#sql, (sql) => paths.treeRows(sql, this.#key)),
    ]);
    return linkTree(branches, rows);
  }

  async getWindow(options: WindowOptions = {}): Promise<TranscriptWindow> {
    const { limit = 50 } = options;
    const span = this.#span(options);
    const beside = isAlone(options) ? 0 : limit;
    if (options.oldest) {
      const rows = await oldestWindow(this.#sql, { ...span, limit, beside });
      const leafId = await this.#leafOf(rows, options);
      return windowFromRows(rows, { limit, leafId, hasMore: rows[0]?.more ?? false });
    }
    const rows = await window(this.#sql, { ...span, limit: limit + 1, beside });
    return windowFromRows(rows, { limit, leafId: await this.#leafOf(rows, options) });
  }

  async #leafOf([newest]: readonly WindowRow[], { leafId }: WindowOptions): Promise<string | null> {
    return newest ? (newest.leaf_id ?? newest.id) : this.#leafId(leafId);
  }

  async getRecentHistory(maxBytes: number, minRecentMessages = 1): Promise<RecentHistory> {
    const least = Math.max(1, minRecentMessages);
    return recentHistory(this.#sql, { ...this.#key, maxBytes, least });
  }

  async *iterateHistory({
    leafId,
    batchSize,
  }: {
    leafId?: string;
    batchSize?: number;
  } = {}): AsyncIterable<StoredMessage[]> {
    // Fixes the path while later messages arrive.
    const leaf = await this.#leafId(leafId);
    if (leaf === null) return;
    yield* historyBatches(this.#sql, { ...this.#key, leaf, batchSize });
  }

  getHistoryRowStats(leafId?: string): Promise<HistoryRowStat[]> {
    return paths.rowStats(this.#sql, { ...this.#key, leaf: leafId ?? null });
  }

  async setPinned(messageId: string, pinned: boolean): Promise<void> {
    const { owner, session } = this.#key;
    await this.#write((sql) => sql`select chat_pin(${owner}, ${session}, ${messageId}, ${pinned})`);
  }

  async setLabel(messageId: string, label: string | null): Promise<void> {
    const line = storableLabel(label);
    const text = line && storableText(line);
    const { owner, session } = this.#key;
    await this.#write((sql) => sql`select chat_label(${owner}, ${session}, ${messageId}, ${text})`);
  }

  async addCompaction(
    summary: string,
    fromId: string,
    toId: string,
    metadata: CompactionMetadata = {},
  ): Promise<Compaction> {
    const [from, to] = await this.#range(fromId, toId);
    const id = crypto.randomUUID();
    const text = storableText(summary);
    const row = await translated(
      compactions.addCompaction(this.#sql, { ...this.#key, id, from, to, summary: text, metadata }),
      [from, to],
    );
    return compactionFromRow({ ...row, id, summary: text, metadata });
  }

  async replaceCompaction(
    compactionId: string,
    summary: string,
    metadata: CompactionMetadata = {},
  ): Promise<Compaction> {
    const id = crypto.randomUUID();
    const text = storableText(summary);
    const query = { ...this.#key, old: compactionId, id, summary: text, metadata };
    const row = await translated(compactions.replaceCompaction(this.#sql, query));
    return compactionFromRow({ ...row, id, summary: text, metadata });
  }

  async getCompactions(): Promise<Compaction[]> {
    const rows = await compactions.listCompactions(this.#sql, this.#key);
    return rows.map(compactionFromRow);
  }

  async removeCompaction(compactionId: string): Promise<void> {
    await translated(
      this
        .#sql`select chat_remove_compaction(${this.#key.owner}, ${this.#key.session}, ${compactionId})`,
    );
  }

  async restoreCompaction(compactionId: string): Promise<void> {
    await translated(
      this
        .#sql`select chat_restore_compaction(${this.#key.owner}, ${this.#key.session}, ${compactionId})`,
    );
  }

  async updateCompaction(compactionId: string, summary: string): Promise<void> {
    await translated(
      compactions.updateCompaction(this.#sql, {
        ...this.#key,
        id: compactionId,
        summary: storableText(summary),
      }),
    );
  }

  searchMessages(
    query: string | SearchQuery,
    options: SearchOptions | number = {},
  ): Promise<SearchHit[]> {
    return searchMessages(this.#sql, this.#key, { input: query, options });
  }

  getLoadedSkills(leafId?: string): Promise<LoadedSkill[]> {
    return loadedSkills(this.#sql, { ...this.#key, leaf: leafId ?? null });
  }

  recordSkillEvent(skill: LoadedSkill, action: SkillEvent["action"]): Promise<void> {
    return recordSkillEvent(this.#sql, this.#key, { ...skill, action });
  }

  /** Some writes change as many rows as the session, or its borrowers, have. */
  #write<Rows>(send: (sql: Sql) => PromiseLike<Rows>, rows?: number): Promise<Rows> {
    return translated(withMoreTime(this.#sql, send, { rows }));
  }

  async #messageCount(): Promise<number> {
    const [row] = await translated(this.#sql<{ count: number }[]>`
      select message_count as count from chat_session
      where owner_id = ${this.#key.owner} and session_id = ${this.#key.session}`);
    return row?.count ?? 0;
  }

  #history({ limit = everything, ...options }: WindowOptions): Promise<StoredMessage[]> {
    return history(this.#sql, { ...this.#span(options), limit });
  }

  #span({
    leafId,
    beforePosition = everything,
    afterPosition = -1,
    overlays = true,
  }: WindowOptions) {
    return {
      ...this.#key,
      leaf: leafId ?? null,
      before: beforePosition,
      after: afterPosition,
      overlays,
    };
  }

  async #leafId(leafId: string | undefined): Promise<string | null> {
    const place = await paths.place(this.#sql, { ...this.#key, leaf: leafId ?? null });
    return place?.id ?? null;
  }

  async #messages(ids: readonly string[]): Promise<StoredMessage[]> {
    if (ids.length === 0) return [];
    const rows = await paths.messagesById(this.#sql, { ...this.#key, ids });
    return rows.map(messageFromRow);
  }

  async #children(id: string | null): Promise<StoredMessage[]> {
    const rows = await paths.children(this.#sql, { ...this.#key, id });
    return rows.map(messageFromRow);
  }

  async #range(fromId: string, toId: string): Promise<[string, string]> {
    const from = compactionIdOf(fromId);
    const to = compactionIdOf(toId);
    if (from === null && to === null) return [fromId, toId];
    const known = new Map(
      (await this.getCompactions()).map((compaction) => [compaction.id, compaction]),
    );
    const start = from === null ? fromId : known.get(from)?.fromMessageId;
    const end = to === null ? toId : known.get(to)?.toMessageId;
    if (start === undefined) throw new MessageNotFoundError(fromId);
    if (end === undefined) throw new MessageNotFoundError(toId);
    return [start, end];
  }
}

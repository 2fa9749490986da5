import { and, eq, sql as expression } from "drizzle-orm";
import type { Sql } from "postgres";
import { drizzleOn } from "@/lib/postgres/drizzle-on";
import { chatBranch, chatRun, chatSession, chatSkillEvent } from "@/lib/postgres/schema";
import { storableJson } from "@/lib/postgres/storable";
import { messageColumns } from "@/lib/postgres/tree/stored-message";
import {
  compactionIdOf,
  type SessionRecordOf,
  storableText,
  toTsvector,
} from "@/lib/session/internal";
import { BranchLayout, type Place } from "./branch-layout";
import { deleteSessionRows } from "./delete-rows";
import { DocumentImport } from "./document-import";
import type { BlockImport } from "./import-block";
import { ImportError } from "./import-error";
import { type ImportedMessageRow, importingSource, insertMessages } from "./import-rows";

const messagesAtOnce = 200;
const charactersAtOnce = 1_000_000;

interface SessionImportOptions {
  readonly owner: string;
  readonly blocks: BlockImport;
  readonly record: SessionRecordOf<"session">;
  /** A new one when its own is taken. */
  readonly id: string;
  readonly parentId: string | null;
}

/** Hidden until `finish`; `abort` removes it. The next attempt removes leftovers of a dead process. */
export class SessionImport {
  readonly #sql: Sql;
  readonly #options: SessionImportOptions;
  readonly #layout = new BranchLayout();
  readonly #branchIds: number[] = [];
  readonly #compactionIds = new Set<string>();
  readonly #documents: DocumentImport;
  #waiting: ImportedMessageRow[] = [];
  #waitingCharacters = 0;

  private constructor(sql: Sql, options: SessionImportOptions) {
    this.#sql = sql;
    this.#options = options;
    this.#documents = new DocumentImport(sql, options.owner, options.blocks);
  }

  static async begin(sql: Sql, options: SessionImportOptions): Promise<SessionImport> {
    const { owner, record, id, parentId } = options;
    await deleteLeftOver(sql, { owner, session: id });
    await drizzleOn(sql)
      .insert(chatSession)
      .values({
        ownerId: owner,
        sessionId: id,
        title: storableText(record.title),
        parentSessionId: parentId,
        forkedAtMessageId: record.forkedAtMessageId,
        model: record.model,
        source: importingSource,
        tags: record.tags.map(storableText),
        metadata: record.metadata,
        skillsBefore: record.skillsBefore,
        inputTokens: record.inputTokens,
        outputTokens: record.outputTokens,
        cost: record.cost,
        frozenPrompt: record.frozenPrompt && storableText(record.frozenPrompt),
        frozenVersions: record.frozenVersions,
        pinnedAt: record.pinnedAt === null ? null : new Date(record.pinnedAt),
        archivedAt: record.archivedAt === null ? null : new Date(record.archivedAt),
        deletedAt: expression`now()`,
        createdAt: new Date(record.createdAt),
        updatedAt: new Date(record.updatedAt),
      });
    return new SessionImport(sql, options);
  }

  async message(record: SessionRecordOf<"message">): Promise<void> {
    const { id, parentId, role, createdAt, pinned, label, content } = record;
    assertMessageId(id);
    const place = this.#layout.add(id, parentId);
    const columns = messageColumns({ ...content, id, role, createdAt: undefined });
    const tsv = await columns.tsv;
    const branch = await this.#branchId(place.branch);
    this.#waiting.push({
      ...columns,
      tsv,
      branch,
      pos: place.pos,
      id,
      role,
      ordinal: this.#layout.size,
      pinned,
      label: label && storableText(label),
      createdAt,
    });
    this.#waitingCharacters += columns.content.length + tsv.length;
    const isFull =
      this.#waiting.length >= messagesAtOnce || this.#waitingCharacters > charactersAtOnce;
    if (isFull) await this.#flush();
  }

  async gap({ id, parentId }: SessionRecordOf<"gap">): Promise<void> {
    assertMessageId(id);
    await this.#branchId(this.#layout.addGap(id, parentId).branch);
  }

  async compaction(record: SessionRecordOf<"compaction">): Promise<void> {
    const { owner, id: session } = this.#options;
    const from = this.#layout.find(record.fromMessageId, "fromMessageId");
    const to = this.#layout.find(record.toMessageId, "toMessageId");
    if (!this.#layout.isOnPath(from, to))
      throw new ImportError("A summary must begin on the path to its end.", "fromMessageId");
    if (this.#compactionIds.has(record.id))
      throw new ImportError(`The summary id “${record.id}” occurs twice.`, "id");
    this.#compactionIds.add(record.id);
    const branch = await this.#branchId(to.branch);
    const summary = storableText(record.summary);
    const tsv = toTsvector(summary);
    await this.#sql`
      with moment as (select nextval('chat_moment') as moment),
      compaction as (
        insert into chat_compaction (
          owner_id, compaction_id, made_moment, branch_id, session_id, id, from_pos, to_pos, from_message_id, to_message_id,
          summary, metadata, created_at
        )
        select
          ${owner}, moment.moment, moment.moment, ${branch}, ${session}, ${record.id}, ${from.pos}, ${to.pos},
          ${record.fromMessageId}, ${record.toMessageId}, ${summary},
          ${storableJson(record.metadata)}::text::jsonb, ${record.createdAt}
        from moment
        returning compaction_id
      )
      insert into chat_search (owner_id, branch_id, pos, compaction_id, session_id, role, created_at, tsv)
      select ${owner}, ${branch}, ${to.pos}, compaction.compaction_id, ${session}, 'user', ${record.createdAt}, ${tsv}::tsvector
      from compaction
      where ${tsv} <> ''`;
  }

  async skill(record: SessionRecordOf<"skill">): Promise<void> {
    const { owner, id: session } = this.#options;
    const at = this.#layout.find(record.messageId, "messageId");
    const branch = await this.#branchId(at.branch);
    await drizzleOn(this.#sql)
      .insert(chatSkillEvent)
      .values({
        ownerId: owner,
        branchId: branch,
        pos: at.pos,
        sessionId: session,
        label: storableText(record.label),
        key: storableText(record.key),
        action: record.action,
        noted: true,
      });
  }

  async answer(record: SessionRecordOf<"answer">): Promise<void> {
    const { owner, id: session, record: given } = this.#options;
    const runId = session === given.id ? record.runId : `${record.runId} ${session}`.slice(0, 200);
    await drizzleOn(this.#sql)
      .insert(chatRun)
      .values({
        ownerId: owner,
        runId,
        sessionId: session,
        messageId: record.messageId,
        parentId: record.parentId,
        model: record.model,
        status: record.status,
        leaseUntil: expression`now()`,
        receipt: record.receipt,
        startedAt: new Date(record.startedAt),
        finishedAt: new Date(record.finishedAt ?? record.startedAt),
      })
      .onConflictDoNothing();
  }

  async block(record: SessionRecordOf<"block">): Promise<void> {
    if (record.scope !== this.#options.record.id)
      throw new ImportError("This block belongs to another session.", "scope");
    await this.#options.blocks.take(record, this.#options.id);
  }

  async document(record: SessionRecordOf<"document">): Promise<void> {
    if (record.scope !== this.#options.record.id)
      throw new ImportError("This document belongs to another session.", "scope");
    await this.#documents.flush();
    await this.#documents.begin(record, this.#options.id);
  }

  version(record: SessionRecordOf<"version">): void {
    this.#documents.version(record);
  }

  /** @throws {ImportError} when messages are missing; then nothing is shown. */
  async finish({ messages }: SessionRecordOf<"session-end">): Promise<void> {
    const { owner, id: session, record } = this.#options;
    if (messages !== this.#layout.size) {
      throw new ImportError(
        `${messages} messages were announced, ${this.#layout.size} came.`,
        "messages",
      );
    }
    await this.#documents.flush();
    await this.#flush();
    const heads = this.#layout.branches.map(({ head }) => head);
    // The driver encodes lists of booleans wrongly.
    const sparse = this.#layout.branches.map((branch) => String(branch.sparse));
    const leaf =
      record.activeLeafId === null ? null : this.#layout.find(record.activeLeafId, "activeLeafId");
    const [branch, pos] = await this.#activePlace(leaf);
    await this.#sql`
      with grown as (
        update chat_branch branch
        set head = given.head, touched = given.touched, sparse = given.sparse
        from unnest(
          ${this.#branchIds}::bigint[], ${heads}::integer[], ${this.#layout.ranksOf(record.leafIds)}::bigint[],
          ${sparse}::text[]::boolean[]
        ) as given (branch_id, head, touched, sparse)
        where branch.owner_id = ${owner} and branch.branch_id = given.branch_id
      )
      update chat_session
      set
        deleted_at = null, source = ${record.source === importingSource ? null : record.source},
        touches = ${this.#layout.size + record.leafIds.length}, message_count = ${this.#layout.size},
        active_branch = ${branch}, active_pos = ${pos}
      where owner_id = ${owner} and session_id = ${session}`;
  }

  async abort(): Promise<void> {
    const { owner, id: session } = this.#options;
    await deleteLeftOver(this.#sql, { owner, session });
  }

  async #activePlace(leaf: Place | null): Promise<[number | null, number | null]> {
    if (!leaf) return [null, null];
    const isHead = this.#layout.branches[leaf.branch]?.head === leaf.pos;
    return [await this.#branchId(leaf.branch), isHead ? null : leaf.pos];
  }

  /** Its head is set at the end. */
  async #branchId(branch: number): Promise<number> {
    const known = this.#branchIds[branch];
    if (known !== undefined) return known;
    const { parent = null, base = 0 } = this.#layout.branches[branch] ?? {};
    const parentId = parent === null ? null : await this.#branchId(parent);
    const { owner, id: session } = this.#options;
    const [row] = await drizzleOn(this.#sql)
      .insert(chatBranch)
      .values({ ownerId: owner, sessionId: session, parentBranch: parentId, base, head: base })
      .returning({ id: chatBranch.branchId });
    if (!row) throw new Error("The database returned no branch.");
    this.#branchIds[branch] = row.id;
    return row.id;
  }

  async #flush(): Promise<void> {
    const { owner, id: session } = this.#options;
    const rows = this.#waiting;
    this.#waiting = [];
    this.#waitingCharacters = 0;
    if (rows.length > 0) await insertMessages(this.#sql, { owner, session }, rows);
  }
}

function assertMessageId(id: string): void {
  if (compactionIdOf(id) !== null || id.trim() === "" || storableText(id) !== id)
    throw new ImportError(`“${id}” cannot be the id of a message.`, "id");
}

async function deleteLeftOver(sql: Sql, key: { owner: string; session: string }): Promise<void> {
  const [found] = await drizzleOn(sql)
    .select({ id: chatSession.sessionId })
    .from(chatSession)
    .where(
      and(
        eq(chatSession.ownerId, key.owner),
        eq(chatSession.sessionId, key.session),
        eq(chatSession.source, importingSource),
      ),
    );
  if (found) await deleteSessionRows(sql, key);
}

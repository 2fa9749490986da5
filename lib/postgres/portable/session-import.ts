import { and, eq, sql as expression } from "drizzle-orm";
import {
  compactionIdOf,
  type SessionRecordOf,
  storableText,
  toTsvector,
} from "../../session/internal";
import type { Sql } from "../connections/sql";
import { drizzleOn } from "../drizzle-on";
import { chatBranch, chatRun, chatSession, chatSkillEvent } from "../schema";
import { storableJson } from "../storable";
import { messageColumns } from "../tree/stored-message";
import { BranchLayout } from "./branch-layout";
import { deleteSessionRows } from "./delete-rows";
import { DocumentImport } from "./document-import";
import type { BlockImport } from "./import-block";
import { ImportError } from "./import-error";
import {
  type ImportedMessageRow,
  importingSource,
  insertMessages,
  sessionValues,
  shownValues,
} from "./import-rows";

const messagesAtOnce = 200;
const charactersAtOnce = 1_000_000;

interface SessionImportOptions {
  readonly owner: string;
  readonly blocks: BlockImport;
  readonly record: SessionRecordOf<"session">;
}

interface StoredAt {
  readonly id: string;
  readonly parentId: string | null;
}

/**
 * Messages are gathered; everything else needs `store` first, as do more messages once it `isFull`. Stored, it is hidden
 * until `finish`; `abort` removes it. The next attempt removes leftovers of a dead process.
 */
export class SessionImport {
  readonly layout = new BranchLayout();
  readonly #sql: Sql;
  readonly #options: SessionImportOptions;
  readonly #branchIds: number[] = [];
  readonly #compactionIds = new Set<string>();
  readonly #documents: DocumentImport;
  #storedAs: string | null = null;
  #waiting: Omit<ImportedMessageRow, "session">[] = [];
  #waitingCharacters = 0;
  #summariesAndSkills = 0;

  constructor(sql: Sql, options: SessionImportOptions) {
    this.#sql = sql;
    this.#options = options;
    this.#documents = new DocumentImport(sql, options.owner, options.blocks);
  }

  get record(): SessionRecordOf<"session"> {
    return this.#options.record;
  }

  get id(): string {
    return this.record.id;
  }

  get isStored(): boolean {
    return this.#storedAs !== null;
  }

  get isFull(): boolean {
    return this.#waiting.length >= messagesAtOnce || this.characters > charactersAtOnce;
  }

  get characters(): number {
    return this.#waitingCharacters;
  }

  async store({ id, parentId }: StoredAt): Promise<void> {
    const { owner, record } = this.#options;
    await deleteLeftOver(this.#sql, { owner, session: id });
    await drizzleOn(this.#sql)
      .insert(chatSession)
      .values({
        ...sessionValues(record, { owner, id, parentId }),
        source: importingSource,
        deletedAt: expression`now()`,
      });
    this.#storedAs = id;
  }

  async message(record: SessionRecordOf<"message">): Promise<void> {
    const { id, parentId, role, createdAt, pinned, label, content } = record;
    assertMessageId(id);
    const { branch, pos } = this.layout.add(id, parentId);
    const ordinal = this.layout.size;
    const columns = messageColumns({ ...content, id, role, createdAt: undefined });
    const tsv = await columns.tsv;
    this.#waiting.push({
      ...columns,
      tsv,
      branch,
      pos,
      id,
      role,
      ordinal,
      // Earlier versions kept names apart from bookmarks.
      pinned: pinned || label !== null,
      label: label && storableText(label),
      createdAt,
    });
    this.#waitingCharacters += columns.content.length + tsv.length;
    if (this.isStored && this.isFull) await this.#flush();
  }

  rowsIn(session: string, branchIds: readonly number[]): ImportedMessageRow[] {
    return this.#waiting.map((row) => ({ ...row, session, branch: branchIds[row.branch] ?? 0 }));
  }

  async gap({ id, parentId }: SessionRecordOf<"gap">): Promise<void> {
    assertMessageId(id);
    await this.#branchId(this.layout.addGap(id, parentId).branch);
  }

  async compaction(record: SessionRecordOf<"compaction">): Promise<void> {
    const { owner } = this.#options;
    const session = this.#stored;
    const from = this.layout.find(record.fromMessageId, "fromMessageId");
    const to = this.layout.find(record.toMessageId, "toMessageId");
    if (!this.layout.isOnPath(from, to))
      throw new ImportError("A summary must begin on the path to its end.", "fromMessageId");
    if (this.#compactionIds.has(record.id))
      throw new ImportError(`The summary id “${record.id}” occurs twice.`, "id");
    this.#compactionIds.add(record.id);
    const branch = await this.#branchId(to.branch);
    const summary = storableText(record.summary);
    const tsv = toTsvector(summary);
    const moment = this.#nextMoment();
    await this.#sql`
      with compaction as (
        insert into chat_compaction (
          owner_id, compaction_id, made_moment, branch_id, session_id, id, from_pos, to_pos, from_message_id, to_message_id,
          summary, metadata, created_at
        )
        values (
          ${owner}, ${moment}, ${moment}, ${branch}, ${session}, ${record.id}, ${from.pos}, ${to.pos},
          ${record.fromMessageId}, ${record.toMessageId}, ${summary},
          ${storableJson(record.metadata)}::text::jsonb, ${record.createdAt}
        )
        returning compaction_id
      )
      insert into chat_search (owner_id, branch_id, pos, compaction_id, session_id, role, created_at, tsv)
      select ${owner}, ${branch}, ${to.pos}, compaction.compaction_id, ${session}, 'user', ${record.createdAt}, ${tsv}::tsvector
      from compaction
      where ${tsv} <> ''`;
  }

  async skill(record: SessionRecordOf<"skill">): Promise<void> {
    const { owner } = this.#options;
    const session = this.#stored;
    const at = this.layout.find(record.messageId, "messageId");
    const branch = await this.#branchId(at.branch);
    await drizzleOn(this.#sql)
      .insert(chatSkillEvent)
      .values({
        ownerId: owner,
        eventId: this.#nextMoment(),
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
    const { owner, record: given } = this.#options;
    const session = this.#stored;
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
    // It is none of Grove's own, whatever it says.
    const origin = record.origin === "app" ? "person" : record.origin;
    const own = { ...record, perSession: true, ...(origin && { origin }) };
    await this.#options.blocks.take(own, this.#stored);
  }

  async document(record: SessionRecordOf<"document">): Promise<void> {
    if (record.scope !== this.#options.record.id)
      throw new ImportError("This document belongs to another session.", "scope");
    await this.#documents.flush();
    await this.#documents.begin(record, this.#stored);
  }

  version(record: SessionRecordOf<"version">): void {
    this.#documents.version(record);
  }

  /** @throws {ImportError} when messages are missing. */
  assertWhole({ messages }: SessionRecordOf<"session-end">): void {
    const { size } = this.layout;
    if (messages !== size)
      throw new ImportError(`${messages} messages were announced, ${size} came.`, "messages");
    this.layout.activePlace(this.record.activeLeafId);
  }

  async finish(): Promise<void> {
    const { owner, record } = this.#options;
    await this.#documents.flush();
    await this.#flush();
    const heads = this.layout.branches.map(({ head }) => head);
    // The driver encodes lists of booleans wrongly.
    const sparse = this.layout.branches.map((branch) => String(branch.sparse));
    await this.#sql`
      update chat_branch branch
      set head = given.head, touched = given.touched, sparse = given.sparse
      from unnest(
        ${this.#branchIds}::bigint[], ${heads}::integer[], ${this.layout.ranksOf(record.leafIds)}::bigint[],
        ${sparse}::text[]::boolean[]
      ) as given (branch_id, head, touched, sparse)
      where branch.owner_id = ${owner} and branch.branch_id = given.branch_id`;
    await drizzleOn(this.#sql)
      .update(chatSession)
      .set(shownValues(record, this.layout, this.#branchIds, this.#summariesAndSkills))
      .where(and(eq(chatSession.ownerId, owner), eq(chatSession.sessionId, this.#stored)));
  }

  async abort(): Promise<void> {
    if (this.#storedAs === null) return;
    const key = { owner: this.#options.owner, session: this.#storedAs };
    await deleteLeftOver(this.#sql, key);
  }

  get #stored(): string {
    if (this.#storedAs === null) throw new Error("The session has not been stored yet.");
    return this.#storedAs;
  }

  #nextMoment(): number {
    return this.layout.size + ++this.#summariesAndSkills;
  }

  async #branchId(branch: number): Promise<number> {
    const known = this.#branchIds[branch];
    if (known !== undefined) return known;
    const { parent = null, base = 0 } = this.layout.branches[branch] ?? {};
    const parentId = parent === null ? null : await this.#branchId(parent);
    const { owner } = this.#options;
    const session = this.#stored;
    const [row] = await drizzleOn(this.#sql)
      .insert(chatBranch)
      .values({ ownerId: owner, sessionId: session, parentBranch: parentId, base, head: base })
      .returning({ id: chatBranch.branchId });
    if (!row) throw new Error("The database returned no branch.");
    this.#branchIds[branch] = row.id;
    return row.id;
  }

  async #flush(): Promise<void> {
    for (const branch of this.layout.branches.keys()) await this.#branchId(branch);
    const rows = this.rowsIn(this.#stored, this.#branchIds);
    this.#waiting = [];
    this.#waitingCharacters = 0;
    if (rows.length > 0) await insertMessages(this.#sql, this.#options.owner, rows);
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

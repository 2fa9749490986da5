import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import {
  BlockConflictError,
  BlockNotFoundError,
  type ContextEntry,
  type WriteOptions,
} from "../../session";
import {
  assertId,
  type BlockKind,
  type DeleteEntryOptions,
  storableText,
  toTsvectorInSlices,
} from "../../session/internal";
import type { DocumentVersion } from "../../session/ports";
import type { Sql } from "../connections/sql";
import { translated } from "../database-error";
import { type Database, drizzleOn } from "../drizzle-on";
import { isOfOpenSession } from "../live-session";
import { chatBlock, chatDocument, chatDocumentVersion } from "../schema";
import { assertOpen } from "./proposals";

export type OwnedBlockRef = {
  readonly ownerId: string;
  readonly sessionId?: string | null | undefined;
} & ({ readonly blockId: string; readonly label?: string } | { readonly label: string });

interface BlockPlace {
  readonly ownerId: string;
  /** Empty for a block of every session. */
  readonly sessionId: string;
  readonly label: string;
}

export type DocumentRow = typeof chatDocument.$inferSelect;

export interface DocumentText {
  /** `null` deletes the document. */
  readonly content: string | null;
  readonly title?: string | undefined;
  /** An empty description clears it. */
  readonly description?: string | undefined;
}

export const labelIndex = [
  chatBlock.ownerId,
  chatBlock.sessionId,
  chatBlock.scope,
  chatBlock.label,
];
export const whileThere = sql`deleted_at is null`;

/** A plain block's text has the key `""`. */
export class Documents {
  readonly #db: Database;
  readonly #ref: OwnedBlockRef;
  readonly #kind: BlockKind;

  constructor(pool: Sql, ref: OwnedBlockRef, kind: BlockKind) {
    this.#db = drizzleOn(pool);
    this.#ref = ref;
    this.#kind = kind;
  }

  async read(key: string): Promise<DocumentRow | undefined> {
    // Postgres would refuse to look for U+0000.
    if (key.includes("\0")) return undefined;
    const [row] = await translated(
      this.#db
        .select()
        .from(chatDocument)
        .where(this.#of(chatDocument, eq(chatDocument.key, key))),
    );
    return row;
  }

  async versions(key: string, limit = 100): Promise<DocumentVersion[]> {
    const rows = await translated(
      this.#db
        .select()
        .from(chatDocumentVersion)
        .where(this.#of(chatDocumentVersion, eq(chatDocumentVersion.key, key)))
        .orderBy(desc(chatDocumentVersion.version))
        .limit(limit),
    );
    return rows.map(versionOf);
  }

  async entries(limit: number): Promise<ContextEntry[]> {
    const rows = await translated(
      this.#db
        .select()
        .from(chatDocument)
        .where(this.#ofEntries())
        .orderBy(asc(chatDocument.key))
        .limit(limit),
    );
    return rows.map(entryOf);
  }

  async count(): Promise<number> {
    return translated(this.#db.$count(chatDocument, this.#ofEntries()));
  }

  async search(words: string, limit: number): Promise<ContextEntry[]> {
    const rows = await translated(
      this.#db
        .select()
        .from(chatDocument)
        .where(and(this.#ofEntries(), sql`${chatDocument.tsv} @@ ${words}::tsquery`))
        .orderBy(desc(sql`ts_rank(${chatDocument.tsv}, ${words}::tsquery)`), asc(chatDocument.key))
        .limit(limit),
    );
    return rows.map(entryOf);
  }

  /** An entry whose key continues another's after a slash is its file, and is left out. */
  async heads(): Promise<Pick<DocumentRow, "key" | "description">[]> {
    const skill = alias(chatDocument, "skill");
    const isFile = and(
      eq(skill.ownerId, chatDocument.ownerId),
      eq(skill.blockId, chatDocument.blockId),
      eq(skill.sessionId, chatDocument.sessionId),
      ne(skill.key, ""),
      isNotNull(skill.content),
      sql`starts_with(${chatDocument.key}, ${skill.key} || '/')`,
    );
    return translated(
      this.#db
        .select({ key: chatDocument.key, description: chatDocument.description })
        .from(chatDocument)
        .where(
          and(
            this.#ofEntries(),
            sql`(strpos(${chatDocument.key}, '/') = 0
              or not exists (select from chat_document skill where ${isFile}))`,
          ),
        )
        .orderBy(asc(chatDocument.key))
        .limit(1_000),
    );
  }

  /**
   * Creates a block named by its label on the first write.
   *
   * @throws {BlockNotFoundError} when its block, or the block's session, is deleted.
   * @throws {BlockConflictError} when `expectedVersion` is no longer the newest.
   * @throws {ProposalDecidedError} when its proposal is not open.
   */
  async write(key: string, text: DocumentText, options: WriteOptions = {}): Promise<number> {
    const { provenance, expectedVersion } = options;
    const tsv =
      text.content === null ? null : await toTsvectorInSlices(await this.#searchedText(key, text));
    const row = { ...text, key, tsv };
    let written = await this.#write(row, options);
    if (written === null && (await this.#makeNamed())) written = await this.#write(row, options);
    if (written !== null) return written;
    if (!(await this.#isThere())) throw new BlockNotFoundError(this.#name);
    await assertOpen(this.#db, this.#ref.ownerId, provenance?.proposalId);
    const current = await this.read(key);
    throw new BlockConflictError(this.#name, expectedVersion ?? 0, current?.version ?? 0);
  }

  /** @throws {BlockNotFoundError} when its block, or the block's session, is deleted. */
  async delete(
    key: string,
    {
      deletionId = crypto.randomUUID(),
      withFiles = false,
      expectedVersion,
      provenance,
    }: DeleteEntryOptions = {},
  ): Promise<boolean | null> {
    if (key.includes("\0")) return null;
    assertId(deletionId, "deletion");
    const [block] = await translated(this.#db.execute<{ block_id: string }>(blockIdOf(this.#ref)));
    if (!block) throw new BlockNotFoundError(this.#name);
    const [row] = await translated(
      this.#db.execute<{ outcome: "deleted" | "repeated" | "none" | "conflict" }>(sql`
        select chat_delete_entry(
          ${this.#ref.ownerId}, ${this.#sessionId}, ${block.block_id}, ${key}, ${withFiles},
          ${expectedVersion ?? null}::integer, ${provenance?.author ?? "system"}, ${deletionId}
        ) as outcome`),
    );
    if (row?.outcome === "conflict") {
      const current = await this.read(key);
      throw new BlockConflictError(this.#name, expectedVersion ?? 0, current?.version ?? 0);
    }
    return row?.outcome === "none" ? null : row?.outcome === "deleted";
  }

  async restoreDeleted(
    deletionId: string,
    { provenance }: Pick<WriteOptions, "provenance"> = {},
  ): Promise<"restored" | "repeated" | "taken"> {
    const { ownerId } = this.#ref;
    const texts = await this.#db.execute<
      Pick<DocumentRow, "key" | "title" | "description" | "content">
    >(sql`
      select document.key, document.title, document.description, version.content
      from chat_deletion deletion
      cross join unnest(deletion.removed, deletion.versions) gone (key, version)
      join chat_document document
        on document.owner_id = deletion.owner_id and document.block_id = deletion.block_id
          and document.session_id = deletion.session_id and document.key = gone.key
      join chat_document_version version
        on version.owner_id = deletion.owner_id and version.block_id = deletion.block_id
          and version.session_id = deletion.session_id and version.key = gone.key and version.version = gone.version - 1
      where deletion.owner_id = ${ownerId} and deletion.deletion_id = ${deletionId} and deletion.kind = 'entry'`);
    const words: { key: string; tsv: string }[] = [];
    for (const { key, title, description, content } of texts) {
      const searched = [title, description, content].filter((part) => part).join("\n");
      words.push({ key, tsv: await toTsvectorInSlices(searched) });
    }
    const [row] = await translated(
      this.#db.execute<{ outcome: "restored" | "repeated" | "taken" }>(sql`
        select chat_restore_entry(
          ${ownerId}, ${deletionId}, ${JSON.stringify(words)}::text::json, ${provenance?.author ?? "system"}
        ) as outcome`),
    );
    return row?.outcome ?? "repeated";
  }

  /** Two writes that expect the same version queue at the row. */
  async #write(
    { key, content, title, description, tsv }: DocumentText & { key: string; tsv: string | null },
    { provenance = { author: "system" }, expectedVersion }: WriteOptions,
  ): Promise<number | null> {
    const { ownerId } = this.#ref;
    const session = this.#sessionId;
    const seen = sql`${expectedVersion ?? null}::integer`;
    const text = storable(content);
    const proposalId = sql`${provenance.proposalId ?? null}::text`;
    const writing = this.#db.execute<{ version: number }>(sql`
      with block as (${lockedBlock(this.#ref)}),
      proposal as (
        select from chat_proposal
        where owner_id = ${ownerId} and proposal_id = ${proposalId} and status = 'open'
        for update
      ),
      document as (
        insert into chat_document as present (
          owner_id, block_id, session_id, key, version, title, description, content, tsv
        )
        select
          ${ownerId}, block.block_id, ${session}, ${key}, 1, coalesce(${storable(title)}, ''),
          nullif(${storable(description)}, ''), ${text}, ${tsv}::tsvector
        from block
        where (${proposalId} is null or exists (select from proposal))
          and (
            coalesce(${seen}, 0) = 0 or exists (
              select from chat_document
              where owner_id = ${ownerId} and block_id = block.block_id and session_id = ${session} and key = ${key}
            )
          )
        on conflict (owner_id, block_id, session_id, key) do update
        set
          version = present.version + 1, title = coalesce(${storable(title)}, present.title),
          description = nullif(coalesce(${storable(description)}, present.description), ''), content = excluded.content,
          tsv = excluded.tsv, updated_at = excluded.updated_at
        where ${seen} is null or present.version = ${seen}
        returning present.block_id, present.version
      ),
      version as (
        insert into chat_document_version (
          owner_id, block_id, session_id, key, version, content, author, program, written_in, message_id, proposal_id
        )
        select
          ${ownerId}, document.block_id, ${session}, ${key}, document.version, ${text}, ${provenance.author},
          ${storable(provenance.program)}, ${provenance.sessionId ?? null}, ${provenance.messageId ?? null}, ${proposalId}
        from document
      ),
      renewal as (
        update chat_session session
        set expires_at = to_timestamp(extract(epoch from now()) + session.expires_after_ms / 1000.0)
        from document
        where session.owner_id = ${ownerId} and session.session_id = ${session} and session.expires_after_ms is not null
      ),
      decision as (
        update chat_proposal decided
        set status = 'accepted', version = document.version, decided_at = now()
        from document
        where decided.owner_id = ${ownerId} and decided.proposal_id = ${proposalId}
      )
      select document.version from document`);
    const rows = await translated(writing);
    return rows[0]?.version ?? null;
  }

  async #searchedText(key: string, { content, title, description }: DocumentText): Promise<string> {
    const keeps = key !== "" && (title === undefined || description === undefined);
    const present = keeps ? await this.read(key) : undefined;
    const texts = [title ?? present?.title, description ?? present?.description, content];
    return texts.filter((part) => part).join("\n");
  }

  async #isThere(): Promise<boolean> {
    const rows = await translated(this.#db.execute(blockIdOf(this.#ref)));
    return rows.length > 0;
  }

  async #makeNamed(): Promise<boolean> {
    if ("blockId" in this.#ref) return false;
    const { ownerId, label } = this.#ref;
    const place = { ownerId, sessionId: this.#sessionId, label };
    if (!(await this.#isThere())) await makeBlock(this.#db, place, this.#kind);
    return true;
  }

  #ofEntries(): SQL | undefined {
    return this.#of(chatDocument, and(ne(chatDocument.key, ""), isNotNull(chatDocument.content)));
  }

  #of(
    table: typeof chatDocument | typeof chatDocumentVersion,
    condition: SQL | undefined,
  ): SQL | undefined {
    return and(
      eq(table.ownerId, this.#ref.ownerId),
      sql`${table.blockId} = (${blockIdOf(this.#ref)})`,
      eq(table.sessionId, this.#sessionId),
      condition,
    );
  }

  get #sessionId(): string {
    return this.#ref.sessionId ?? "";
  }

  get #name(): string {
    return "blockId" in this.#ref ? (this.#ref.label ?? this.#ref.blockId) : this.#ref.label;
  }
}

/** A session's own block comes before the one of every session; null when it or its session is deleted. */
function blockIdOf(ref: OwnedBlockRef): SQL {
  return sql`select block.block_id ${fromBlocks(ref)} limit 1`;
}

function lockedBlock({ ownerId, sessionId, ...named }: OwnedBlockRef): SQL {
  const [id, label] = "blockId" in named ? [named.blockId, null] : [null, named.label];
  return sql`
    select block.block_id
    from chat_block_of(${ownerId}, ${sessionId ?? ""}, ${id}::text, ${label}::text) block (block_id)
    where block.block_id is not null`;
}

function fromBlocks(ref: OwnedBlockRef): SQL {
  const block = alias(chatBlock, "block");
  const sessionId = ref.sessionId ?? "";
  const isMeant =
    "blockId" in ref
      ? eq(block.blockId, ref.blockId)
      : and(eq(block.label, ref.label), eq(block.scope, sessionId === "" ? "owner" : "session"));
  const found = and(
    eq(block.ownerId, ref.ownerId),
    inArray(block.sessionId, ["", sessionId]),
    isMeant,
    isNull(block.deletedAt),
    sessionId === "" ? undefined : isOfOpenSession(sql`${ref.ownerId}`, sql`${sessionId}`),
  );
  return sql`from chat_block block where ${found} order by ${desc(block.sessionId)}`;
}

export async function makeBlock(
  db: Database,
  { ownerId, sessionId, label }: BlockPlace,
  kind: BlockKind,
): Promise<void> {
  const place = { ownerId, sessionId: "", label };
  await db
    .insert(chatBlock)
    .values({
      ...place,
      blockId: freeId(place),
      moment: nextBlockMoment(place),
      kind,
      scope: sessionId === "" ? "owner" : "session",
      writers: "both",
      origin: "code",
    })
    // Ids conflict as well: two first writes at once choose the same one.
    .onConflictDoNothing();
}

/** Code and application agree on an id without knowing of each other: the label, where free. */
export function freeId({ ownerId, sessionId, label }: BlockPlace): SQL<string> {
  return sql`case when exists (
    select from chat_block used
    where used.owner_id = ${ownerId} and used.session_id = ${sessionId} and used.block_id = ${label}
  ) then gen_random_uuid()::text else ${label}::text end`;
}

/** Two blocks that are made at once may have the same moment. */
export function nextBlockMoment({ ownerId, sessionId }: Omit<BlockPlace, "label">): SQL<number> {
  return sql`(
    select coalesce(max(made.moment), 0) + 1 from chat_block made
    where made.owner_id = ${ownerId} and made.session_id = ${sessionId}
  )`;
}

function storable(text: string | null | undefined): SQL {
  return sql`${text == null ? null : storableText(text)}::text`;
}

function versionOf(row: typeof chatDocumentVersion.$inferSelect): DocumentVersion {
  return {
    version: row.version,
    content: row.content,
    provenance: {
      author: row.author,
      ...(row.program !== null && { program: row.program }),
      ...(row.writtenIn !== null && { sessionId: row.writtenIn }),
      ...(row.messageId !== null && { messageId: row.messageId }),
      ...(row.proposalId !== null && { proposalId: row.proposalId }),
    },
    createdAt: row.createdAt,
  };
}

export function entryOf(row: DocumentRow): ContextEntry {
  return {
    key: row.key,
    title: row.title === "" ? row.key : row.title,
    description: row.description,
    content: row.content ?? "",
    version: row.version,
    updatedAt: row.updatedAt,
  };
}

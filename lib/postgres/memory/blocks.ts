import { and, asc, eq, inArray, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { BlockExistsError, BlockNotFoundError } from "../../session";
import {
  type AnswerWrite,
  assertId,
  type Block,
  type BlockChanges,
  type BlockKey,
  type BlockStore,
  type NewBlock,
  storableText,
} from "../../session/internal";
import type { BlockRef } from "../../session/ports";
import type { Sql } from "../connections/sql";
import { postgresFailure, translated } from "../database-error";
import { timeOfDeletion } from "../deletions";
import { type Database, drizzleOn, preparedOnce } from "../drizzle-on";
import { isOfLiveSession } from "../live-session";
import { chatBlock, chatDocumentVersion } from "../schema";
import { freeId, labelIndex, nextBlockMoment, whileThere } from "./documents";
import { PostgresContextProvider, PostgresSearchProvider, PostgresSkillProvider } from "./entries";

const uniqueViolation = "23505";
const other = alias(chatBlock, "other");

const listBlocks = preparedOnce((db) =>
  db
    .select()
    .from(chatBlock)
    .where(
      and(
        eq(chatBlock.ownerId, sql.placeholder("owner")),
        inArray(chatBlock.sessionId, ["", sql.placeholder("session")]),
        isNull(chatBlock.deletedAt),
        ne(chatBlock.origin, "code"),
        isOfLiveSession(chatBlock.ownerId, chatBlock.sessionId),
      ),
    )
    .orderBy(asc(sql`${chatBlock.sessionId} <> ''`), asc(chatBlock.moment), asc(chatBlock.blockId))
    .prepare("list_blocks"),
);

export class PostgresBlocks implements BlockStore {
  readonly #sql: Sql;
  readonly #db: Database;
  readonly #ownerId: string;

  constructor(pool: Sql, ownerId: string) {
    this.#sql = pool;
    this.#db = drizzleOn(pool);
    this.#ownerId = ownerId;
  }

  async list(sessionId: string | null): Promise<Block[]> {
    const rows = await listBlocks(this.#db, { owner: this.#ownerId, session: sessionId ?? "" });
    return rows.map(blockOf);
  }

  async ensure(blocks: readonly NewBlock[]): Promise<void> {
    // Stored one by one: their order is that of their moments.
    for (const block of blocks) {
      // Two first uses at once choose one id; the second try sees the other's label.
      await this.#ensure(block).catch((error: unknown) => {
        if (postgresFailure(error)?.code !== uniqueViolation) throw error;
        return this.#ensure(block);
      });
    }
  }

  async #ensure(block: NewBlock): Promise<void> {
    await this.#db
      .insert(chatBlock)
      .values({ ...this.#row(block), blockId: freeId(this.#row(block)), origin: "app" })
      .onConflictDoUpdate({
        target: labelIndex,
        targetWhere: whileThere,
        set: { origin: "app", kind: sql`excluded.kind`, writers: sql`excluded.writers` },
        setWhere: ne(chatBlock.origin, "app"),
      });
  }

  async create({
    id = crypto.randomUUID(),
    ...block
  }: NewBlock & { readonly id?: string | undefined }): Promise<Block> {
    const row = this.#row(block);
    const [taken] = await this.#db
      .select({ id: other.blockId })
      .from(other)
      .where(this.#taken(row))
      .limit(1);
    if (taken) throw new BlockExistsError(block.label);
    const [made] = await this.#db
      .insert(chatBlock)
      .values({ ...row, ...this.#held(row), blockId: id, origin: "person" })
      .onConflictDoUpdate({
        target: labelIndex,
        targetWhere: whileThere,
        set: {
          origin: "person",
          description: sql`excluded.description`,
          writers: sql`excluded.writers`,
          maxTokens: sql`excluded.max_tokens`,
        },
        setWhere: sql`${chatBlock.origin} = 'code' and ${chatBlock.kind} = excluded.kind`,
      })
      .returning();
    if (!made) throw new BlockExistsError(block.label);
    return blockOf(made);
  }

  async change(block: BlockKey, { label, description, ...others }: BlockChanges): Promise<Block> {
    const changes = {
      ...others,
      ...(label !== undefined && { label }),
      ...(description !== undefined && { description: storableText(description) }),
    };
    const isFree = label === undefined ? undefined : this.#isFree(block, label);
    const changed = await this.#update(
      block,
      Object.keys(changes).length === 0 ? { label: sql`${chatBlock.label}` } : changes,
      and(isNull(chatBlock.deletedAt), isFree),
    );
    if (changed) return changed;
    return this.#refuse(block, label);
  }

  async delete(
    { id, sessionId }: BlockKey,
    deletionId: string = crypto.randomUUID(),
  ): Promise<boolean> {
    assertId(deletionId, "deletion");
    const [row] = await translated(this.#sql<{ changed: boolean | null }[]>`
      select chat_delete_block(${this.#ownerId}, ${sessionId ?? ""}, ${id}, ${deletionId}) as changed`);
    if (typeof row?.changed !== "boolean") throw new BlockNotFoundError(id);
    return row.changed;
  }

  async restore(block: BlockKey, deletionId?: string): Promise<Block> {
    const isDeleted =
      deletionId === undefined
        ? isNotNull(chatBlock.deletedAt)
        : eq(chatBlock.deletedAt, timeOfDeletion(this.#ownerId, deletionId));
    const isFree = this.#isFree(block, sql`${chatBlock.label}`);
    const restored = await this.#update(block, { deletedAt: null }, and(isDeleted, isFree));
    if (restored) return restored;
    const [deleted] = await this.#db
      .select({ label: chatBlock.label })
      .from(chatBlock)
      .where(and(this.#is(block), isDeleted));
    if (deleted) throw new BlockExistsError(deleted.label);
    throw new BlockNotFoundError(block.id);
  }

  async labels(sessionId: string | null, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#db
      .select({ id: chatBlock.blockId, label: chatBlock.label })
      .from(chatBlock)
      .where(
        and(
          eq(chatBlock.ownerId, this.#ownerId),
          inArray(chatBlock.sessionId, ["", sessionId ?? ""]),
          inArray(chatBlock.blockId, [...ids]),
        ),
      )
      .orderBy(asc(chatBlock.sessionId), asc(chatBlock.blockId));
    return new Map(rows.map(({ id, label }) => [id, label]));
  }

  text(ref: BlockRef): PostgresContextProvider {
    return new PostgresContextProvider(this.#sql, { ownerId: this.#ownerId, ...ref });
  }

  searchable(ref: BlockRef): PostgresSearchProvider {
    return new PostgresSearchProvider(this.#sql, { ownerId: this.#ownerId, ...ref });
  }

  loadable(ref: BlockRef): PostgresSkillProvider {
    return new PostgresSkillProvider(this.#sql, { ownerId: this.#ownerId, ...ref });
  }

  async writesOf(sessionId: string, messageId: string): Promise<AnswerWrite[]> {
    const written = chatDocumentVersion;
    const earlier = alias(chatDocumentVersion, "earlier");
    const rows = await this.#db
      .select({
        blockId: written.blockId,
        label: sql<string>`coalesce((
          select block.label from chat_block block
          where block.owner_id = ${written.ownerId} and block.block_id = ${written.blockId}
            and block.session_id in ('', ${written.sessionId})
          order by block.session_id desc limit 1
        ), ${written.blockId})`,
        key: written.key,
        version: written.version,
        before: earlier.content,
        after: written.content,
      })
      .from(written)
      .leftJoin(
        earlier,
        and(
          eq(earlier.ownerId, written.ownerId),
          eq(earlier.blockId, written.blockId),
          eq(earlier.sessionId, written.sessionId),
          eq(earlier.key, written.key),
          eq(earlier.version, sql`${written.version} - 1`),
        ),
      )
      .where(
        and(
          eq(written.ownerId, this.#ownerId),
          eq(written.writtenIn, sessionId),
          eq(written.messageId, messageId),
          isNull(written.proposalId),
          inArray(written.sessionId, ["", sessionId]),
        ),
      )
      .orderBy(written.createdAt, written.blockId, written.key, written.version)
      .limit(200);
    return rows.map(({ key, before, after, ...write }) => ({
      ...write,
      key: key === "" ? null : key,
      before: before ?? "",
      after: after ?? "",
    }));
  }

  /** A block made behind a session on its way elsewhere would stay. */
  #held({ sessionId }: { readonly sessionId: string }): { sessionId?: SQL } {
    return sessionId === ""
      ? {}
      : { sessionId: sql`chat_hold_session(${this.#ownerId}, ${sessionId})` };
  }

  #row({ sessionId, description, ...block }: NewBlock) {
    return {
      ...block,
      ownerId: this.#ownerId,
      sessionId: sessionId ?? "",
      description: storableText(description),
      moment: nextBlockMoment({ ownerId: this.#ownerId, sessionId: sessionId ?? "" }),
    };
  }

  async #update(
    block: BlockKey,
    changes: Partial<Record<keyof typeof chatBlock.$inferInsert, unknown>>,
    condition: SQL | undefined,
  ): Promise<Block | null> {
    try {
      const [row] = await this.#db
        .update(chatBlock)
        .set(changes as Partial<typeof chatBlock.$inferInsert>)
        .where(and(this.#is(block), condition))
        .returning();
      return row ? blockOf(row) : null;
    } catch (error) {
      if (postgresFailure(error)?.code === uniqueViolation) return null;
      throw error;
    }
  }

  async #refuse(block: BlockKey, label: string | undefined): Promise<never> {
    const [present] = await this.#db
      .select({ id: chatBlock.blockId })
      .from(chatBlock)
      .where(and(this.#is(block), isNull(chatBlock.deletedAt)));
    if (present && label !== undefined) throw new BlockExistsError(label);
    throw new BlockNotFoundError(block.id);
  }

  #is({ id, sessionId }: BlockKey): SQL | undefined {
    return and(
      eq(chatBlock.ownerId, this.#ownerId),
      eq(chatBlock.sessionId, sessionId ?? ""),
      eq(chatBlock.blockId, id),
    );
  }

  #taken({ sessionId, label }: { sessionId: string; label: string | SQL }): SQL | undefined {
    return and(
      eq(other.ownerId, this.#ownerId),
      eq(other.label, label),
      isNull(other.deletedAt),
      ne(other.origin, "code"),
      sessionId === "" ? undefined : inArray(other.sessionId, ["", sessionId]),
      isOfLiveSession(other.ownerId, other.sessionId),
    );
  }

  #isFree(block: BlockKey, label: string | SQL): SQL {
    const sessionId = block.sessionId ?? "";
    const isElse = or(ne(other.blockId, block.id), ne(other.sessionId, sessionId));
    const isTaken = and(this.#taken({ sessionId, label }), isElse);
    return sql`not exists (select from chat_block other where ${isTaken})`;
  }
}

function blockOf({ blockId: id, sessionId, ...row }: typeof chatBlock.$inferSelect): Block {
  const { label, description, kind, scope, writers, maxTokens, origin } = row;
  const about = { label, description, kind, scope, writers, maxTokens, origin };
  return { id, sessionId: sessionId === "" ? null : sessionId, ...about };
}

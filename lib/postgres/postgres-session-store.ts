import { and, eq, sql } from "drizzle-orm";
import type postgres from "postgres";
import type { SessionStore } from "../session";
import {
  type MessagesOptions,
  namespaceKey,
  storableText,
  type TextWrite,
} from "../session/internal";
import type { BlockRef, FrozenPromptProvider, FrozenText } from "../session/ports";
import { readableStatements } from "./connect";
import type { Sql } from "./connections/sql";
import { translated } from "./database-error";
import { type Database, drizzleOn } from "./drizzle-on";
import { isOpen, renewedExpiry } from "./live-session";
import { PostgresBlocks } from "./memory/blocks";
import type { PostgresContextProvider } from "./memory/entries";
import { PostgresProposals } from "./memory/proposals";
import { writeBlocks } from "./memory/write-blocks";
import { PostgresSessionProvider } from "./postgres-session-provider";
import { PostgresSessionRegistry } from "./postgres-session-registry";
import { chatSession } from "./schema";

/** Sessions, messages and memory of one owner. No query leaves the owner. */
export class PostgresSessionStore implements SessionStore {
  readonly sessions: PostgresSessionRegistry;
  readonly proposals: PostgresProposals;
  readonly blocks: PostgresBlocks;
  readonly ownerId: string;
  readonly #sql: Sql;
  readonly #names: readonly [owner: string, ...namespaces: string[]];
  #promptNeedsSession = false;

  /** @throws {InvalidArgumentError} for a blank namespace, a name with U+001F, or a pool that reads other types. */
  constructor(pool: Sql | postgres.Sql, ownerId: string, ...namespaces: readonly string[]) {
    const sql = readableStatements(pool);
    const key = namespaceKey(ownerId, ...namespaces);
    this.ownerId = key;
    this.#sql = sql;
    this.#names = [ownerId, ...namespaces];
    this.sessions = new PostgresSessionRegistry(sql, key);
    this.proposals = new PostgresProposals(sql, key);
    this.blocks = new PostgresBlocks(sql, key);
  }

  namespace(name: string): PostgresSessionStore {
    return new PostgresSessionStore(this.#sql, ...this.#names, name);
  }

  /** A prompt rendered while its session is deleted for good then leaves no row behind. */
  withoutPromptsOfDeleted(): this {
    this.#promptNeedsSession = true;
    return this;
  }

  messages(
    sessionId: string,
    { refusesArchived = false }: MessagesOptions = {},
  ): PostgresSessionProvider {
    return new PostgresSessionProvider(this.#sql, {
      ownerId: this.ownerId,
      sessionId,
      requires: refusesArchived ? "unarchived" : "session",
    });
  }

  block(ref: BlockRef): PostgresContextProvider {
    return this.blocks.text(ref);
  }

  writeBlocks(writes: readonly TextWrite[]): Promise<void> {
    return writeBlocks(this.#sql, this.ownerId, writes);
  }

  /** Stored in the session's row, unless `withoutPromptsOfDeleted` was called. */
  promptCache(sessionId: string): PostgresPrompt {
    const key = { ownerId: this.ownerId, sessionId };
    return new PostgresPrompt(this.#sql, key, { needsSession: this.#promptNeedsSession });
  }
}

type Frozen = Pick<typeof chatSession.$inferInsert, "frozenPrompt" | "frozenVersions">;

class PostgresPrompt implements FrozenPromptProvider {
  readonly #db: Database;
  readonly #key: { readonly ownerId: string; readonly sessionId: string };

  readonly #needsSession: boolean;

  constructor(
    pool: Sql,
    key: { readonly ownerId: string; readonly sessionId: string },
    { needsSession }: { needsSession: boolean },
  ) {
    this.#db = drizzleOn(pool);
    this.#key = key;
    this.#needsSession = needsSession;
  }

  async get(): Promise<string | null> {
    return (await this.readFrozen())?.prompt ?? null;
  }

  async set(prompt: string): Promise<void> {
    await this.setFrozen({ prompt, versions: null });
  }

  async readFrozen(): Promise<FrozenText | null> {
    const { ownerId, sessionId } = this.#key;
    const isMine = and(eq(chatSession.ownerId, ownerId), eq(chatSession.sessionId, sessionId));
    const [row] = await translated(
      this.#db
        .select({ prompt: chatSession.frozenPrompt, versions: chatSession.frozenVersions })
        .from(chatSession)
        .where(and(isMine, isOpen(chatSession.ownerId, chatSession.sessionId))),
    );
    if (!row || row.prompt === null) return null;
    return { prompt: row.prompt, versions: row.versions && Object.fromEntries(row.versions) };
  }

  async setFrozen({ prompt, versions }: FrozenText): Promise<void> {
    const frozen = {
      frozenPrompt: storableText(prompt),
      frozenVersions: versions && Object.entries(versions),
    };
    const updated = await translated(this.#update(frozen));
    if (updated.length === 0 && !this.#needsSession) await this.#insert(frozen);
  }

  #update(frozen: Frozen) {
    const { ownerId, sessionId } = this.#key;
    const isMine = and(eq(chatSession.ownerId, ownerId), eq(chatSession.sessionId, sessionId));
    return this.#db
      .update(chatSession)
      .set({ ...frozen, expiresAt: renewedExpiry })
      .where(and(isMine, isOpen(sql`${ownerId}`, sql`${sessionId}`)))
      .returning({ id: chatSession.sessionId });
  }

  #insert(frozen: Frozen) {
    return this.#db
      .insert(chatSession)
      .values({ ...this.#key, ...frozen })
      .onConflictDoUpdate({
        target: [chatSession.ownerId, chatSession.sessionId],
        set: {
          frozenPrompt: sql`excluded.frozen_prompt`,
          frozenVersions: sql`excluded.frozen_versions`,
        },
      });
  }
}

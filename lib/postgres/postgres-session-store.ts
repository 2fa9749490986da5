import { and, eq, sql } from "drizzle-orm";
import type { Sql } from "postgres";
import type { BlockRef, FrozenPromptProvider, FrozenText, SessionStore } from "@/lib/session";
import {
  type MessagesOptions,
  namespaceKey,
  storableText,
  type TextWrite,
} from "@/lib/session/internal";
import { assertReadable } from "./connect";
import { translated } from "./database-error";
import { type Database, drizzleOn } from "./drizzle-on";
import { isOpen, renewedExpiry } from "./live-session";
import { PostgresBlocks } from "./memory/blocks";
import type { PostgresContextProvider } from "./memory/entries";
import { PostgresProposals } from "./memory/proposals";
import { writeBlocks } from "./memory/write-blocks";
import { chatSession } from "./schema";
import { PostgresSessionProvider } from "./tree/postgres-session-provider";
import { PostgresSessionRegistry } from "./tree/postgres-session-registry";

/** Sessions, messages and memory of one owner. No query leaves the owner. */
export class PostgresSessionStore implements SessionStore {
  readonly sessions: PostgresSessionRegistry;
  readonly proposals: PostgresProposals;
  readonly blocks: PostgresBlocks;
  /** The owner, or its namespace. */
  readonly ownerId: string;
  readonly #sql: Sql;
  readonly #names: readonly [owner: string, ...namespaces: string[]];

  /** @throws {InvalidArgumentError} for a blank namespace, a name with U+001F, or a pool that reads other types. */
  constructor(sql: Sql, ownerId: string, ...namespaces: readonly string[]) {
    assertReadable(sql);
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

  /** Stored in the session's row, which is created if missing. */
  promptCache(sessionId: string): PostgresPrompt {
    return new PostgresPrompt(this.#sql, { ownerId: this.ownerId, sessionId });
  }
}

/** The frozen prompt with its versions, in the session's row. */
class PostgresPrompt implements FrozenPromptProvider {
  readonly #db: Database;
  readonly #key: { readonly ownerId: string; readonly sessionId: string };

  constructor(pool: Sql, { ownerId, sessionId }: { ownerId: string; sessionId: string }) {
    this.#db = drizzleOn(pool);
    this.#key = { ownerId, sessionId };
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
    const writing = this.#db
      .insert(chatSession)
      .values({
        ...this.#key,
        frozenPrompt: storableText(prompt),
        frozenVersions: versions && Object.entries(versions),
      })
      .onConflictDoUpdate({
        target: [chatSession.ownerId, chatSession.sessionId],
        set: {
          frozenPrompt: sql`excluded.frozen_prompt`,
          frozenVersions: sql`excluded.frozen_versions`,
          expiresAt: renewedExpiry,
        },
        setWhere: isOpen(chatSession.ownerId, chatSession.sessionId),
      });
    await translated(writing);
  }
}

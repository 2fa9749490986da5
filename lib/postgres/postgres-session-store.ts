import type { Sql } from "postgres";
import type { BlockRef, SessionStore } from "@/lib/session";
import { type MessagesOptions, namespaceKey, type TextWrite } from "@/lib/session/internal";
import { PostgresBlocks } from "./memory/blocks";
import type { PostgresContextProvider } from "./memory/entries";
import { PostgresPrompt } from "./memory/postgres-prompt";
import { PostgresProposals } from "./memory/proposals";
import { writeBlocks } from "./memory/write-blocks";
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

  /** @throws {InvalidArgumentError} for a blank namespace, or a name with U+001F. */
  constructor(sql: Sql, ownerId: string, ...namespaces: readonly string[]) {
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

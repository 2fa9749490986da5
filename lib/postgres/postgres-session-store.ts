import type { Sql } from "postgres";
import {
  type BlockAddress,
  SessionEvents,
  type SessionStore,
  type WritableContextProvider,
} from "@/lib/session";
import { PostgresContextProvider } from "./postgres-context-provider";
import { PostgresSessionProvider } from "./postgres-session-provider";
import { PostgresSessionRegistry } from "./postgres-session-registry";

/** Everything one owner keeps: sessions, their messages, memory documents. No query leaves the owner. */
export class PostgresSessionStore implements SessionStore {
  readonly sessions: PostgresSessionRegistry;
  readonly events: SessionEvents;
  readonly #sql: Sql;
  readonly #ownerId: string;

  /** `events` of a `SessionFeed` reach other processes; omitted, they reach those who share this store. */
  constructor(
    sql: Sql,
    ownerId: string,
    { events = new SessionEvents(ownerId) }: { events?: SessionEvents } = {},
  ) {
    this.#sql = sql;
    this.#ownerId = ownerId;
    this.events = events;
    this.sessions = new PostgresSessionRegistry(sql, ownerId, events);
  }

  messages(sessionId: string): PostgresSessionProvider {
    return new PostgresSessionProvider(this.#sql, {
      ownerId: this.#ownerId,
      sessionId,
      mustExist: true,
      events: this.events,
    });
  }

  block({ label, scope, sessionId }: BlockAddress): PostgresContextProvider {
    return new PostgresContextProvider(this.#sql, {
      ownerId: this.#ownerId,
      label,
      ...(scope === "session" && { sessionId }),
    });
  }

  /** Kept with the session's row; a session that does not exist yet is made. */
  promptCache(sessionId: string): WritableContextProvider {
    const sql = this.#sql;
    const owner = this.#ownerId;
    return {
      async get() {
        const [row] = await sql<{ frozen_prompt: string | null }[]>`
          select frozen_prompt from chat_session where owner_id = ${owner} and session_id = ${sessionId}`;
        return row?.frozen_prompt ?? null;
      },
      async set(content) {
        await sql`
          insert into chat_session (owner_id, session_id, frozen_prompt) values (${owner}, ${sessionId}, ${content})
          on conflict (owner_id, session_id) do update set frozen_prompt = excluded.frozen_prompt`;
      },
    };
  }
}

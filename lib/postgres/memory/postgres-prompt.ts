import type { Sql } from "postgres";
import { z } from "zod";
import { storableText } from "@/lib/postgres/tree/message-content";
import type { FrozenPromptProvider, FrozenText } from "@/lib/session";

const versionsSchema = z.record(z.string(), z.number());

/** The frozen prompt of a session with the versions it was made from, in the session's row. */
export class PostgresPrompt implements FrozenPromptProvider {
  readonly #sql: Sql;
  readonly #owner: string;
  readonly #session: string;

  constructor(sql: Sql, { ownerId, sessionId }: { ownerId: string; sessionId: string }) {
    this.#sql = sql;
    this.#owner = ownerId;
    this.#session = sessionId;
  }

  async get(): Promise<string | null> {
    return (await this.readFrozen())?.prompt ?? null;
  }

  async set(prompt: string): Promise<void> {
    await this.setFrozen({ prompt, versions: null });
  }

  async readFrozen(): Promise<FrozenText | null> {
    const [row] = await this.#sql<{ prompt: string | null; versions: string | null }[]>`
      select frozen_prompt as prompt, frozen_versions as versions
      from chat_session
      where owner_id = ${this.#owner} and session_id = ${this.#session}`;
    if (!row || row.prompt === null) return null;
    const versions = row.versions === null ? null : versionsSchema.parse(JSON.parse(row.versions));
    return { prompt: row.prompt, versions };
  }

  async setFrozen({ prompt, versions }: FrozenText): Promise<void> {
    const text = versions === null ? null : JSON.stringify(versions);
    await this.#sql`
      insert into chat_session (owner_id, session_id, frozen_prompt, frozen_versions)
      values (${this.#owner}, ${this.#session}, ${storableText(prompt)}, ${text})
      on conflict (owner_id, session_id) do update
      set frozen_prompt = excluded.frozen_prompt, frozen_versions = excluded.frozen_versions`;
  }
}

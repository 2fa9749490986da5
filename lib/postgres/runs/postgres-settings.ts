import type { Sql } from "postgres";

/** A stored secret as its row holds it: sealed, and what may be said about it. */
export interface SecretRow {
  readonly name: string;
  /** JSON without secrets. */
  readonly description: string;
  /** An encrypted envelope; `null` when there is no key. */
  readonly sealed: string | null;
}

/** What an owner has set: one JSON document, and secrets that come in sealed and leave sealed. */
export class PostgresSettings {
  readonly #sql: Sql;
  readonly #owner: string;

  constructor(sql: Sql, ownerId: string) {
    this.#sql = sql;
    this.#owner = ownerId;
  }

  /** `{}` before the first write. */
  async read(): Promise<Record<string, unknown>> {
    const [row] = await this.#sql<{ settings: string }[]>`
      select settings from chat_owner where owner_id = ${this.#owner}`;
    return row ? (JSON.parse(row.settings) as Record<string, unknown>) : {};
  }

  /**
   * Sets the keys of `changes` and leaves the others, in one statement: two tabs that change different settings at once
   * both keep theirs. `null` is a value; a key that is `undefined` stays as it is.
   */
  async change(changes: Record<string, unknown>): Promise<void> {
    const text = JSON.stringify(changes);
    await this.#sql`
      insert into chat_owner as present (owner_id, settings) values (${this.#owner}, ${text})
      on conflict (owner_id) do update
      set settings = (present.settings::jsonb || excluded.settings::jsonb)::text`;
  }

  async secrets(): Promise<SecretRow[]> {
    return this.#sql<SecretRow[]>`
      select name, description, sealed from chat_secret where owner_id = ${this.#owner} order by name limit 200`;
  }

  async saveSecret({ name, description, sealed }: SecretRow): Promise<void> {
    await this.#sql`
      insert into chat_secret (owner_id, name, description, sealed)
      values (${this.#owner}, ${name}, ${description}, ${sealed})
      on conflict (owner_id, name) do update
      set description = excluded.description, sealed = excluded.sealed, updated_at = now()`;
  }

  async removeSecret(name: string): Promise<boolean> {
    const rows = await this.#sql`
      delete from chat_secret where owner_id = ${this.#owner} and name = ${name} returning name`;
    return rows.length > 0;
  }
}

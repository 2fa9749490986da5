import { and, asc, eq, sql } from "drizzle-orm";
import type { SecretRow, SettingsStore } from "@/lib/chat/core/settings-store";
import { chatOwner, chatSecret, type Database, drizzleOn, type Sql } from "@/lib/postgres/storage";

export class PostgresSettings implements SettingsStore {
  readonly #db: Database;
  readonly #owner: string;

  constructor(sql: Sql, ownerId: string) {
    this.#db = drizzleOn(sql);
    this.#owner = ownerId;
  }

  async read(): Promise<Record<string, unknown>> {
    const [row] = await this.#db
      .select({ settings: chatOwner.settings })
      .from(chatOwner)
      .where(eq(chatOwner.ownerId, this.#owner));
    return row?.settings ?? {};
  }

  /** One statement, so that two tabs undo nothing of each other. */
  async change(changes: Record<string, unknown>): Promise<void> {
    await this.#db
      .insert(chatOwner)
      .values({ ownerId: this.#owner, settings: changes })
      .onConflictDoUpdate({
        target: chatOwner.ownerId,
        set: {
          settings: sql`case when jsonb_typeof(${chatOwner.settings}) = 'object' then ${chatOwner.settings} else '{}' end
            || excluded.settings`,
        },
      });
  }

  async secrets(): Promise<SecretRow[]> {
    const rows = await this.#db
      .select({
        name: chatSecret.name,
        description: chatSecret.description,
        sealed: chatSecret.sealed,
      })
      .from(chatSecret)
      .where(eq(chatSecret.ownerId, this.#owner))
      .orderBy(asc(chatSecret.name))
      .limit(200);
    // A JSON null passes the schema of the column by.
    return rows.map((row) => ({ ...row, description: row.description ?? {} }));
  }

  async saveSecret({ name, description, sealed }: SecretRow): Promise<void> {
    await this.#db
      .insert(chatSecret)
      .values({ ownerId: this.#owner, name, description, sealed })
      .onConflictDoUpdate({
        target: [chatSecret.ownerId, chatSecret.name],
        set: { description, sealed, updatedAt: sql`excluded.updated_at` },
      });
  }

  async removeSecret(name: string): Promise<boolean> {
    const removed = await this.#db
      .delete(chatSecret)
      .where(and(eq(chatSecret.ownerId, this.#owner), eq(chatSecret.name, name)))
      .returning({ name: chatSecret.name });
    return removed.length > 0;
  }
}

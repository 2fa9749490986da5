import { and, desc, eq, isNull } from "drizzle-orm";
import type { Sql } from "grove-session/postgres";
import { chatKey, type Database, drizzleOn } from "@/lib/postgres/storage";
import {
  accountApp,
  accountAppAccess,
  accountAppConsent,
  accountAppRefresh,
  accountUser,
} from "@/lib/storage/schema";

export interface App {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export class PostgresApps {
  readonly #sql: Sql;
  readonly #db: Database;

  constructor(pool: Sql) {
    this.#sql = pool;
    this.#db = drizzleOn(pool);
  }

  async app(clientId: string): Promise<App | null> {
    const [found] = await this.#db
      .select({ name: accountApp.name, redirectUris: accountApp.redirectUris })
      .from(accountApp)
      .where(eq(accountApp.clientId, clientId));
    return found ? { clientId, ...found, name: found.name ?? "App" } : null;
  }

  async keyOf(userId: string, clientId: string): Promise<string | null> {
    const [found] = await this.#db
      .select({ keyId: chatKey.keyId })
      .from(accountAppConsent)
      .innerJoin(accountUser, eq(accountUser.id, accountAppConsent.userId))
      .innerJoin(
        chatKey,
        and(
          eq(chatKey.ownerId, accountUser.ownerId),
          eq(chatKey.keyId, accountAppConsent.referenceId),
        ),
      )
      .where(
        and(
          eq(accountAppConsent.userId, userId),
          eq(accountAppConsent.clientId, clientId),
          isNull(chatKey.revokedAt),
        ),
      )
      .orderBy(desc(chatKey.createdAt), desc(chatKey.keyId))
      .limit(1);
    return found?.keyId ?? null;
  }

  /** Access tokens go with their refresh tokens. */
  async endTokens(userId: string, keyId: string): Promise<void> {
    for (const table of [accountAppRefresh, accountAppAccess, accountAppConsent])
      await this.#db
        .delete(table)
        .where(and(eq(table.userId, userId), eq(table.referenceId, keyId)));
  }

  async removeOld(): Promise<void> {
    await this.#sql`delete from account_app_access where expires_at < now()`;
    await this.#sql`delete from account_app_refresh where expires_at < now()`;
    await this.#sql`
      delete from account_app app
      where app.created_at < now() - interval '1 day'
        and not exists (select from account_app_consent consent where consent.client_id = app.client_id)`;
  }
}

import { and, eq } from "drizzle-orm";
import type { Consent, ConsentStore } from "@/lib/chat/core/consents";
import type { SpaceId } from "@/lib/chat/core/person-in-space";
import { chatConsent, type Database, drizzleOn, type Sql } from "@/lib/postgres/storage";

const mostOfChat = 10_000;

export class PostgresConsents implements ConsentStore {
  readonly #db: Database;
  readonly #owner: SpaceId;

  constructor(sql: Sql, spaceId: SpaceId) {
    this.#db = drizzleOn(sql);
    this.#owner = spaceId;
  }

  list(sessionId: string): Promise<Consent[]> {
    return this.#db
      .select({ tool: chatConsent.tool, version: chatConsent.version })
      .from(chatConsent)
      .where(and(eq(chatConsent.ownerId, this.#owner), eq(chatConsent.sessionId, sessionId)))
      .orderBy(chatConsent.tool, chatConsent.version)
      .limit(mostOfChat);
  }

  async allow(sessionId: string, consent: Consent): Promise<void> {
    await this.#db
      .insert(chatConsent)
      .values({ ownerId: this.#owner, sessionId, ...consent })
      .onConflictDoNothing();
  }
}

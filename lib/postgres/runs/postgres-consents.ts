import { and, eq } from "drizzle-orm";
import type { Sql } from "postgres";
import { type Database, drizzleOn } from "@/lib/postgres/drizzle-on";
import { chatConsent } from "@/lib/postgres/schema";

/** More than anybody allows in one chat. */
const mostOfChat = 10_000;

type Consent = Pick<typeof chatConsent.$inferSelect, "tool" | "version">;

/** Tools that a person allowed for a whole chat. */
export class PostgresConsents {
  readonly #db: Database;
  readonly #owner: string;

  constructor(sql: Sql, ownerId: string) {
    this.#db = drizzleOn(sql);
    this.#owner = ownerId;
  }

  list(sessionId: string): Promise<Consent[]> {
    return this.#db
      .select({ tool: chatConsent.tool, version: chatConsent.version })
      .from(chatConsent)
      .where(and(eq(chatConsent.ownerId, this.#owner), eq(chatConsent.sessionId, sessionId)))
      .orderBy(chatConsent.tool, chatConsent.version)
      .limit(mostOfChat);
  }

  /** Allowing it again changes nothing. */
  async allow(sessionId: string, consent: Consent): Promise<void> {
    await this.#db
      .insert(chatConsent)
      .values({ ownerId: this.#owner, sessionId, ...consent })
      .onConflictDoNothing();
  }
}

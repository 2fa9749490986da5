import { and, eq, sql } from "drizzle-orm";
import type { Sql } from "postgres";
import { translated } from "@/lib/postgres/database-error";
import { type Database, drizzleOn } from "@/lib/postgres/drizzle-on";
import { isOpen, renewedExpiry } from "@/lib/postgres/live-session";
import { chatSession } from "@/lib/postgres/schema";
import { storableText } from "@/lib/postgres/storable";
import type { FrozenPromptProvider, FrozenText } from "@/lib/session";

/** The frozen prompt with its versions, in the session's row. */
export class PostgresPrompt implements FrozenPromptProvider {
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

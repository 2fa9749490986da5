import { and, desc, eq, notLike, sql } from "drizzle-orm";
import type { Sql } from "grove-session/postgres";
import type { PersonalPart, PersonalParts } from "@/lib/chat/core/owner-data";
import type { PersonInSpace } from "@/lib/chat/core/person-in-space";
import { type Database, drizzleOn } from "@/lib/postgres/storage";
import { chatPersonalPrompt } from "@/lib/storage/schema";
import { movedPart } from "./receipt-texts";

const part = { id: chatPersonalPrompt.partId, prompt: chatPersonalPrompt.prompt };

export class PostgresPersonalParts implements PersonalParts {
  readonly #db: Database;
  readonly #who: PersonInSpace;

  /** @param database may reach rows of the person. */
  constructor(database: Sql, who: PersonInSpace) {
    this.#db = drizzleOn(database);
    this.#who = who;
  }

  async newest(sessionId: string): Promise<PersonalPart | null> {
    const [found] = await this.#db
      .select(part)
      .from(chatPersonalPrompt)
      .where(
        and(
          this.#isHere,
          eq(chatPersonalPrompt.sessionId, sessionId),
          notLike(chatPersonalPrompt.partId, `${movedPart}%`),
        ),
      )
      .orderBy(desc(chatPersonalPrompt.madeAt), desc(chatPersonalPrompt.partId))
      .limit(1);
    return found ?? null;
  }

  async add(sessionId: string, { id: partId, prompt }: PersonalPart): Promise<void> {
    const { personId: ownerId, spaceId } = this.#who;
    await this.#db
      .insert(chatPersonalPrompt)
      .values({ ownerId, spaceId, sessionId, partId, prompt, madeAt: sql`clock_timestamp()` });
  }

  async get(id: string): Promise<PersonalPart | null> {
    const [found] = await this.#db
      .select(part)
      .from(chatPersonalPrompt)
      .where(and(this.#isHere, eq(chatPersonalPrompt.partId, id)));
    return found ?? null;
  }

  get #isHere() {
    const { personId, spaceId } = this.#who;
    return and(eq(chatPersonalPrompt.ownerId, personId), eq(chatPersonalPrompt.spaceId, spaceId));
  }
}

export async function removeOldParts(pool: Sql, { most }: { most: number }): Promise<void> {
  await pool`
    delete from chat_personal_prompt part
    where (part.owner_id, part.part_id) in (
      select old.owner_id, old.part_id
      from chat_personal_prompt old
      where old.made_at < now() - interval '1 day' and not exists (
        select from chat_session session
        where session.owner_id = old.space_id and session.session_id = old.session_id
      )
      order by old.owner_id, old.part_id
      limit ${most}
    )`;
}

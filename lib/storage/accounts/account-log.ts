import { and, desc, eq, isNull, lt } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Sql } from "grove-session/postgres";
import { type Database, drizzleOn } from "@/lib/postgres/storage";
import { accountEvent, accountUser } from "@/lib/storage/schema";

type EventRow = typeof accountEvent.$inferSelect;

const eventsAtOnce = 100;

/** Sign-ins, invites and changes of accounts, which administrators read. */
export class AccountLog {
  readonly #db: Database;

  constructor(pool: Sql) {
    this.#db = drizzleOn(pool);
  }

  async note(event: Partial<EventRow> & Pick<EventRow, "kind">): Promise<void> {
    const { id: _, createdAt: __, ...row } = event;
    await this.#db.insert(accountEvent).values(row);
  }

  async lastEventOf(
    userId: string,
    { kind, detail }: { kind: string; detail: string | null },
  ): Promise<Date | null> {
    const [found] = await this.#db
      .select({ createdAt: accountEvent.createdAt })
      .from(accountEvent)
      .where(
        and(
          eq(accountEvent.actor, userId),
          eq(accountEvent.kind, kind),
          detail === null ? isNull(accountEvent.detail) : eq(accountEvent.detail, detail),
        ),
      )
      .orderBy(desc(accountEvent.id))
      .limit(1);
    return found?.createdAt ?? null;
  }

  events({ before }: { before?: number | undefined } = {}) {
    const actor = alias(accountUser, "actor");
    const subject = alias(accountUser, "subject");
    return this.#db
      .select({
        id: accountEvent.id,
        kind: accountEvent.kind,
        who: actor.name,
        about: subject.name,
        email: accountEvent.email,
        address: accountEvent.address,
        detail: accountEvent.detail,
        createdAt: accountEvent.createdAt,
      })
      .from(accountEvent)
      .leftJoin(actor, eq(actor.id, accountEvent.actor))
      .leftJoin(subject, eq(subject.id, accountEvent.subject))
      .where(before === undefined ? undefined : lt(accountEvent.id, before))
      .orderBy(desc(accountEvent.id))
      .limit(eventsAtOnce);
  }
}

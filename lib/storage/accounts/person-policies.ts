import { eq, sql } from "drizzle-orm";
import type { Sql } from "grove-session/postgres";
import { z } from "zod";
import type { PersonId } from "@/lib/chat/core/person-in-space";
import { chatOwner, drizzleOn } from "@/lib/postgres/storage";
import { accountUser } from "@/lib/storage/schema";
import { PostgresSettings } from "@/lib/storage/settings/postgres-settings";

const limitsSchema = z.object({
  monthlyDollars: z.number().nullable().catch(null),
  messagesPerDay: z.number().nullable().catch(null),
  /** `chat_storage_limit` reads it, too. */
  storedMegabytes: z.number().nullable().catch(null),
});

export type Limits = z.output<typeof limitsSchema>;

const policySchema = z.object({
  /** `null`: the limits for everyone. */
  limits: limitsSchema.nullable().catch(null),
  /** Usage up to `at`, even if its rows are deleted; an earlier version wrote no `at`. */
  carried: z
    .object({
      month: z.string(),
      dollars: z.number(),
      day: z.string(),
      messages: z.number(),
      at: z.iso.datetime().optional(),
    })
    .nullable()
    .catch(null),
  deletesAt: z.coerce.date().nullable().catch(null),
  deletionFailedAt: z.coerce.date().nullable().catch(null),
});

export type PersonPolicy = z.output<typeof policySchema>;

/** Rows of their own, which no deletion of the person's data reaches. */
const idPrefix = "account/";
export const policyOwnerId = (userId: string) => `${idPrefix}${userId}`;
export const everyoneId = "everyone";

export const isPolicyOfUser = sql`${chatOwner.ownerId} = ${sql.raw(`'${idPrefix}'`)} || ${accountUser.id}`;

export function policyOf(settings: unknown): PersonPolicy {
  return policySchema.parse(settings ?? {});
}

export class PersonPolicies {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async change(userId: string, changes: Partial<PersonPolicy>): Promise<void> {
    await new PostgresSettings(this.#sql, policyOwnerId(userId)).change(changes);
  }

  async remove(userId: string): Promise<void> {
    await drizzleOn(this.#sql)
      .delete(chatOwner)
      .where(eq(chatOwner.ownerId, policyOwnerId(userId)));
  }

  /** Untried people come first, so that failures keep none of them. */
  peopleToDelete(): Promise<{ userId: string; personId: PersonId; hasFailed: boolean }[]> {
    const failedAt = sql`${chatOwner.settings} ->> 'deletionFailedAt'`;
    return drizzleOn(this.#sql)
      .select({
        userId: accountUser.id,
        personId: accountUser.ownerId,
        hasFailed: sql<boolean>`${failedAt} is not null`,
      })
      .from(accountUser)
      .innerJoin(chatOwner, isPolicyOfUser)
      .where(sql`(${chatOwner.settings} ->> 'deletesAt')::timestamptz <= now()`)
      .orderBy(sql`${failedAt} nulls first`, accountUser.id)
      .limit(100);
  }
}

import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Sql } from "postgres";
import { type Database, drizzleOn, preparedOnce } from "@/lib/postgres/drizzle-on";
import { chatKey, chatUsage } from "@/lib/postgres/schema";

type KeyRow = typeof chatKey.$inferSelect;

export type StoredKey = Readonly<
  Omit<KeyRow, "ownerId" | "keyId" | "hash"> & {
    id: string;
    /** Dollars of this calendar month (UTC), of calls with a known price. */
    monthCost: number;
  }
>;

const monthCost = sql<number>`(
  select coalesce(sum(greatest(coalesce(usage.cost, usage.charge), 0)), 0)::float8 from ${chatUsage} usage
  where usage.owner_id = ${chatKey.ownerId} and usage.key_id = ${chatKey.keyId}
    and usage.created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
)`;

/** A sum over a month of calls, which most keys do not need. */
const limitedMonthCost = sql<number>`case
  when ${chatKey.scopes} -> 'monthlyLimit' is distinct from 'null' then ${monthCost}
  else 0
end`;

const columns = {
  id: chatKey.keyId,
  name: chatKey.name,
  hint: chatKey.hint,
  scopes: chatKey.scopes,
  lastUsedAt: chatKey.lastUsedAt,
  revokedAt: chatKey.revokedAt,
  createdAt: chatKey.createdAt,
  monthCost,
};

/** Keys of one owner's programs. */
export class PostgresKeys {
  readonly #db: Database;
  readonly #owner: string;

  constructor(sql: Sql, ownerId: string) {
    this.#db = drizzleOn(sql);
    this.#owner = ownerId;
  }

  /** Newest first, revoked ones included. */
  list(): Promise<StoredKey[]> {
    return this.#db
      .select(columns)
      .from(chatKey)
      .where(eq(chatKey.ownerId, this.#owner))
      .orderBy(desc(chatKey.createdAt), desc(chatKey.keyId))
      .limit(500);
  }

  async get(keyId: string): Promise<StoredKey | null> {
    const [found] = await this.#db.select(columns).from(chatKey).where(this.#is(keyId));
    return found ?? null;
  }

  /** Gives a key that was never used another secret. Returns false for one that was used or revoked. */
  async add(
    key: Pick<KeyRow, "name" | "hash" | "hint" | "scopes"> & { id: string },
  ): Promise<boolean> {
    const { id: keyId, ...row } = key;
    const added = await this.#db
      .insert(chatKey)
      .values({ ownerId: this.#owner, keyId, ...row })
      .onConflictDoUpdate({
        target: [chatKey.ownerId, chatKey.keyId],
        set: row,
        setWhere: sql`${chatKey.lastUsedAt} is null and ${chatKey.revokedAt} is null`,
      })
      .returning({ id: chatKey.keyId });
    return added.length > 0;
  }

  /** Returns false when there is none, or it was revoked before. */
  async revoke(keyId: string): Promise<boolean> {
    const revoked = await this.#db
      .update(chatKey)
      .set({ revokedAt: sql`now()` })
      .where(and(this.#is(keyId), isNull(chatKey.revokedAt)))
      .returning({ id: chatKey.keyId });
    return revoked.length > 0;
  }

  #is(keyId: string) {
    return and(eq(chatKey.ownerId, this.#owner), eq(chatKey.keyId, keyId));
  }
}

const isJustUsed = sql<boolean>`coalesce(${chatKey.lastUsedAt} > now() - interval '1 minute', false)`;

const selectKeyInUse = preparedOnce((db) =>
  db
    .select({
      ownerId: chatKey.ownerId,
      isFresh: isJustUsed,
      ...columns,
      monthCost: limitedMonthCost,
    })
    .from(chatKey)
    .where(and(eq(chatKey.hash, sql.placeholder("hash")), isNull(chatKey.revokedAt)))
    .prepare("select_key_in_use"),
);

/**
 * Finds the owner of a key and notes its use, at most once a minute. `null` when unknown or revoked. The cost of the month
 * is 0 for a key without a limit.
 */
export async function keyInUse(
  pool: Sql,
  hash: string,
): Promise<{ ownerId: string; key: StoredKey } | null> {
  const db = drizzleOn(pool);
  const [found] = await selectKeyInUse(db, { hash });
  if (!found) return null;
  const { ownerId, isFresh, ...key } = found;
  if (isFresh) return { ownerId, key };
  await db
    .update(chatKey)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(chatKey.ownerId, ownerId), eq(chatKey.keyId, key.id)));
  return { ownerId, key };
}

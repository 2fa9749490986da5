import { and, desc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { KeyStore, ProgramChats, StoredKey } from "@/lib/chat/core/key-store";
import { asPerson, type PersonId, type SpaceId } from "@/lib/chat/core/person-in-space";
import {
  chatKey,
  chatUsage,
  type Database,
  drizzleOn,
  preparedOnce,
  type Sql,
  storableJson,
} from "@/lib/postgres/storage";
import { accountAppAccess, accountUser } from "@/lib/storage/schema";

const monthCost = sql<number>`(
  select coalesce(sum(greatest(coalesce(usage.cost, usage.charge), 0)), 0)::float8 from ${chatUsage} usage
  where usage.owner_id = ${chatKey}.owner_id and usage.key_id = ${chatKey}.key_id
    and usage.reserved_until is null and usage.created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
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

export class PostgresKeys implements KeyStore {
  readonly #db: Database;
  readonly #owner: PersonId;

  constructor(sql: Sql, personId: PersonId) {
    this.#db = drizzleOn(sql);
    this.#owner = personId;
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

  async add({ id: keyId, ...row }: Parameters<KeyStore["add"]>[0]): Promise<boolean> {
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

  async changeScopes(keyId: string, scopes: StoredKey["scopes"]): Promise<boolean> {
    const changed = await this.#db
      .update(chatKey)
      .set({ scopes: sql`${chatKey.scopes} || ${storableJson(scopes)}::text::jsonb` })
      .where(and(this.#is(keyId), isNull(chatKey.revokedAt)))
      .returning({ id: chatKey.keyId });
    return changed.length > 0;
  }

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

/** Programs with chats in a space that are not archived, most recently used first; at most 200. */
export function programsWithChats(database: Sql, spaceId: SpaceId): Promise<ProgramChats[]> {
  return database<ProgramChats[]>`
    select
      session.metadata -> 'program' ->> 'keyId' as id,
      coalesce(max(session.metadata -> 'program' ->> 'name'), 'Program') as name, count(*)::integer as chats
    from chat_session session
    where session.owner_id = ${spaceId} and session.deleted_at is null and session.archived_at is null
      and (session.expires_at is null or session.expires_at > now())
      and (session.metadata -> 'program' ->> 'keyId') is not null
    group by 1
    order by max(session.updated_at) desc, 1
    limit 200`;
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
    .where(
      and(
        inArray(chatKey.hash, [sql.placeholder("hash"), sql.placeholder("placedHash")]),
        isNull(chatKey.revokedAt),
      ),
    )
    .prepare("select_key_in_use"),
);

const selectAppKeyInUse = preparedOnce((db) =>
  db
    .select({
      ownerId: chatKey.ownerId,
      isFresh: isJustUsed,
      ...columns,
      monthCost: limitedMonthCost,
    })
    .from(accountAppAccess)
    .innerJoin(accountUser, eq(accountUser.id, accountAppAccess.userId))
    .innerJoin(
      chatKey,
      and(
        eq(chatKey.ownerId, accountUser.ownerId),
        eq(chatKey.keyId, accountAppAccess.referenceId),
      ),
    )
    .where(
      and(
        eq(accountAppAccess.token, sql.placeholder("hash")),
        gt(accountAppAccess.expiresAt, sql`now()`),
        isNull(accountAppAccess.revoked),
        isNull(chatKey.revokedAt),
      ),
    )
    .prepare("select_app_key_in_use"),
);

/**
 * Use is noted at most once a minute. `null` when unknown or revoked. The month's cost is 0 for a key without a limit.
 */
export async function keyInUse(
  pool: Sql,
  [hash, placedHash]: readonly [hash: string, placedHash: string],
): Promise<{ personId: PersonId; key: StoredKey } | null> {
  const db = drizzleOn(pool);
  const [key] = await selectKeyInUse(db, { hash, placedHash });
  const found = key ?? (await selectAppKeyInUse(db, { hash }))[0];
  if (!found) return null;
  const { ownerId, isFresh, ...inUse } = found;
  const used = { personId: asPerson(ownerId), key: inUse };
  if (isFresh) return used;
  await db
    .update(chatKey)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(chatKey.ownerId, ownerId), eq(chatKey.keyId, inUse.id)));
  return used;
}

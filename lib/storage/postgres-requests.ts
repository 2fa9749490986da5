import { and, eq, sql } from "drizzle-orm";
import type { Sql } from "grove-session/postgres";
import { type Database, drizzleOn } from "@/lib/postgres/storage";
import { chatRequest } from "@/lib/storage/schema";

type RequestRow = typeof chatRequest.$inferSelect;

export type NamedRequest = Pick<RequestRow, "digest"> & { readonly id: string };

export type HeldRequest = Pick<RequestRow, "claim" | "madeId"> & { readonly id: string };

export type RequestState =
  | { readonly state: "mine"; readonly held: HeldRequest }
  | { readonly state: "other" }
  | { readonly state: "running" }
  | ({ readonly state: "begun" } & Pick<RequestRow, "madeId">)
  | ({ readonly state: "done" } & Pick<RequestRow, "status" | "answer">);

interface Claimable {
  readonly isMine: boolean;
  readonly isOver: boolean;
  /** Its process renews it no more. */
  readonly isLeft: boolean;
}

const keptHours = 24;

export class PostgresRequests {
  readonly #sql: Sql;
  readonly #db: Database;
  readonly #owner: string;

  constructor(pool: Sql, ownerId: string) {
    this.#sql = pool;
    this.#db = drizzleOn(pool);
    this.#owner = ownerId;
  }

  /** A claim expires when its process is silent for `leaseMs`. One statement lets two processes agree. */
  async claim({ id, digest }: NamedRequest, leaseMs: number): Promise<RequestState> {
    const claim = crypto.randomUUID();
    const [row] = await this.#sql<(RequestRow & Claimable)[]>`
      with taken as (
        insert into chat_request (
          owner_id, request_id, made_id, digest, state, claim, claimed_until, expires_at
        )
        values (
          ${this.#owner}, ${id}, ${crypto.randomUUID()}, ${digest}, 'running', ${claim},
          now() + ${leaseMs} * interval '1 millisecond', now() + ${keptHours} * interval '1 hour'
        )
        on conflict (owner_id, request_id) do nothing
        returning *
      )
      select
        true as "isMine", false as "isOver", false as "isLeft", made_id as "madeId", digest, state, status, answer, claim
      from taken
      union all
      select
        false, expires_at <= now(), state = 'running' and claimed_until <= now(), made_id, digest, state, status, answer,
        claim
      from chat_request
      where owner_id = ${this.#owner} and request_id = ${id} and not exists (select from taken)`;
    // A request that was claimed while this statement ran is not seen yet.
    if (!row) return { state: "running" };
    const { state, madeId, status, answer } = row;
    if (row.isMine) return { state: "mine", held: { id, claim, madeId } };
    if (row.isOver || (row.isLeft && row.digest === digest)) {
      const taken = await this.#takeOver(row, { id, claim, digest, leaseMs });
      // Of several at once, one takes it over.
      return taken ? { state: "mine", held: taken } : this.claim({ id, digest }, leaseMs);
    }
    if (row.digest !== digest) return { state: "other" };
    if (state === "done") return { state, status, answer };
    return state === "begun" ? { state, madeId } : { state };
  }

  async #takeOver(
    { isOver, claim: before }: RequestRow & Claimable,
    { id, claim, digest, leaseMs }: NamedRequest & { claim: string; leaseMs: number },
  ): Promise<HeldRequest | null> {
    const [taken] = await this.#db
      .update(chatRequest)
      .set({
        ...(isOver && { madeId: crypto.randomUUID() }),
        ...{ digest, state: "running", claim, status: null, answer: null },
        claimedUntil: sql`now() + ${leaseMs} * interval '1 millisecond'`,
        expiresAt: sql`now() + ${keptHours} * interval '1 hour'`,
      })
      .where(
        and(
          eq(chatRequest.ownerId, this.#owner),
          eq(chatRequest.requestId, id),
          eq(chatRequest.claim, before),
          isOver
            ? sql`${chatRequest.expiresAt} <= now()`
            : sql`${chatRequest.state} = 'running' and ${chatRequest.claimedUntil} <= now()`,
        ),
      )
      .returning({ madeId: chatRequest.madeId });
    return taken ? { id, claim, madeId: taken.madeId } : null;
  }

  async renew(held: HeldRequest, leaseMs: number): Promise<void> {
    await this.#db
      .update(chatRequest)
      .set({ claimedUntil: sql`now() + ${leaseMs} * interval '1 millisecond'` })
      .where(this.#isHeld(held));
  }

  async begin(held: HeldRequest): Promise<void> {
    await this.#db.update(chatRequest).set({ state: "begun" }).where(this.#isHeld(held));
  }

  /** A begun request keeps no answer: it is read from the made thing. */
  async end(
    held: HeldRequest,
    { status, answer }: Pick<RequestRow, "answer"> & { readonly status: number },
  ): Promise<void> {
    await this.#db
      .update(chatRequest)
      .set({ state: "done", status, answer })
      .where(this.#isHeld(held));
  }

  /** A failed request may be tried again at once. */
  async release(held: HeldRequest): Promise<void> {
    await this.#db.update(chatRequest).set({ claimedUntil: sql`now()` }).where(this.#isHeld(held));
  }

  #isHeld({ id, claim }: HeldRequest) {
    return and(
      eq(chatRequest.ownerId, this.#owner),
      eq(chatRequest.requestId, id),
      eq(chatRequest.claim, claim),
      eq(chatRequest.state, "running"),
    );
  }
}

interface Removal {
  readonly most: number;
  readonly keptOfOwner: { readonly requests: number; readonly answerBytes: number };
}

export async function removeOldRequests(pool: Sql, removal: Removal): Promise<void> {
  const { most, keptOfOwner: kept } = removal;
  await pool`
    delete from chat_request
    where expires_at <= now() and ctid = any (array(
      select ctid from chat_request where expires_at <= now() order by expires_at, owner_id, request_id limit ${most}
    ))`;
  const heavy = await pool<{ owner: string }[]>`
    select owner_id as owner
    from chat_request
    group by owner_id
    having count(*) > ${kept.requests} or sum(pg_column_size(answer)) > ${kept.answerBytes}
    order by owner_id
    limit 1000`;
  for (const { owner } of heavy) await removeOldest(pool, owner, removal);
}

function removeOldest(
  pool: Sql,
  owner: string,
  { most, keptOfOwner: { requests, answerBytes } }: Removal,
): Promise<unknown> {
  return pool`
    delete from chat_request
    where owner_id = ${owner} and ctid = any (array(
      select ranked.place
      from (
        select
          place,
          row_number() over newest as number,
          sum(bytes) over newest as bytes
        from (
          select ctid as place, request_id, expires_at, pg_column_size(answer) as bytes
          from chat_request
          where owner_id = ${owner}
        ) sized
        window newest as (order by expires_at desc, request_id desc)
      ) ranked
      where ranked.number > ${requests} or ranked.bytes > ${answerBytes}
      order by ranked.number desc
      limit ${most}
    ))`;
}

import { and, asc, eq, sql } from "drizzle-orm";
import { asSpace, type SpaceId } from "@/lib/chat/core/person-in-space";
import type { RunRecord } from "@/lib/chat/core/run-store";
import type { Sql } from "@/lib/postgres/connections/sql";
import { drizzleOn } from "@/lib/postgres/drizzle-on";
import { chatRun } from "@/lib/postgres/schema";
import { PostgresRunStore } from "./postgres-run-store";
import { leaseEnd, leaseToken, nextFence, run, sessionIsThere } from "./run-row";

/** Few, so that each is ended long before its new lease is over. */
const claimedAtOnce = 5;
const watchedAtOnce = 1_000;

interface OwnedRun {
  readonly ownerId: SpaceId;
  readonly run: RunRecord;
}

interface RunAddress {
  readonly ownerId: string;
  readonly runId: string;
}

interface OwnedLease extends RunAddress {
  readonly token: string;
}

function keyOf({ ownerId, runId }: RunAddress): string {
  return JSON.stringify([ownerId, runId]);
}

/**
 * One caller takes over each run. A clock may be set back, so a lease is also over when this process has seen it
 * unrenewed for its whole length.
 */
export class RunClaims {
  readonly #pool: Sql;
  readonly #leaseMs: number;
  #seen: ReadonlyMap<string, SeenLease> = new Map();

  constructor(pool: Sql, { leaseMs }: { readonly leaseMs: number }) {
    this.#pool = pool;
    this.#leaseMs = leaseMs;
  }

  async claim(own: readonly RunAddress[] = []): Promise<OwnedRun[]> {
    const expired = await this.#claimExpired(own);
    const leases = await this.#runningLeases();
    const ownKeys = new Set(own.map(keyOf));
    const others = leases.filter((lease) => !ownKeys.has(keyOf(lease)));
    this.#seen = leasesSeen(this.#seen, others, performance.now());
    const claims = unrenewed(this.#seen, { forMs: this.#leaseMs, now: performance.now() }).map(
      async ({ ownerId, runId, token }) => {
        const runs = new PostgresRunStore({ sql: this.#pool, chunks: this.#pool, ownerId });
        const claimed = await runs.claim(runId, { token, leaseMs: this.#leaseMs });
        return claimed ? [{ ownerId: asSpace(ownerId), run: claimed }] : [];
      },
    );
    return [...expired, ...(await Promise.all(claims)).flat()];
  }

  #runningLeases(): Promise<OwnedLease[]> {
    const db = drizzleOn(this.#pool);
    return db
      .select({ ownerId: chatRun.ownerId, runId: chatRun.runId, token: leaseToken })
      .from(chatRun)
      .where(and(eq(chatRun.status, "running"), sessionIsThere(db)))
      .orderBy(asc(chatRun.leaseUntil), asc(chatRun.ownerId), asc(chatRun.runId))
      .limit(watchedAtOnce);
  }

  async #claimExpired(own: readonly RunAddress[]): Promise<OwnedRun[]> {
    const db = drizzleOn(this.#pool);
    const isOthers = sql`not exists (
      select from json_to_recordset(${JSON.stringify(own)}::text::json) as own ("ownerId" text, "runId" text)
      where own."ownerId" = ${chatRun.ownerId} and own."runId" = ${chatRun.runId}
    )`;
    const expired = db
      .select({ ownerId: chatRun.ownerId, runId: chatRun.runId })
      .from(chatRun)
      .where(
        and(
          eq(chatRun.status, "running"),
          sql`${chatRun.leaseUntil} < now()`,
          sessionIsThere(db),
          isOthers,
        ),
      )
      .orderBy(asc(chatRun.leaseUntil), asc(chatRun.ownerId), asc(chatRun.runId))
      .limit(claimedAtOnce)
      .for("update", { skipLocked: true })
      .as("expired");
    const claimed = await db
      .update(chatRun)
      .set({ leaseUntil: leaseEnd(this.#leaseMs), fence: nextFence })
      .from(expired)
      .where(and(eq(chatRun.ownerId, expired.ownerId), eq(chatRun.runId, expired.runId)))
      .returning({ ownerId: chatRun.ownerId, ...run });
    return claimed.map(({ ownerId, ...each }) => ({ ownerId: asSpace(ownerId), run: each }));
  }
}

interface SeenLease extends OwnedLease {
  readonly since: number;
}

function leasesSeen(
  before: ReadonlyMap<string, SeenLease>,
  leases: readonly OwnedLease[],
  now: number,
): Map<string, SeenLease> {
  return new Map(
    leases.map((lease) => {
      const key = keyOf(lease);
      const known = before.get(key);
      return [key, known?.token === lease.token ? known : { ...lease, since: now }];
    }),
  );
}

function unrenewed(
  seen: ReadonlyMap<string, SeenLease>,
  { forMs, now }: { readonly forMs: number; readonly now: number },
): SeenLease[] {
  return [...seen.values()].filter(({ since }) => now - since > forMs).slice(0, claimedAtOnce);
}

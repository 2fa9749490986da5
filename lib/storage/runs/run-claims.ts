import { and, asc, eq, sql } from "drizzle-orm";
import { asSpace, type SpaceId } from "@/lib/chat/core/person-in-space";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { chatRun, drizzleOn, type Sql } from "@/lib/postgres/storage";
import { PostgresRunStore } from "./postgres-run-store";
import { leaseToken, sessionIsThere } from "./run-row";

/** Few, so that each is ended long before its new lease is over. */
const claimedAtOnce = 5;
/** More, since other processes claim at the same time. */
const expiredAtOnce = 4 * claimedAtOnce;
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
    const expired = await this.#claimAll(await this.#expiredLeases(own));
    const leases = await this.#runningLeases();
    const ownKeys = new Set(own.map(keyOf));
    const others = leases.filter((lease) => !ownKeys.has(keyOf(lease)));
    this.#seen = leasesSeen(this.#seen, others, performance.now());
    const silent = unrenewed(this.#seen, { forMs: this.#leaseMs, now: performance.now() });
    return [...expired, ...(await this.#claimAll(silent))];
  }

  /** Each by a statement of its owner. One that another process claims first is passed over for the next. */
  async #claimAll(leases: readonly OwnedLease[]): Promise<OwnedRun[]> {
    const claimed: OwnedRun[] = [];
    for (const { ownerId, runId, token } of leases) {
      if (claimed.length === claimedAtOnce) break;
      const runs = new PostgresRunStore({ sql: this.#pool, chunks: this.#pool, ownerId });
      const run = await runs.claim(runId, { token, leaseMs: this.#leaseMs });
      if (run) claimed.push({ ownerId: asSpace(ownerId), run });
    }
    return claimed;
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

  #expiredLeases(own: readonly RunAddress[]): Promise<OwnedLease[]> {
    const db = drizzleOn(this.#pool);
    const isOthers = sql`not exists (
      select from json_to_recordset(${JSON.stringify(own)}::text::json) as own ("ownerId" text, "runId" text)
      where own."ownerId" = ${chatRun.ownerId} and own."runId" = ${chatRun.runId}
    )`;
    return db
      .select({ ownerId: chatRun.ownerId, runId: chatRun.runId, token: leaseToken })
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
      .limit(expiredAtOnce);
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
  return [...seen.values()].filter(({ since }) => now - since > forMs);
}

import type { Sql } from "../connections/sql";
import { postgresFailure } from "../database-error";

export type ClearingKind = "data" | "account";

export class ClearingError extends Error {
  override readonly name = "ClearingError";
  /** The statements that are refused meanwhile have this code. */
  readonly code = "GR013";
  readonly detail: ClearingKind = "data";
}

const renewMs = 10_000;
/** Statements under way are given this many times the limit of a lock. */
const settleAttempts = 20;
const passes = 20;

interface Clearing<Result> {
  readonly owner: string;
  readonly kind: ClearingKind;
  /** Runs before anything is deleted; its error stops that. */
  readonly onceClosed?: (() => Promise<void>) | undefined;
  readonly clear: () => Promise<Result>;
}

/**
 * Closes an owner to new rows, waits for the statements under way, and deletes. The caller opens it again, or another
 * process's sweep goes on where this one died. @throws {ClearingError} while another caller clears the owner.
 */
export async function clearing<Result>(
  sql: Sql,
  { owner, kind, onceClosed, clear }: Clearing<Result>,
): Promise<Result> {
  const [row] = await sql<{ begun: boolean }[]>`
    select chat_begin_clearing(${owner}, ${kind}) as begun`;
  if (!row?.begun) throw new ClearingError("The owner is being cleared.");
  const renew = () => sql`update chat_clearing set renewed_at = now() where owner_id = ${owner}`;
  // Without renewals another process goes on with the same work.
  const renewing = setInterval(() => void renew().catch(() => undefined), renewMs);
  try {
    await settle(sql, owner);
    await onceClosed?.();
    return await untilNothingHangs(clear);
  } finally {
    clearInterval(renewing);
  }
}

async function settle(sql: Sql, owner: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql`select chat_settle_clearing(${owner})`;
      return;
    } catch (error) {
      const isBusy = ["55P03", "57014", "40P01"].includes(postgresFailure(error)?.code ?? "");
      if (!isBusy || attempt === settleAttempts) throw error;
    }
  }
}

/** Rows under way may hang on one that is deleted next. */
async function untilNothingHangs<Result>(clear: () => Promise<Result>): Promise<Result> {
  for (let pass = 1; ; pass++) {
    try {
      return await clear();
    } catch (error) {
      if (!hangs(error) || pass === passes) throw error;
    }
  }
}

function hangs(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if (postgresFailure(each)?.code === "23503") return true;
  return false;
}

/** After a failure its person goes on, and deletes again. */
export async function openOwner(sql: Sql, owner: string): Promise<void> {
  await sql`delete from chat_clearing where owner_id = ${owner} and kind = 'data'`;
}

/** Chats deleted at this moment are the last. False when nothing is being deleted. */
export async function stopDeleting(sql: Sql, owner: string): Promise<boolean> {
  const { count } = await sql`
    update chat_clearing set stop_requested = true where owner_id = ${owner} and kind = 'data'`;
  return count > 0;
}

export async function isStopRequested(sql: Sql, owner: string): Promise<boolean> {
  const rows = await sql`select from chat_clearing where owner_id = ${owner} and stop_requested`;
  return rows.length > 0;
}

export async function forgetClearing(sql: Sql, owner: string): Promise<void> {
  await sql`delete from chat_clearing where owner_id = ${owner}`;
}

/** An account's id is never used again. */
export async function closeForGood(sql: Sql, owner: string): Promise<void> {
  await sql`select chat_close_for_good(${owner})`;
}

/** Clearings whose process has not renewed them for a minute. */
export function leftClearings(
  pool: Sql,
  kind: ClearingKind,
): Promise<{ owner: string; isStopped: boolean }[]> {
  return pool<{ owner: string; isStopped: boolean }[]>`
    select owner_id as owner, stop_requested as "isStopped"
    from chat_clearing
    where kind = ${kind} and ended_at is null and renewed_at < now() - interval '1 minute'
    order by started_at, owner_id
    limit 100`;
}

import type { Sql } from "grove-session/postgres";

export interface BackupAttempt {
  readonly runningSince: Date | null;
  readonly succeededAt: Date | null;
  readonly failedAt: Date | null;
  readonly failure: string | null;
}

export interface ClaimOptions {
  /** A process that does not renew its claim within this time has died. */
  readonly leaseMs: number;
  readonly due?: { readonly everyMs: number; readonly retryMs: number } | undefined;
}

/** @returns the claim; `null` when another process has one, or none is due. */
export async function claimBackup(
  sql: Sql,
  { leaseMs, due }: ClaimOptions,
): Promise<string | null> {
  const every = due?.everyMs ?? 0;
  const retry = due?.retryMs ?? 0;
  const [row] = await sql<{ claim: string }[]>`
    insert into bookkeeping.backup_attempt as attempt (id, started_at, lease_until)
    values (1, now(), now() + ${leaseMs} * interval '1 ms')
    on conflict (id) do update set started_at = excluded.started_at, lease_until = excluded.lease_until
    where coalesce(attempt.lease_until, '-infinity') < now()
      and coalesce(attempt.succeeded_at, '-infinity') <= now() - ${every} * interval '1 ms'
      and coalesce(attempt.failed_at, '-infinity') <= now() - ${retry} * interval '1 ms'
    returning started_at::text as claim`;
  return row?.claim ?? null;
}

/** Does nothing once the claim has expired and another process has one. */
export async function renewBackup(sql: Sql, claim: string, leaseMs: number): Promise<void> {
  await sql`
    update bookkeeping.backup_attempt set lease_until = now() + ${leaseMs} * interval '1 ms'
    where started_at::text = ${claim} and lease_until is not null`;
}

export type BackupOutcome = "succeeded" | "stopped" | { readonly failure: string };

/** A stopped backup is due again at once. */
export async function endBackup(sql: Sql, claim: string, outcome: BackupOutcome): Promise<void> {
  const failure = typeof outcome === "string" ? null : outcome.failure;
  await sql`
    update bookkeeping.backup_attempt set
      lease_until = null,
      succeeded_at = case when ${outcome === "succeeded"} then now() else succeeded_at end,
      failed_at = case when ${failure !== null} then now() else failed_at end,
      failure = coalesce(${failure}, failure)
    where started_at::text = ${claim}`;
}

export async function latestAttempt(sql: Sql): Promise<BackupAttempt> {
  const [row] = await sql<BackupAttempt[]>`
    select
      case when lease_until > now() then started_at end as "runningSince",
      succeeded_at as "succeededAt",
      failed_at as "failedAt",
      failure
    from bookkeeping.backup_attempt where id = 1`;
  return row ?? { runningSince: null, succeededAt: null, failedAt: null, failure: null };
}

import type { Sql } from "postgres";

export interface RunRow {
  run_id: string;
  kind: "answer" | "summary";
  session_id: string;
  message_id: string;
  parent_id: string;
  model: string;
  status: "running" | "complete" | "stopped" | "interrupted" | "failed";
  /** JSON; `null` for an answer. */
  plan: string | null;
  error: string | null;
  started_at: Date;
  finished_at: Date | null;
}

interface RunKey {
  owner: string;
  runId: string;
}

const columns = (sql: Sql) => sql`
  run.run_id, run.kind, run.session_id, run.message_id, run.parent_id, run.model, run.status, run.plan, run.error,
  run.started_at, run.finished_at`;
// The answer to a session that was deleted meanwhile waits for the session to come back.
const isThere = (sql: Sql) => sql`
  exists (
    select from chat_session session
    where session.owner_id = run.owner_id and session.session_id = run.session_id and session.deleted_at is null
  )`;
const lease = (sql: Sql, leaseMs: number) => sql`now() + ${leaseMs} * interval '1 millisecond'`;

interface RunOfMessage {
  owner: string;
  sessionId: string;
  messageId: string;
}

/** A new run; none when there is one with this id or for this message, or as many of its kind are running as may. */
export async function insertRun(
  sql: Sql,
  run: RunOfMessage & {
    id: string;
    kind: RunRow["kind"];
    parentId: string;
    model: string;
    plan: string | null;
    leaseMs: number;
    maxRunning: number;
  },
): Promise<RunRow | undefined> {
  const [row] = await sql<RunRow[]>`
    insert into chat_run as run (
      owner_id, run_id, kind, session_id, message_id, parent_id, model, plan, status, lease_until
    )
    select
      ${run.owner}, ${run.id}, ${run.kind}, ${run.sessionId}, ${run.messageId}, ${run.parentId}, ${run.model},
      ${run.plan}, 'running', ${lease(sql, run.leaseMs)}
    where ${run.maxRunning} > (
      select count(*) from chat_run run
      where run.owner_id = ${run.owner} and run.kind = ${run.kind} and run.status = 'running' and ${isThere(sql)}
    )
    on conflict do nothing
    returning ${columns(sql)}`;
  return row;
}

/** The run that writes a message. */
export async function runOfMessage(
  sql: Sql,
  { owner, sessionId, messageId }: RunOfMessage,
): Promise<RunRow | undefined> {
  const [row] = await sql<RunRow[]>`
    select ${columns(sql)} from chat_run run
    where owner_id = ${owner} and session_id = ${sessionId} and message_id = ${messageId}`;
  return row;
}

export async function readRun(sql: Sql, { owner, runId }: RunKey): Promise<RunRow | undefined> {
  const [row] = await sql<RunRow[]>`
    select ${columns(sql)} from chat_run run where owner_id = ${owner} and run_id = ${runId}`;
  return row;
}

/** Answers being written. */
export function runningAnswers(
  sql: Sql,
  { owner, session }: { owner: string; session: string | null },
): Promise<RunRow[]> {
  return sql<RunRow[]>`
    select ${columns(sql)} from chat_run run
    where owner_id = ${owner} and kind = 'answer' and status = 'running'
      and (${session}::text is null or session_id = ${session})
      and ${isThere(sql)}
    order by started_at, run_id
    limit 200`;
}

/** Summaries being written, and the newest one when it came to nothing: what the person has to be told. */
export function openSummaries(
  sql: Sql,
  { owner, session }: { owner: string; session: string },
): Promise<RunRow[]> {
  return sql<RunRow[]>`
    select ${columns(sql)} from chat_run run
    where owner_id = ${owner} and session_id = ${session} and kind = 'summary'
      and (
        status = 'running'
        or status in ('failed', 'interrupted') and not exists (
          select from chat_run newer
          where newer.owner_id = ${owner} and newer.session_id = ${session} and newer.kind = 'summary'
            and (newer.started_at, newer.run_id) > (run.started_at, run.run_id)
        )
      )
    order by started_at, run_id
    limit 20`;
}

/** The newest summary of a session, however it ended. */
export async function newestSummary(
  sql: Sql,
  { owner, session }: { owner: string; session: string },
): Promise<RunRow | undefined> {
  const [row] = await sql<RunRow[]>`
    select ${columns(sql)} from chat_run run
    where owner_id = ${owner} and session_id = ${session} and kind = 'summary'
    order by started_at desc, run_id desc
    limit 1`;
  return row;
}

/** Forgets a summary that came to nothing; one being written is left alone. */
export async function deleteSummary(sql: Sql, { owner, runId }: RunKey): Promise<boolean> {
  const rows = await sql`
    with gone as (
      delete from chat_run
      where owner_id = ${owner} and run_id = ${runId} and kind = 'summary' and status <> 'running'
      returning run_id
    ), chunks as (
      delete from chat_stream where owner_id = ${owner} and run_id in (select run_id from gone)
    )
    select run_id from gone`;
  return rows.length > 0;
}

export async function extendLease(
  sql: Sql,
  { owner, runId, leaseMs }: RunKey & { leaseMs: number },
): Promise<{ stop_requested: boolean } | undefined> {
  const [row] = await sql<{ stop_requested: boolean }[]>`
    update chat_run set lease_until = ${lease(sql, leaseMs)}
    where owner_id = ${owner} and run_id = ${runId} and status = 'running'
    returning stop_requested`;
  return row;
}

export async function requestStop(sql: Sql, { owner, runId }: RunKey): Promise<boolean> {
  const rows = await sql`
    update chat_run set stop_requested = true
    where owner_id = ${owner} and run_id = ${runId} and status = 'running'
    returning run_id`;
  return rows.length > 0;
}

export async function insertChunks(
  sql: Sql,
  { owner, runId, from, size, delta }: RunKey & { from: number; size: number; delta: string },
): Promise<void> {
  await sql`
    insert into chat_stream (owner_id, run_id, n, size, delta)
    values (${owner}, ${runId}, ${from}, ${size}, ${delta})
    on conflict do nothing`;
}

/** Batches that hold chunk `from` or later ones. */
export function readChunks(
  sql: Sql,
  { owner, runId, from }: RunKey & { from: number },
): Promise<{ n: number; delta: string }[]> {
  return sql<{ n: number; delta: string }[]>`
    select n, delta from chat_stream
    where owner_id = ${owner} and run_id = ${runId} and n + size > ${from}
    order by n
    limit 100000`;
}

/** Changes what is given; a status ends the run. */
export async function updateRun(
  sql: Sql,
  {
    owner,
    runId,
    status,
    receipt,
    error,
  }: RunKey & { status: string | null; receipt: string | null; error: string | null },
): Promise<void> {
  await sql`
    update chat_run
    set
      receipt = coalesce(${receipt}, receipt),
      error = coalesce(${error}, error),
      status = coalesce(${status}, status),
      finished_at = case when ${status}::text is null then finished_at else now() end
    where owner_id = ${owner} and run_id = ${runId}`;
}

export async function readReceipt(
  sql: Sql,
  { owner, session, messageId }: { owner: string; session: string; messageId: string },
): Promise<string | null> {
  const [row] = await sql<{ receipt: string | null }[]>`
    select receipt from chat_run
    where owner_id = ${owner} and session_id = ${session} and message_id = ${messageId}`;
  return row?.receipt ?? null;
}

export function claimExpired(
  sql: Sql,
  { leaseMs, limit }: { leaseMs: number; limit: number },
): Promise<(RunRow & { owner_id: string })[]> {
  return sql<(RunRow & { owner_id: string })[]>`
    update chat_run run set lease_until = ${lease(sql, leaseMs)}
    from (
      select owner_id, run_id from chat_run run
      where status = 'running' and lease_until < now() and ${isThere(sql)}
      order by lease_until, owner_id, run_id
      limit ${limit}
      for update skip locked
    ) expired
    where run.owner_id = expired.owner_id and run.run_id = expired.run_id
    returning run.owner_id, ${columns(sql)}`;
}

export async function deleteOldChunks(
  sql: Sql,
  { olderThanMs }: { olderThanMs: number },
): Promise<void> {
  await sql`
    delete from chat_stream chunk
    using chat_run run
    where run.owner_id = chunk.owner_id and run.run_id = chunk.run_id
      and run.finished_at < now() - ${olderThanMs} * interval '1 millisecond'`;
}

import type { Sql } from "postgres";

export interface RunRow {
  run_id: string;
  session_id: string;
  message_id: string;
  parent_id: string;
  model: string;
  status: "running" | "complete" | "stopped" | "interrupted" | "failed";
  started_at: Date;
  finished_at: Date | null;
}

interface RunKey {
  owner: string;
  runId: string;
}

const columns = (sql: Sql) =>
  sql`run_id, session_id, message_id, parent_id, model, status, started_at, finished_at`;
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

/** A new run; none when there is one with this id or for this message, or as many are running as may. */
export async function insertRun(
  sql: Sql,
  run: RunOfMessage & {
    id: string;
    parentId: string;
    model: string;
    leaseMs: number;
    maxRunning: number;
  },
): Promise<RunRow | undefined> {
  const [row] = await sql<RunRow[]>`
    insert into chat_run (owner_id, run_id, session_id, message_id, parent_id, model, status, lease_until)
    select
      ${run.owner}, ${run.id}, ${run.sessionId}, ${run.messageId}, ${run.parentId}, ${run.model}, 'running',
      ${lease(sql, run.leaseMs)}
    where ${run.maxRunning} > (
      select count(*) from chat_run run
      where run.owner_id = ${run.owner} and run.status = 'running' and ${isThere(sql)}
    )
    on conflict do nothing
    returning ${columns(sql)}`;
  return row;
}

/** The run that answers with a message. */
export async function runOfMessage(
  sql: Sql,
  { owner, sessionId, messageId }: RunOfMessage,
): Promise<RunRow | undefined> {
  const [row] = await sql<RunRow[]>`
    select ${columns(sql)} from chat_run
    where owner_id = ${owner} and session_id = ${sessionId} and message_id = ${messageId}`;
  return row;
}

export async function readRun(sql: Sql, { owner, runId }: RunKey): Promise<RunRow | undefined> {
  const [row] = await sql<RunRow[]>`
    select ${columns(sql)} from chat_run where owner_id = ${owner} and run_id = ${runId}`;
  return row;
}

export function runningRuns(
  sql: Sql,
  { owner, session }: { owner: string; session: string | null },
): Promise<RunRow[]> {
  return sql<RunRow[]>`
    select ${columns(sql)} from chat_run run
    where owner_id = ${owner} and status = 'running' and (${session}::text is null or session_id = ${session})
      and ${isThere(sql)}
    order by started_at, run_id
    limit 200`;
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
  { owner, runId, status, receipt }: RunKey & { status: string | null; receipt: string | null },
): Promise<void> {
  await sql`
    update chat_run
    set
      receipt = coalesce(${receipt}, receipt),
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
    returning run.owner_id, run.run_id, run.session_id, run.message_id, run.parent_id, run.model, run.status,
      run.started_at, run.finished_at`;
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

import { transactionOn } from "../connections/own-connection";
import { repeatedly } from "../connections/rolled-back";
import type { Sql } from "../connections/sql";
import { drizzleOn } from "../drizzle-on";
import { chatSession } from "../schema";
import { importLockName } from "./import-lock";
import { insertMessages, newBranchIds, sessionValues, shownValues } from "./import-rows";
import type { SessionImport } from "./session-import";

export interface SessionGroup {
  readonly owner: string;
  readonly sessions: readonly SessionImport[];
  readonly parentOf: (session: SessionImport) => string | null;
}

interface FreeSession {
  readonly session: SessionImport;
  readonly branchIds: readonly number[];
}

/**
 * Stores complete sessions in one transaction. Sessions whose id is taken or being imported, and forks of such, are
 * left for later.
 *
 * @returns the ids of those it stored.
 */
export function writeGroup(sql: Sql, group: SessionGroup): Promise<ReadonlySet<string>> {
  return repeatedly(() => transactionOn(sql, () => write(sql, group)));
}

async function write(sql: Sql, group: SessionGroup): Promise<ReadonlySet<string>> {
  const free = await takeFree(sql, group);
  if (free.length === 0) return new Set();
  await insertSessions(sql, group, free);
  await insertBranches(sql, group.owner, free);
  const rows = free.flatMap(({ session, branchIds }) => session.rowsIn(session.id, branchIds));
  if (rows.length > 0) await insertMessages(sql, group.owner, rows);
  return new Set(free.map(({ session }) => session.id));
}

async function takeFree(sql: Sql, { owner, sessions }: SessionGroup): Promise<FreeSession[]> {
  const rows = await sql<{ is_free: boolean }[]>`
    select
      pg_try_advisory_xact_lock(hashtextextended(given.name, 0))
        and not exists (select from chat_session where owner_id = ${owner} and session_id = given.id) as is_free
    from unnest(
      ${sessions.map(({ id }) => id)}::text[],
      ${sessions.map(({ id }) => importLockName({ owner, session: id }))}::text[]
    ) with ordinality given (id, name, n)
    order by given.n`;
  const left = new Set<string>();
  const free = sessions.filter((session, index) => {
    const { parentSessionId } = session.record;
    const isFree = rows[index]?.is_free && !(parentSessionId && left.has(parentSessionId));
    if (!isFree) left.add(session.id);
    return isFree;
  });
  const counts = free.map(({ layout }) => layout.branches.length);
  const ids = await newBranchIds(
    sql,
    counts.reduce((sum, count) => sum + count, 0),
  );
  return free.map((session, index) => ({ session, branchIds: ids.splice(0, counts[index]) }));
}

async function insertSessions(
  sql: Sql,
  { owner, parentOf }: SessionGroup,
  free: readonly FreeSession[],
): Promise<void> {
  await drizzleOn(sql)
    .insert(chatSession)
    .values(
      free.map(({ session, branchIds }) => ({
        ...sessionValues(session.record, {
          owner,
          id: session.id,
          parentId: parentOf(session),
        }),
        ...shownValues(session.record, session.layout, branchIds),
      })),
    );
}

async function insertBranches(
  sql: Sql,
  owner: string,
  free: readonly FreeSession[],
): Promise<void> {
  const rows = free.flatMap(({ session, branchIds }) => {
    const ranks = session.layout.ranksOf(session.record.leafIds);
    return session.layout.branches.map((branch, at) => ({
      ...branch,
      id: branchIds[at] ?? 0,
      session: session.id,
      parent: branch.parent === null ? null : (branchIds[branch.parent] ?? null),
      touched: ranks[at] ?? 0,
    }));
  });
  if (rows.length === 0) return;
  // The driver takes a list's type from its first member, and encodes booleans wrongly.
  const parents = rows.map(({ parent }) => parent && String(parent)) as string[];
  await sql`
    insert into chat_branch (owner_id, branch_id, session_id, parent_branch, base, head, touched, sparse)
    select ${owner}, given.*
    from unnest(
      ${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ session }) => session)}::text[], ${parents}::bigint[],
      ${rows.map(({ base }) => base)}::integer[], ${rows.map(({ head }) => head)}::integer[],
      ${rows.map(({ touched }) => touched)}::bigint[], ${rows.map(({ sparse }) => String(sparse))}::text[]::boolean[]
    ) given`;
}

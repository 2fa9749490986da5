import { eq } from "drizzle-orm";
import { namespacePrefix } from "../../session/internal";
import { withMoreTime } from "../connections/own-connection";
import { type Fragment, identifier, type Sql } from "../connections/sql";
import { drizzleOn } from "../drizzle-on";
import { chatOwner } from "../schema";
import { ClearingError, clearing, forgetClearing, isStopRequested, openOwner } from "./clearing";

/** Keeps each delete below statement_timeout. */
const rowsAtOnce = 5_000;
const sessionsAtOnce = 500;
const sessionsListed = 20_000;

// Referencing tables first, for the foreign keys.
const ofBranch = ["chat_skill_event", "chat_compaction", "chat_search", "chat_message"] as const;
const ofSession = ["chat_run", "chat_deletion"] as const;
const ofOwner = [
  "chat_stream",
  ...ofBranch,
  ...ofSession,
  "chat_document_version",
  "chat_document",
  "chat_block",
  "chat_proposal",
  "chat_word",
  "chat_usage",
  "chat_file_page",
  "chat_file_chunk",
  "chat_file",
  "chat_secret",
  "chat_key",
  "chat_request",
  "chat_personal_prompt",
  "chat_share_piece",
  "chat_share",
] as const;

/** Tables with rows of an owner, referencing ones first. */
export const ownedTables = [...ofOwner, "chat_branch", "chat_session", "chat_owner"] as const;

export interface DataCounts {
  readonly sessions: number;
  readonly messages: number;
  readonly documents: number;
  readonly providers: number;
  readonly calls: number;
}

/** Counts of all that an owner has stored. */
export async function countData(sql: Sql, owner: string): Promise<DataCounts> {
  const [row] = await sql<[DataCounts]>`
    select
      (select count(*)::integer from chat_session where owner_id = ${owner} and deleted_at is null) as sessions,
      (
        select count(*)::integer from chat_message message
        join chat_session session
          on session.owner_id = message.owner_id and session.session_id = message.session_id and session.deleted_at is null
        where message.owner_id = ${owner} and message.deletion_id is null
      ) as messages,
      (
        select count(*)::integer from chat_document document
        join chat_block block
          on block.owner_id = document.owner_id and block.block_id = document.block_id and block.session_id = ''
          and block.deleted_at is null
        where document.owner_id = ${owner} and document.session_id = '' and document.content is not null
      ) as documents,
      (select count(*)::integer from chat_secret where owner_id = ${owner}) as providers,
      (select count(*)::integer from chat_usage where owner_id = ${owner} and reserved_until is null) as calls`;
  return row;
}

interface DeletedRows {
  readonly sessionIds: string[];
  /** `stopDeleting` ended it before all was gone. */
  readonly isStopped: boolean;
}

/**
 * Closes the owner meanwhile. Deletes sessions newest first, so that forks go before their sources, then all other
 * rows. The rest after an interrupted or stopped call is whole. Remembers that the example was created. @throws
 * {ClearingError} while another caller does.
 */
export async function deleteEverything(
  sql: Sql,
  owner: string,
  onceClosed?: () => Promise<void>,
): Promise<DeletedRows> {
  const clear = async () => {
    const deleted = await deleteAllOwned(sql, owner, () => isStopRequested(sql, owner));
    if (deleted.isStopped) await openOwner(sql, owner);
    else await sql`select chat_end_clearing(${owner})`;
    return deleted;
  };
  try {
    return await clearing(sql, { owner, kind: "data", onceClosed, clear });
  } catch (error) {
    // The database is away: the sweep goes on.
    if (!(error instanceof ClearingError)) await openOwner(sql, owner).catch(() => undefined);
    throw error;
  }
}

export async function deleteOwner(sql: Sql, owner: string): Promise<void> {
  await deleteOwnerOfAccount(sql, owner);
  await forgetClearing(sql, owner);
}

/** The owner stays closed, for the account to be deleted. */
export async function deleteOwnerOfAccount(
  sql: Sql,
  owner: string,
  onceClosed?: () => Promise<void>,
): Promise<void> {
  const clear = async () => {
    await deleteAllOwned(sql, owner);
    await drizzleOn(sql).delete(chatOwner).where(eq(chatOwner.ownerId, owner));
    // Learned meanwhile from texts that were still there.
    await sql`delete from chat_word where owner_id = ${owner}`;
  };
  await clearing(sql, { owner, kind: "account", onceClosed, clear });
}

type AsksToStop = () => Promise<boolean>;

async function deleteAllOwned(
  sql: Sql,
  owner: string,
  mustStop: AsksToStop = async () => false,
): Promise<DeletedRows> {
  const deleted = await deleteOwned(sql, owner, mustStop);
  if (deleted.isStopped) return deleted;
  for (const namespace of await namespacesOf(sql, owner))
    await deleteOwned(sql, namespace, async () => false);
  return deleted;
}

async function deleteOwned(sql: Sql, owner: string, mustStop: AsksToStop): Promise<DeletedRows> {
  const seen: string[] = [];
  while (true) {
    const listed = await newestSessions(sql, owner);
    if (listed.length === 0) break;
    const hidden = new Set(listed.flatMap(({ id, isSeen }) => (isSeen ? [] : [id])));
    for (const piece of piecesOf(listed)) {
      if (await mustStop()) return { sessionIds: seen, isStopped: true };
      const removed = await removeSessions(sql, owner, piece);
      for (const id of removed) if (!hidden.has(id)) seen.push(id);
    }
  }
  for (const table of ofOwner) await deleteRows(sql, table, () => sql`owner_id = ${owner}`);
  return { sessionIds: seen, isStopped: false };
}

interface ListedSession {
  readonly id: string;
  readonly messages: number;
  readonly isSeen: boolean;
}

/** Sessions deleted already come first, since a person would miss what an interruption takes. */
function newestSessions(sql: Sql, owner: string): Promise<ListedSession[]> {
  return sql<ListedSession[]>`
    select session_id as id, message_count as messages, deleted_at is null as "isSeen"
    from chat_session
    where owner_id = ${owner}
    order by deleted_at is null, created_at desc, session_id desc
    limit ${sessionsListed}`;
}

function* piecesOf(listed: readonly ListedSession[]): Generator<string[]> {
  let piece: string[] = [];
  let messages = 0;
  for (const session of listed) {
    const isFull = piece.length === sessionsAtOnce || messages + session.messages > rowsAtOnce;
    if (isFull && piece.length > 0) {
      yield piece;
      [piece, messages] = [[], 0];
    }
    piece.push(session.id);
    messages += session.messages;
  }
  yield piece;
}

/** @returns the deleted ids: a session that is written to stays for the next pass, or is waited for. */
async function removeSessions(sql: Sql, owner: string, ids: string[]): Promise<string[]> {
  const [row] = await withMoreTime(
    sql,
    (its) => its<{ removed: string[] }[]>`select chat_remove_all(${owner}, ${ids}) as removed`,
  );
  const removed = row?.removed ?? [];
  if (removed.length === 0)
    await sql`
      select from chat_session where owner_id = ${owner} and session_id = any (${ids}) limit 1 for update`;
  return removed;
}

async function namespacesOf(sql: Sql, owner: string): Promise<string[]> {
  const rows = await sql<{ owner_id: string }[]>`
    select owner_id from chat_session where starts_with(owner_id, ${namespacePrefix(owner)})
    union
    select owner_id from chat_block where starts_with(owner_id, ${namespacePrefix(owner)})
    union
    select owner_id from chat_stream where starts_with(owner_id, ${namespacePrefix(owner)})
    order by owner_id`;
  return rows.map((row) => row.owner_id);
}

/** Nothing may borrow from the session. */
export async function deleteSessionRows(
  sql: Sql,
  { owner, session }: { owner: string; session: string },
): Promise<void> {
  const mine = () => sql`owner_id = ${owner} and session_id = ${session}`;
  const onBranches = () => sql`
    owner_id = ${owner} and branch_id = any (array(select branch_id from chat_branch where ${mine()}))`;
  for (const table of ofBranch) await deleteRows(sql, table, onBranches);
  for (const table of ofSession) await deleteRows(sql, table, mine);
  await sql`delete from chat_branch where ${mine()}`;
  await sql`delete from chat_document where ${mine()}`;
  await sql`delete from chat_block where ${mine()}`;
  await sql`delete from chat_session where ${mine()}`;
}

async function deleteRows(
  sql: Sql,
  table: (typeof ofOwner)[number],
  which: () => Fragment,
): Promise<void> {
  // One owner's row ids are unique, since the table is partitioned by owner.
  while (true) {
    const { count } = await sql`
      delete from ${identifier(table)} where ${which()} and ctid = any (
        array(select ctid from ${identifier(table)} where ${which()} limit ${rowsAtOnce})
      )`;
    if (count < rowsAtOnce) return;
  }
}

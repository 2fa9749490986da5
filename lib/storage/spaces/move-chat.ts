import { getTableColumns, getTableName } from "drizzle-orm";
import { SessionExistsError } from "grove-session";
import type { Sql } from "grove-session/postgres";
import { isOwnSpace, type SpaceId } from "@/lib/chat/core/person-in-space";
import {
  chatBlock,
  chatBranch,
  chatCompaction,
  chatDeletion,
  chatDocument,
  chatDocumentVersion,
  chatMessage,
  chatProposal,
  chatRun,
  chatSearch,
  chatSession,
  chatSkillEvent,
  type Fragment,
  identifier,
  inTransaction,
  lockImportInTransaction,
  movedSource,
  newBranchIds,
  repeatedly,
  translated,
} from "@/lib/postgres/storage";
import { copyFile, missingFiles } from "./copied-files";
import { type ChatMove, copyRows, type RowsToCopy } from "./copied-rows";
import { GoingAssistants } from "./going-assistants";
import { GoingBlocks } from "./going-blocks";
import { ReceiptTexts } from "./receipt-texts";

/** A message may name another file each time. */
const mostAttempts = 10;

/**
 * A crash leaves the chat where it was. Writes meanwhile wait, and are then refused. Spending, consents and the cached
 * prompt stay. @returns `false` and changes nothing while an answer or a summary is being written or waits. @throws
 * {SessionNotFoundError} @throws {SessionExistsError} when another chat there has its id. @throws {StorageFullError}
 * @throws {MissingProjectError}
 */
export async function moveChat(pool: Sql, move: ChatMove): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await repeatedly(() => inTransaction(pool, "write", (sql) => moveRows(sql, move)));
      return true;
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      if (error.missing.length === 0) return false;
      if (attempt === mostAttempts) throw error;
      for (const sha256 of error.missing) await copyFile(pool, { ...move, sha256 });
    }
  }
}

/** Rolls the transaction back. @param missing files to copy first; none: something is being written. */
class NotYet extends Error {
  override readonly name = "NotYet";

  constructor(readonly missing: readonly string[] = []) {
    super("The chat cannot be moved yet.");
  }
}

export class MissingProjectError extends Error {
  override readonly name = "MissingProjectError";
}

export async function movedTo(
  sql: Sql,
  { spaceId, sessionId }: Pick<ChatMove, "sessionId"> & { readonly spaceId: SpaceId },
): Promise<SpaceId | null> {
  const [row] = await sql<{ to: SpaceId | null }[]>`
    select metadata ->> 'movedTo' as to from chat_session
    where owner_id = ${spaceId} and session_id = ${sessionId} and source = ${movedSource} and deleted_at is not null`;
  return row?.to ?? null;
}

async function moveRows(sql: Sql, move: ChatMove): Promise<void> {
  const { from, to, sessionId } = move;
  await holdProjects(sql, move);
  await translated(sql`select chat_begin_move(${from}, ${sessionId})`);
  if (await isBusy(sql, move)) throw new NotYet();
  const missing = await missingFiles(sql, move);
  if (missing.length > 0) throw new NotYet(missing);
  const proposals = await copyChat(sql, move);
  if ((await digestOf(sql, from, sessionId)) !== (await digestOf(sql, to, sessionId)))
    throw new Error("The copy of a chat differs from it, so nothing was moved.");
  await sql`select chat_end_move(${from}, ${sessionId}, ${to}, ${proposals})`;
}

/** Deletions of the projects wait until the chat is in one of them. */
async function holdProjects(sql: Sql, { personId, from, to }: ChatMove): Promise<void> {
  const projects = [from, to].filter((spaceId) => !isOwnSpace({ personId, spaceId })).sort();
  const held = await sql`
    select from account_space where space_id = any (${projects}::text[]) and deleted_at is null
    order by space_id for share`;
  if (held.length < projects.length) throw new MissingProjectError("The project was deleted.");
}

async function isBusy(sql: Sql, { from, sessionId }: ChatMove): Promise<boolean> {
  const running = await sql`
    select from chat_run
    where owner_id = ${from} and session_id = ${sessionId} and status in ('running', 'paused') limit 1`;
  return running.length > 0;
}

/** @returns the suggestions that go along. */
async function copyChat(sql: Sql, move: ChatMove): Promise<string[]> {
  const { personId, from, to, sessionId } = move;
  const branches = await newBranches(sql, move);
  const own = { join: branches("own", "branch_id"), columns: { branch_id: sql`own.moved` } };
  const copy = (table: RowsToCopy["table"], how: Partial<RowsToCopy> = {}) => {
    const isIts = sql`its.owner_id = ${from} and its.session_id = ${sessionId}`;
    const rows = sql`from ${identifier(getTableName(table))} its where ${isIts}`;
    return copyRows(sql, { table, to, rows, ...how });
  };
  const assistants = await GoingAssistants.find(sql, move);
  await copySession(sql, move, {
    copy,
    active: branches("active", "active_branch"),
    change: (json) => assistants.inSession(json),
  });
  await copy(chatBranch, {
    join: sql`${own.join} ${branches("parent", "parent_branch")}`,
    columns: { ...own.columns, parent_branch: sql`parent.moved` },
    // Each needs its parent in the same statement.
    atOnce: 1_000_000,
  });
  const blocks = await GoingBlocks.find(sql, move);
  await copy(chatMessage, {
    ...own,
    change: (json) => blocks.inMessage(assistants.inMessage(json)),
  });
  // Search rows with new numbers have their words learned there.
  await copy(chatSearch, { ...own, columns: { ...own.columns, seq: null } });
  await copy(chatSkillEvent, own);
  await copy(chatCompaction, own);

  await sql`select from chat_run where owner_id = ${from} and session_id = ${sessionId} for update`;
  const receipts = await ReceiptTexts.read(sql, move);
  const person = isOwnSpace({ personId, spaceId: to })
    ? sql`nullif(its.person_id, ${personId})`
    : sql`coalesce(its.person_id, ${personId})`;
  const change = (json: string) => receipts.inRun(json);
  await copy(chatRun, { columns: { person_id: person }, change, atOnce: 20 });
  await receipts.end();

  await copy(chatBlock, blocks.rows);
  const named = { columns: { block_id: blocks.idThere } };
  await copy(chatDocument, named);
  await copy(chatDocumentVersion, named);
  await copy(chatDeletion, named);
  const proposals = [...blocks.proposals];
  const goes = sql`its.owner_id = ${from} and its.proposal_id = any (${proposals}::text[])`;
  await copy(chatProposal, {
    ...named,
    rows: sql`from chat_proposal its where ${goes}`,
  });
  return proposals;
}

type Copy = (table: RowsToCopy["table"], how?: Partial<RowsToCopy>) => Promise<number>;

async function copySession(
  sql: Sql,
  { to, sessionId }: ChatMove,
  {
    copy,
    active,
    change,
  }: {
    readonly copy: Copy;
    readonly active: Fragment;
    readonly change: (json: string) => string;
  },
): Promise<void> {
  if (!(await lockImportInTransaction(sql, { owner: to, session: sessionId })))
    throw new SessionExistsError(sessionId);
  const [left] = await sql<{ parent: string | null; message: string | null }[]>`
    select parent_session_id as parent, forked_at_message_id as message from chat_session
    where owner_id = ${to} and session_id = ${sessionId} for update`;
  const names = Object.values(getTableColumns(chatSession))
    .filter(({ name, generated }) => name !== "owner_id" && name !== "session_id" && !generated)
    .map(({ name }) => identifier(name));
  const copied = await copy(chatSession, {
    join: active,
    change,
    columns: {
      active_branch: sql`active.moved`,
      parent_session_id: sql`${left?.parent ?? null}::text`,
      forked_at_message_id: sql`${left?.message ?? null}::text`,
      // A fork of a program's chat is none itself.
      metadata: sql`its.metadata - 'program'`,
      frozen_prompt: sql`null::text`,
      frozen_versions: sql`null::jsonb`,
    },
    onConflict: sql`
      on conflict (owner_id, session_id) do update
      set (session_id${names.map((name) => sql`, ${name}`)})
        = row (excluded.session_id${names.map((name) => sql`, excluded.${name}`)})
      where chat_session.source = ${movedSource} and chat_session.deleted_at is not null`,
  });
  if (copied === 0) throw new SessionExistsError(sessionId);
  await sql`delete from chat_run where owner_id = ${to} and session_id = ${sessionId}`;
  await sql`delete from chat_consent where owner_id = ${to} and session_id = ${sessionId}`;
}

async function newBranches(
  sql: Sql,
  { from, sessionId }: ChatMove,
): Promise<(name: string, column: string) => Fragment> {
  const rows = await sql<{ known: number }[]>`
    select branch_id as known from chat_branch where owner_id = ${from} and session_id = ${sessionId}`;
  const known = rows.map((row) => row.known);
  const moved = await newBranchIds(sql, known.length);
  return (name, column) => sql`
    left join unnest(${known}::bigint[], ${moved}::bigint[]) ${identifier(name)} (known, moved)
      on ${identifier(name)}.known = its.${identifier(column)}`;
}

async function digestOf(sql: Sql, owner: SpaceId, sessionId: string): Promise<string> {
  const [row] = await sql<{ digest: string }[]>`
    select md5(coalesce(string_agg(
      md5(concat_ws('/', ordinal, id, role, pos, pinned, label, deletion_id, created_at)), '' order by ordinal, id
    ), '')) || count(*) as digest
    from chat_message
    where owner_id = ${owner} and session_id = ${sessionId}`;
  return row?.digest ?? "";
}

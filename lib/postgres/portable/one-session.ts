import { SessionExistsError, SessionNotFoundError } from "../../session";
import {
  assertConsistent,
  ExportDamagedError,
  type ExportedSession,
  parseSessionText,
} from "../../session/internal";
import { inTransaction } from "../connections/own-connection";
import { repeatedly } from "../connections/rolled-back";
import type { Sql } from "../connections/sql";
import { refusesValue } from "../database-error";
import { oneSession } from "./export-records";
import { BlockImport } from "./import-block";
import { ImportError } from "./import-error";
import { lockImportInTransaction } from "./import-lock";
import { SessionImport } from "./session-import";

export async function exportSession(
  pool: Sql,
  { ownerId, sessionId }: { ownerId: string; sessionId: string },
): Promise<ExportedSession> {
  const lines: string[] = [];
  await inTransaction(pool, "snapshot", async (sql) => {
    for await (const line of oneSession(sql, { ownerId, sessionId })) lines.push(line);
  });
  if (lines.length <= 2) throw new SessionNotFoundError(sessionId);
  return parseSessionText(lines.join(""));
}

/**
 * Replaces a deleted session of its id. @throws {ExportDamagedError} for records that make no tree. @throws
 * {SessionExistsError} when the id is taken, or being imported.
 */
export async function importSession(
  pool: Sql,
  owner: string,
  exported: ExportedSession,
): Promise<void> {
  assertConsistent(exported);
  const { id } = exported.session;
  try {
    await repeatedly(() =>
      inTransaction(pool, "write", async (sql) => {
        await sql`select chat_purge(${owner}, ${id})`;
        await storeSession(sql, owner, exported);
      }),
    );
  } catch (error) {
    if (error instanceof ImportError)
      throw new ExportDamagedError(error.message.replace(/\.$/, ""), { cause: error });
    if (refusesValue(error))
      throw new ExportDamagedError("it holds something that cannot be stored", { cause: error });
    throw error;
  }
}

/** Runs in a transaction. @throws {SessionExistsError} when the id is taken, or being imported. */
export async function storeSession(
  sql: Sql,
  owner: string,
  exported: ExportedSession,
): Promise<void> {
  const { id } = exported.session;
  if (!(await lockImportInTransaction(sql, { owner, session: id })))
    throw new SessionExistsError(id);
  await assertFree(sql, owner, id);
  await store(sql, owner, exported);
}

async function assertFree(sql: Sql, owner: string, session: string): Promise<void> {
  const [taken] = await sql`
    select from chat_session where owner_id = ${owner} and session_id = ${session}`;
  if (taken) throw new SessionExistsError(session);
}

async function store(sql: Sql, owner: string, exported: ExportedSession): Promise<void> {
  const { session: record, messages, compactions, skills, answers } = exported;
  const { id, parentSessionId: parentId } = record;
  const blocks = new BlockImport(sql, owner);
  const session = new SessionImport(sql, { owner, blocks, record });
  await session.store({ id, parentId });
  for (const node of messages) {
    await (node.type === "gap" ? session.gap(node) : session.message(node));
  }
  for (const each of compactions) await session.compaction(each);
  for (const each of skills) await session.skill(each);
  for (const each of exported.blocks) await session.block(each);
  for (const { history, ...document } of exported.documents) {
    await session.document(document);
    for (const version of history) session.version(version);
  }
  for (const each of answers) await session.answer(each);
  const written = messages.filter(({ type }) => type === "message").length;
  session.assertWhole({ type: "session-end", id, messages: written });
  await session.finish();
}

import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { ArchiveFailedError, type SessionArchive } from "../session/internal";
import { namedFailures } from "./named-failures";

export interface SqliteArchiveOptions {
  readonly path: string;
  /** Hides archives of other owners in the same file. Default: none. */
  readonly owner?: string | undefined;
  /** Longest wait for a write of another process. Default 5,000 ms. */
  readonly waitMs?: number | undefined;
}

export interface SqliteArchive extends SessionArchive {
  close(): Promise<void>;
}

const schema = `
  create table if not exists session_archive (
    owner text not null,
    session_id text not null,
    archived_at integer not null,
    text text not null,
    primary key (owner, session_id)
  ) strict`;

/** One row for each session, with the SQLite of Node 22.5 or newer. Calls block the process while they run. */
export function sqliteArchive({
  path,
  owner = "",
  waitMs = 5_000,
}: SqliteArchiveOptions): SqliteArchive {
  let opened: Promise<DatabaseSync> | null = null;
  const database = () => {
    opened ??= openDatabase(path, waitMs).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  const archive = namedFailures(`The SQLite file ${path}`, {
    async put(sessionId, text) {
      const insert = (await database()).prepare(`
        insert into session_archive (owner, session_id, archived_at, text) values (?, ?, ?, ?)
        on conflict do update set archived_at = excluded.archived_at, text = excluded.text`);
      insert.run(owner, sessionId, Date.now(), text);
    },

    async get(sessionId) {
      const select = (await database()).prepare(
        "select text from session_archive where owner = ? and session_id = ?",
      );
      const row = select.get(owner, sessionId);
      return row === undefined ? null : String(row.text);
    },

    async *list() {
      const select = (await database()).prepare(`
        select session_id, archived_at, octet_length(text) as bytes
        from session_archive where owner = ? order by session_id`);
      for (const row of select.all(owner)) yield entryOf(row);
    },

    async delete(sessionId) {
      const remove = (await database()).prepare(
        "delete from session_archive where owner = ? and session_id = ?",
      );
      return Number(remove.run(owner, sessionId).changes) > 0;
    },
  });
  const close = async () => {
    (await opened)?.close();
    opened = null;
  };
  return { ...archive, close };
}

async function openDatabase(path: string, waitMs: number): Promise<DatabaseSync> {
  const { DatabaseSync } = await sqlite();
  const database = new DatabaseSync(path);
  database.exec(`pragma busy_timeout = ${Math.round(waitMs)}; pragma journal_mode = wal`);
  database.exec(schema);
  return database;
}

/** Node 20 does not have it. */
async function sqlite(): Promise<typeof import("node:sqlite")> {
  try {
    return await import("node:sqlite");
  } catch (cause) {
    throw new ArchiveFailedError(
      `An archive in SQLite needs Node 22.5 or newer; this is ${process.version}.`,
      { cause },
    );
  }
}

function entryOf(row: Record<string, SQLOutputValue>) {
  return {
    sessionId: String(row.session_id),
    archivedAt: new Date(Number(row.archived_at)),
    bytes: Number(row.bytes),
  };
}

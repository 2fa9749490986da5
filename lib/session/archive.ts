import {
  ArchiveFailedError,
  ArchiveNotFoundError,
  ExportDamagedError,
  FilesNotArchivedError,
  isSessionError,
} from "./errors";
import type { ExportedSession } from "./portable/session-records";
import type { ChangedSession, SessionStore } from "./session-store";

export interface ArchivedSession {
  readonly sessionId: string;
  readonly archivedAt: Date;
  readonly bytes: number;
}

/** Exported sessions of one owner as text, by session id; failures are `ArchiveFailedError`. */
export interface SessionArchive {
  /** Replaces an earlier text as a whole; of several calls at once, one text remains. */
  put(sessionId: string, text: string): Promise<void>;
  get(sessionId: string): Promise<string | null>;
  list(): AsyncIterable<ArchivedSession>;
  delete(sessionId: string): Promise<boolean>;
}

export interface ArchiveOptions {
  /** Archives the names of stored files without their bytes. Default: such a session is refused. */
  readonly withoutFiles?: boolean;
}

/** @throws {SessionNotFoundError} @throws {ArchiveFailedError} @throws {FilesNotArchivedError} */
export async function archiveSession(
  store: SessionStore,
  archive: SessionArchive,
  { sessionId, withoutFiles = false }: ArchiveOptions & { readonly sessionId: string },
): Promise<void> {
  const { sessionText } = await readerOfTexts();
  const exported = await store.sessions.export(sessionId);
  const names = withoutFiles ? [] : storedFileNames(exported);
  if (names.length > 0) throw new FilesNotArchivedError(sessionId, names);
  const text = sessionText(exported);
  await orFailed("The session could not be archived.", () => archive.put(sessionId, text));
}

/**
 * Stores a session under its id, completely or not at all. @throws {ArchiveNotFoundError} @throws {ArchiveFailedError}
 * @throws {ExportDamagedError} @throws {SessionExistsError} when the session was not deleted.
 */
export async function restoreSession(
  store: SessionStore,
  archive: SessionArchive,
  sessionId: string,
): Promise<ChangedSession> {
  const text = await orFailed("The archive could not be read.", () => archive.get(sessionId));
  if (text === null) throw new ArchiveNotFoundError(sessionId);
  const { parseSessionText } = await readerOfTexts();
  const exported = parseSessionText(text);
  const { id } = exported.session;
  if (id !== sessionId) throw new ExportDamagedError(`it is the session “${id}”`);
  return orFailed("The archived session could not be stored.", () =>
    store.sessions.import(exported),
  );
}

function storedFileNames({ messages }: ExportedSession): string[] {
  const files = new Map<string, string>();
  for (const node of messages) {
    if (node.type === "gap") continue;
    for (const { type, url, filename } of node.content.parts) {
      if (type === "file" && typeof url === "string" && url.startsWith("grove-file:"))
        files.set(url, typeof filename === "string" ? filename : "File");
    }
  }
  return [...files.values()];
}

/** The schemas take longer to load than the whole library. */
const readerOfTexts = () => import("./portable/session-text");

async function orFailed<Result>(message: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (cause) {
    if (isSessionError(cause)) throw cause;
    throw new ArchiveFailedError(message, { cause });
  }
}

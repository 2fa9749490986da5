import { ArchiveFailedError, isSessionError, type SessionArchive } from "../session/internal";

/** `ArchiveFailedError`s name the archive and a code: a client's words may repeat an address with its password. */
export function namedFailures(title: string, archive: SessionArchive): SessionArchive {
  const named = (cause: unknown) => {
    if (isSessionError(cause)) return cause;
    const code = codeOf(cause);
    return new ArchiveFailedError(`${title} failed${code && ` (${code})`}.`, { cause });
  };
  const attempt = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    try {
      return await call();
    } catch (error) {
      throw named(error);
    }
  };
  return {
    put: (sessionId, text) => attempt(() => archive.put(sessionId, text)),
    get: (sessionId) => attempt(() => archive.get(sessionId)),
    delete: (sessionId) => attempt(() => archive.delete(sessionId)),
    async *list() {
      try {
        yield* archive.list();
      } catch (error) {
        throw named(error);
      }
    },
  };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const code = "code" in error ? error.code : error.name;
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : "";
}

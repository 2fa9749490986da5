// A statement ran longer than `statement_timeout`.
const endedForItsTime = "57014";

const away = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "DATABASE_SILENT",
  "NO_WRITABLE_SERVER",
  "ECONNREFUSED",
  "ECONNRESET",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "40001",
  "40P01",
  "53300",
  "55P03",
  endedForItsTime,
  "57P01",
  "57P02",
  "57P03",
]);

const full = "53100";
/** A standby, a server that was set so, or the embedded one without space. */
const readOnly = "25006";
/** Of a connection, or PgBouncer's or Citus' to the server behind it (class 08), or of a foreign server. */
const passedOn = /^(?:08[0-9A-Z]{3}|HV00N)$/;

export function isTooMuchAtOnce(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  if (code === "provider-failed") return isTooMuchAtOnce(error.cause);
  return error.name === "PostgresError" && code === endedForItsTime;
}

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as Error & { code?: unknown; syscall?: unknown };
  // A missing socket, not a file.
  if (code === "ENOENT" && syscall === "connect") return true;
  // Blocks come from the database; other providers have their own server.
  if (code === "provider-failed") return isDatabaseAway(error.cause);
  if (code === full || code === readOnly || isPassedOn(error)) return true;
  return typeof code === "string" && away.has(code);
}

/** True when the same statement never succeeds. */
export function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  if (code === "provider-failed") return isRefusedForGood(error.cause);
  return typeof code === "string" && /^(2[23]|54)[0-9A-Z]{3}$/.test(code);
}

export function isDatabaseFull(error: unknown): boolean {
  return codeOf(error) === full;
}

export function isDatabaseReadOnly(error: unknown): boolean {
  return codeOf(error) === readOnly || codeOf(error) === "NO_WRITABLE_SERVER";
}

/** The server that was asked answers; one that it asked does not. */
export function isPassedOn(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === "string" && passedOn.test(code);
}

function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return null;
  const { code } = error as Error & { code?: unknown };
  return code === "provider-failed" ? codeOf(error.cause) : code;
}

// Of Postgres, when a statement runs longer than `statement_timeout`.
const endedForItsTime = "57014";

// Of the driver, the operating system, and a server that is starting, stopping, busy or slow, or that let others
// go first.
const away = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "DATABASE_SILENT",
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

// A disk without space, and a server that takes no writes because of it.
const full = new Set(["53100", "25006"]);

/** True when the database answers and ended the statement for its time: it had too much to do, or was busy with others. */
export function isTooMuchAtOnce(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  if (code === "provider-failed") return isTooMuchAtOnce(error.cause);
  return error.name === "PostgresError" && code === endedForItsTime;
}

/** True when the same statement may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as Error & { code?: unknown; syscall?: unknown };
  // A missing socket, not a file.
  if (code === "ENOENT" && syscall === "connect") return true;
  // Blocks come from the database; other providers have their own server.
  if (code === "provider-failed") return isDatabaseAway(error.cause);
  return typeof code === "string" && (away.has(code) || full.has(code));
}

/** True when the same statement never succeeds: a value was refused for its form, by a constraint or for its size. */
export function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  if (code === "provider-failed") return isRefusedForGood(error.cause);
  return typeof code === "string" && /^(2[23]|54)[0-9A-Z]{3}$/.test(code);
}

/** True when the database reads but has no space to write. */
export function isDatabaseFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  if (code === "provider-failed") return isDatabaseFull(error.cause);
  return typeof code === "string" && full.has(code);
}

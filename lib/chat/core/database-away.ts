// A statement ran longer than `statement_timeout`.
const endedForItsTime = "57014";

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

const full = new Set(["53100", "25006"]);

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
  return typeof code === "string" && (away.has(code) || full.has(code));
}

/** True when the same statement never succeeds. */
export function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  if (code === "provider-failed") return isRefusedForGood(error.cause);
  return typeof code === "string" && /^(2[23]|54)[0-9A-Z]{3}$/.test(code);
}

export function isDatabaseFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  if (code === "provider-failed") return isDatabaseFull(error.cause);
  return typeof code === "string" && full.has(code);
}

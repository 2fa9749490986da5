import { redactSecrets } from "@/lib/llm";
import { isJsonLog, jsonLine, logLine } from "./log-line";

/** A line holds no bodies, keys or addresses. */
export function logFailure(what: string, error: unknown): void {
  const line = isJsonLog()
    ? jsonLine("error", what, errorFacts(error))
    : `${new Date().toISOString()} ${what}: ${sentenceOf(error)}`;
  write(line);
}

export function logEvent(message: string): void {
  write(logLine(message));
}

/** The launcher's progress may be on the line of a terminal. */
function write(line: string): void {
  const cleared = process.stderr.isTTY && !isJsonLog() ? "\r\u001b[K" : "";
  process.stderr.write(`${cleared}${line}\n`);
}

function sentenceOf(error: unknown): string {
  const { error: name, reason, code, status } = errorFacts(error);
  const marks = [code, status].filter((mark) => mark !== undefined);
  const said = reason === undefined ? name : `${name}: ${reason}`;
  return marks.length > 0 ? `${said} (${marks.join(", ")})` : said;
}

interface ErrorFacts {
  readonly error: string;
  readonly reason?: string;
  readonly code?: string;
  readonly status?: number;
}

const longestReason = 500;

function errorFacts(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  return {
    error: error.name,
    // A provider may repeat its request.
    ...(!error.name.startsWith("AI_") && { reason: withoutTexts(error.message) }),
    ...(typeof code === "string" && { code }),
    ...(typeof statusCode === "number" && { status: statusCode }),
  };
}

/** Messages of the database, of parsers and of `fetch` quote values and addresses. */
function withoutTexts(message: string): string {
  const text = redactSecrets(message)
    .replace(/"[^"]*"|“[^”]*”|`[^`]*`|(?<!\w)'[^']*'/g, "“…”")
    .replace(/(\w+:\/\/)(?:[^@\s/]*@)?([^\s/?#]*)\S*/g, "$1$2");
  return text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;
}

import type { SessionError } from "grove-session";
import type { SessionErrorCode } from "grove-session/ports";
import type { AccountError, AccountErrorCode } from "@/lib/accounts/account-error";
import type { ChatError, ChatErrorCode } from "@/lib/chat/core/chat-error";
import {
  isDatabaseAway,
  isDatabaseFull,
  isDatabaseReadOnly,
  isPassedOn,
  isTooMuchAtOnce,
} from "@/lib/chat/core/database-away";
import type { ErrorWire } from "@/lib/chat/wire/events";
import { postgresFailure } from "@/lib/postgres/storage";
import { clearingRefusal } from "./clearing-refusal";
import { isEmbedded, locationOf } from "./environment";
import { logFailure } from "./log";
import { refusedPage } from "./refused-page";

const statusOf: Record<SessionErrorCode | ChatErrorCode | AccountErrorCode, number> = {
  "message-not-found": 404,
  "session-not-found": 404,
  "compaction-not-found": 404,
  "deletion-not-found": 404,
  "block-not-found": 404,
  "entry-not-found": 404,
  "run-not-found": 404,
  "approval-not-found": 404,
  "receipt-not-found": 404,
  "proposal-not-found": 404,
  "provider-not-found": 404,
  "server-not-found": 404,
  "server-name-taken": 409,
  "too-many-prompts": 409,
  "too-many-assistants": 409,
  "too-many-files": 409,
  "too-many-overrides": 409,
  "server-failed": 502,
  "too-many-servers": 409,
  "key-not-found": 404,
  "message-conflict": 409,
  "deletion-conflict": 409,
  "deletion-restored": 409,
  "session-exists": 409,
  "session-archived": 409,
  "session-expired": 410,
  "block-exists": 409,
  "entry-exists": 409,
  "block-conflict": 409,
  "proposal-decided": 409,
  "approval-decided": 409,
  "question-over": 409,
  "nothing-to-compact": 409,
  "compaction-range": 400,
  "block-readonly": 400,
  "block-writer": 403,
  "block-too-large": 400,
  "bad-parts": 400,
  "file-not-found": 404,
  "file-unavailable": 502,
  // The outbox keeps the message and sends it again.
  "file-unread": 425,
  "file-too-large": 413,
  "storage-full": 413,
  "file-empty": 400,
  "disk-full": 507,
  "bad-file-name": 400,
  "invalid-import": 400,
  "import-running": 409,
  "answer-running": 409,
  "chat-kept": 409,
  "chat-moved": 409,
  "invalid-body": 400,
  "invalid-query": 400,
  "prompt-name-taken": 409,
  "provider-name-taken": 409,
  "too-many-keys": 409,
  "key-exists": 409,
  "too-many-providers": 409,
  "bad-block": 400,
  "bad-assistant": 400,
  "too-many-blocks": 409,
  "invalid-argument": 400,
  "not-supported": 400,
  "too-many-runs": 429,
  "over-budget": 402,
  "over-key-limit": 429,
  "shutting-down": 503,
  "provider-failed": 502,
  "summary-rejected": 502,
  "export-damaged": 400,
  "archive-not-found": 404,
  "archive-failed": 502,
  "files-not-archived": 409,
  "nothing-to-bring": 409,
  "compaction-failed": 502,
  "summary-failed": 502,
  "signed-out": 401,
  "not-allowed": 403,
  "other-account": 409,
  "account-removed": 403,
  "account-ending": 410,
  "confirm-first": 403,
  "export-first": 409,
  "wrong-credentials": 403,
  "wrong-code": 403,
  "invite-invalid": 410,
  "email-taken": 409,
  "bad-email": 400,
  "bad-password": 400,
  "sign-in-failed": 502,
  "person-not-found": 404,
  "device-not-found": 404,
  "passkey-failed": 403,
  "too-many-attempts": 429,
};

// Values that cannot be stored: U+0000 in an address, a name longer than a check allows.
const unstorable = new Set(["22021", "22P05", "23514"]);

export class HttpError extends Error {
  override readonly name = "HttpError";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly field?: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** A person who followed a link gets a page. */
export function errorResponse(error: unknown, request?: Request): Response {
  const { status, body } = reported(error);
  const page = request && refusedPage(request, { status, ...body.error });
  const retryAfter = error instanceof HttpError ? error.retryAfterSeconds : undefined;
  const headers = retryAfter === undefined ? undefined : { "Retry-After": String(retryAfter) };
  return page ?? Response.json(body, { status, ...(headers && { headers }) });
}

export function failureOf(error: unknown): { status: number; message: string } {
  const { status, body } = reported(error);
  return { status, message: body.error.message };
}

/** Logs failures that are no refusals. */
export function reported(error: unknown): ReturnType<typeof describe> {
  const described = describe(error);
  if (described.status >= 500 && !clearingRefusal(error)) logFailure("Answering a request", error);
  return described;
}

function describe(error: unknown): { status: number; body: ErrorWire } {
  if (error instanceof HttpError) return answer(error.status, error);
  // Checked first, because a block that cannot be read wraps the error.
  if (isDatabaseAway(error)) {
    if (isFull(error)) return answer(507, diskFull());
    if (isTooMuchAtOnce(error)) return answer(504, tooMuchAtOnce);
    return answer(503, { code: "database", message: sentenceOf(error) });
  }
  const refusal = clearingRefusal(error);
  if (refusal) return answer(refusal.status, refusal);
  if (isKnown(error)) return answer(statusOf[error.code], error);
  if (isNamed(error, "ModelUnavailableError"))
    return answer(400, { code: "model-unavailable", message: error.message });
  if (isNamed(error, "BackupError"))
    return answer(400, { code: "backup-failed", message: error.message });
  if (isNamed(error, "MigrationError"))
    return answer(503, { code: "database", message: error.message });
  if (unstorable.has(postgresFailure(error)?.code ?? "")) {
    return answer(400, {
      code: "invalid-argument",
      message: "The request holds a name or text that cannot be stored.",
    });
  }
  return answer(500, {
    code: "unexpected",
    message: "Something went wrong on the server. Try again; the server's log says more.",
  });
}

// A 5xx other than 503 keeps the request in the outbox, and no page says that the database is away.
const tooMuchAtOnce = {
  code: "too-much-at-once",
  message:
    "This was too much for the database at once, so nothing was changed. Try again, or do it in smaller parts.",
};

/** The embedded server is made read-only when its disk is full, and has no standby. */
function isFull(error: unknown): boolean {
  return (
    isDatabaseFull(error) || (isDatabaseReadOnly(error) && isEmbedded(process.env.DATABASE_URL))
  );
}

function sentenceOf(error: unknown): string {
  if (isDatabaseReadOnly(error))
    return "The database takes no writes at the moment, as while another server takes over. Everything can be read, and nothing you typed is lost; try again.";
  if (isPassedOn(error))
    return "A server behind the database does not answer at the moment. Nothing you typed is lost; try again.";
  return "The database does not answer at the moment. Nothing you typed is lost; try again.";
}

function diskFull() {
  const place = locationOf(process.env.DATABASE_URL, process.env.GROVE_DATA_DIR);
  return {
    code: "disk-full",
    message: `The database takes no writes: the disk of ${place} is full, or it was made read-only. Everything can be read, and nothing you typed is lost; free some space there and try again.`,
  };
}

/** Compared by code: routes are bundled separately, each with its own classes. */
function isKnown(error: unknown): error is SessionError | ChatError | AccountError {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return typeof error.code === "string" && Object.hasOwn(statusOf, error.code);
}

function isNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

function answer(
  status: number,
  { code, message, field }: { code: string; message: string; field?: string | undefined },
) {
  return { status, body: { error: { code, message, ...(field !== undefined && { field }) } } };
}

import type { ErrorWire } from "@/lib/chat/wire/events";

/** `code` is `offline` when there was no response. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: string;
  readonly status: number;
  readonly field: string | null;

  constructor(
    message: string,
    details: { code: string; status: number; field?: string; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.code = details.code;
    this.status = details.status;
    this.field = details.field ?? null;
  }
}

export function offlineError(cause: unknown): ApiError {
  return new ApiError("Can't reach Grove. Check that it is running, then try again.", {
    code: "offline",
    status: 0,
    cause,
  });
}

export function answerError(status: number, body: unknown): ApiError {
  if (isErrorWire(body)) {
    const { code, message, field } = body.error;
    return new ApiError(message, { code, status, ...(field === undefined ? {} : { field }) });
  }
  return new ApiError(`Grove returned an error (${status}). Try again in a moment.`, {
    code: "unknown",
    status,
  });
}

export function errorSentence(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return "Something went wrong on this page. Reload it and try again.";
}

export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === "offline" || error.status === 503);
}

function isErrorWire(body: unknown): body is ErrorWire {
  if (typeof body !== "object" || body === null || !("error" in body)) return false;
  const { error } = body;
  return (
    typeof error === "object" &&
    error !== null &&
    "message" in error &&
    typeof error.message === "string"
  );
}

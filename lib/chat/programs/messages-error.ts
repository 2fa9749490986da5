import type { ProgramError } from "./program-error";
import type { JsonRecord } from "./response-writer";

type MessagesFailure = Pick<ProgramError, "status" | "code" | "message">;

const types: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
};

export function messagesErrorBody(failure: MessagesFailure): JsonRecord {
  return { type: "error", error: { type: typeOf(failure), message: wordsOf(failure) } };
}

function typeOf({ status, code }: MessagesFailure): string {
  if (code === "overloaded") return "overloaded_error";
  return types[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
}

/** Agents shorten their history when they read these words, not by a code. */
function wordsOf({ code, message }: MessagesFailure): string {
  return code === "context_length_exceeded" ? `prompt is too long: ${message}` : message;
}

import type { GroveMetadata } from "@/lib/chat/wire/messages";

const kinds = {
  "invalid-key": { status: 401, type: "authentication_error", code: "invalid_api_key" },
  "not-allowed": { status: 403, type: "permission_error", code: "insufficient_permissions" },
  "over-limit": { status: 429, type: "insufficient_quota", code: "insufficient_quota" },
  "too-many": {
    status: 429,
    type: "rate_limit_error",
    code: "rate_limit_exceeded",
    retryAfterSeconds: 5,
  },
  "too-long": { status: 400, type: "invalid_request_error", code: "context_length_exceeded" },
  "model-refused": { status: 400, type: "invalid_request_error", code: "invalid_prompt" },
  /** Clients send again what failed with 500 and above, which costs as much again. */
  "wrong-format": { status: 422, type: "invalid_response_error", code: "response_format_mismatch" },
  "not-found": { status: 404, type: "invalid_request_error", code: "not_found" },
  "no-method": { status: 405, type: "invalid_request_error", code: "method_not_allowed" },
  "no-previous": {
    status: 400,
    type: "invalid_request_error",
    code: "previous_response_not_found",
  },
  "no-model": { status: 404, type: "invalid_request_error", code: "model_not_found" },
  locked: { status: 409, type: "conflict_error", code: "conversation_locked" },
  conflict: { status: 409, type: "conflict_error", code: "conflict" },
  invalid: { status: 400, type: "invalid_request_error", code: "invalid_value" },
  unsupported: { status: 400, type: "invalid_request_error", code: "unsupported_parameter" },
} as const;

export class ProgramError extends Error {
  override readonly name = "ProgramError";
  constructor(
    readonly status: number,
    readonly type: string,
    readonly code: string,
    message: string,
    readonly param: string | null,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

export function programError(
  kind: keyof typeof kinds,
  message: string,
  param: string | null = null,
): ProgramError {
  const { status, type, code, ...more } = kinds[kind];
  const retryAfter = "retryAfterSeconds" in more ? more.retryAfterSeconds : undefined;
  return new ProgramError(status, type, code, message, param, retryAfter);
}

export function failedAnswer(error: GroveMetadata["error"]): ProgramError {
  const [status, type] =
    error?.code === "rate-limited" ? [429, "rate_limit_error"] : [502, "server_error"];
  const message = error?.message ?? "The answer was interrupted.";
  return new ProgramError(status, type, error?.code ?? "interrupted", message, null);
}

/** `null` for failures that may pass. */
export function lastingRefusal(error: GroveMetadata["error"]): ProgramError | null {
  if (error?.code === "context-overflow") return programError("too-long", error.message);
  if (error?.code === "bad-request") return programError("model-refused", error.message);
  return null;
}

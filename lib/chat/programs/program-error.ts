const kinds = {
  "invalid-key": { status: 401, type: "authentication_error", code: "invalid_api_key" },
  "not-allowed": { status: 403, type: "permission_error", code: "insufficient_permissions" },
  "over-limit": { status: 429, type: "insufficient_quota", code: "insufficient_quota" },
  "too-many": { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" },
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

/** Thrown when a program's request is refused; in OpenAI's terms. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  constructor(
    readonly status: number,
    readonly type: string,
    readonly code: string,
    message: string,
    /** The parameter at fault. */
    readonly param: string | null,
  ) {
    super(message);
  }
}

export function programError(
  kind: keyof typeof kinds,
  message: string,
  param: string | null = null,
): ProgramError {
  const { status, type, code } = kinds[kind];
  return new ProgramError(status, type, code, message, param);
}

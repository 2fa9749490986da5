/** Why a model cannot be called. */
export type ModelUnavailableCode =
  | "invalid-ref"
  | "unknown-provider"
  | "missing-key"
  | "local-server-down";

/** A model that was asked for cannot be used now; the message says what the person can do about it. */
export class ModelUnavailableError extends Error {
  override readonly name = "ModelUnavailableError";
  readonly code: ModelUnavailableCode;
  readonly ref: string;

  constructor(code: ModelUnavailableCode, ref: string, message: string) {
    super(message);
    this.code = code;
    this.ref = ref;
  }
}

export type EmbeddedPostgresErrorCode =
  | "unsupported-platform"
  | "no-account"
  | "unreachable"
  | "not-owned"
  | "other-version"
  | "not-a-database"
  | "damaged"
  | "in-use"
  | "not-answering"
  | "failed";

export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
  readonly code: EmbeddedPostgresErrorCode;

  constructor(message: string, options: { code: EmbeddedPostgresErrorCode } & ErrorOptions) {
    super(message, options);
    this.code = options.code;
  }
}

export type EmbeddedPostgresErrorCode =
  | "unsupported-platform"
  | "no-account"
  | "unreachable"
  | "not-owned"
  | "other-version"
  | "not-a-database"
  | "in-use"
  | "not-answering"
  | "failed";

/** Why the embedded database cannot run, as a full sentence that also says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
  readonly code: EmbeddedPostgresErrorCode;

  constructor(message: string, options: { code: EmbeddedPostgresErrorCode } & ErrorOptions) {
    super(message, options);
    this.code = options.code;
  }
}

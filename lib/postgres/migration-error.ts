/** Thrown when a database cannot get the schema of this version. The message says what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

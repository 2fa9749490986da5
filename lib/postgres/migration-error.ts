/** The database cannot get the schema of this version; the message says what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

// Without the rest of the library behind it, for a fast start.

export { connect } from "./connect";
export { ownConnection } from "./connections/own-connection";
export { identifier } from "./connections/sql";
export { MigrationError } from "./migration-error";
export { appliedHashes, isBehind, type Migration, readMigrations } from "./migrations";

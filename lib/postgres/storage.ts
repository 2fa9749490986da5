// Names that the app's storage uses beside sessions. Programs use `grove-session/postgres`.

export {
  inTransaction,
  openTransaction,
  ownConnection,
  transactionOn,
} from "./connections/own-connection";
export { repeatedly } from "./connections/rolled-back";
export { Fragment, identifier, type Sql } from "./connections/sql";
export { connectionsBelow, interceptedStatements } from "./connections/statement";
export { postgresFailure, translated, translateFailure } from "./database-error";
export { type Database, drizzleOn, preparedOnce } from "./drizzle-on";
export { StorageFullError } from "./files/postgres-files";
export { isLive, movedSource } from "./live-session";
export { assertKnown, assertServerVersion } from "./migrate";
export { applyMigrations, migrationLock, prepareRecords, readSnapshot, squash } from "./migrations";
export { ownedTables } from "./portable/delete-rows";
export { lockImportInTransaction } from "./portable/import-lock";
export { newBranchIds } from "./portable/import-rows";
export { sessionInfo } from "./postgres-session-registry";
export {
  chatBlock,
  chatBranch,
  chatClearing,
  chatCompaction,
  chatConsent,
  chatDeletion,
  chatDocument,
  chatDocumentVersion,
  chatFileChunk,
  chatFilePage,
  chatKey,
  chatMessage,
  chatOwner,
  chatProposal,
  chatRun,
  chatSearch,
  chatSecret,
  chatSession,
  chatSkillEvent,
  chatStream,
  chatUsage,
} from "./schema";
export { anyObject, bytea, createdAt, moment, number, ownerId, updatedAt } from "./schema/columns";
export {
  jsonColumn,
  storableCost,
  storableCount,
  storableJson,
  storableJsonInSlices,
  storableText,
} from "./storable";
export { appendAlone, isRefusal, placeOf } from "./tree/append-messages";
export { messageColumns } from "./tree/stored-message";
export { siblingsOf } from "./tree/window";

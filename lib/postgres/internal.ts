// Storage of the app. Programs use `lib/postgres`.

export { postgresFailure } from "./database-error";
export {
  PostgresDeletions,
  removeExpiredSessions,
  removeOldDeletions,
} from "./deletions";
export {
  type ObjectPlace,
  PostgresFiles,
  removeUnusedFiles,
  StorageFullError,
  type StoredFile,
  unknownObjects,
} from "./files/postgres-files";
export { searchFiles } from "./files/search-files";
export { fencedTo } from "./owner-fence";
export {
  type ClearingKind,
  closeForGood,
  leftClearings,
  openOwner,
  stopDeleting,
} from "./portable/clearing";
export {
  countData,
  deleteEverything,
  deleteOwner,
  deleteOwnerOfAccount,
} from "./portable/delete-rows";
export { exportLines } from "./portable/export-records";
export { importLines } from "./portable/import-lines";
export { keepSession } from "./portable/keep-session";
export {
  type HeldRequest,
  PostgresRequests,
  type RequestState,
  removeOldRequests,
} from "./requests/postgres-requests";
export { PostgresConsents } from "./runs/postgres-consents";
export { keyInUse, PostgresKeys } from "./runs/postgres-keys";
export { PostgresRunStore } from "./runs/postgres-run-store";
export { PostgresSettings } from "./runs/postgres-settings";
export { PostgresUsage } from "./runs/postgres-usage";
export { removeOldChunks } from "./runs/run-chunks";
export { RunClaims } from "./runs/run-claims";
export { learnWords } from "./search/correct-query";
export { searchAllDocuments } from "./search/search-documents";
export { PostgresTurns } from "./turns";

// Files, exports and deletion of data, for the app. Programs use the entries of the package.

export { PostgresDeletions, removeExpiredSessions, removeOldDeletions } from "./deletions";
export {
  filesOfPath,
  hasKnowledgeFiles,
  knowledgeFilesNamed,
  searchPages,
} from "./files/knowledge-files";
export {
  type ObjectPlace,
  PostgresFiles,
  removeUnusedFiles,
  type StoredFile,
  unknownObjects,
} from "./files/postgres-files";
export { searchFiles } from "./files/search-files";
export {
  type ClearingKind,
  closeForGood,
  leftClearings,
  openOwner,
  stopDeleting,
} from "./portable/clearing";
export { countData, deleteEverything, deleteOwnerOfAccount } from "./portable/delete-rows";
export { exportLines } from "./portable/export-records";
export { importLines } from "./portable/import-lines";
export { keepSession } from "./portable/keep-session";
export { learnWords } from "./search/correct-query";
export { searchAllDocuments } from "./search/search-documents";

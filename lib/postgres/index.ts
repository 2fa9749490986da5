export { connect } from "./connect";
export { postgresFailure } from "./database-error";
export { answerWrites, writtenBy } from "./memory/answer-writes";
export { type BlockSetup, PostgresBlocks } from "./memory/postgres-blocks";
export { PostgresContextProvider } from "./memory/postgres-context-provider";
export { PostgresSearchProvider } from "./memory/postgres-search-provider";
export { PostgresSkillProvider } from "./memory/postgres-skill-provider";
export { MigrationError, migrate } from "./migrate";
export { Notifications, type NotificationsOptions } from "./notifications";
export { countData, type DataCounts, deleteEverything } from "./portable/delete-rows";
export { exportLines } from "./portable/export-records";
export { ImportError } from "./portable/import-error";
export { type ImportOptions, type ImportReport, importLines } from "./portable/import-lines";
export type { PortableOf } from "./portable/records";
export { PostgresSessionStore } from "./postgres-session-store";
export {
  claimExpiredRuns,
  type NewRun,
  PostgresRunStore,
  type RunRecord,
  removeOldChunks,
} from "./runs/postgres-run-store";
export { PostgresSettings, type SecretRow } from "./runs/postgres-settings";
export { PostgresUsage, type UsageRecord, type UsageSum } from "./runs/postgres-usage";

export { learnWords } from "./search/correct-query";
export { type DocumentHit, searchAllDocuments } from "./search/search-documents";
export { SessionFeed, type SessionFeedOptions } from "./session-feed";
export { PostgresSessionProvider } from "./tree/postgres-session-provider";
export { PostgresSessionRegistry } from "./tree/postgres-session-registry";

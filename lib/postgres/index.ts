export { connect } from "./connect";
export { learnWords } from "./correct-query";
export { postgresFailure } from "./database-error";
export { countData, type DataCounts, deleteEverything } from "./delete-rows";
export { MigrationError, migrate } from "./migrate";
export { Notifications, type NotificationsOptions } from "./notifications";
export { exportLines } from "./portable/export-records";
export { ImportError } from "./portable/import-error";
export { type ImportReport, importLines } from "./portable/import-lines";
export type { PortableOf } from "./portable/records";
export { type BlockSetup, PostgresBlocks } from "./postgres-blocks";
export { PostgresContextProvider } from "./postgres-context-provider";
export {
  claimExpiredRuns,
  type NewRun,
  PostgresRunStore,
  type RunRecord,
  removeOldChunks,
} from "./postgres-run-store";
export { PostgresSearchProvider } from "./postgres-search-provider";
export { PostgresSessionProvider } from "./postgres-session-provider";
export { PostgresSessionRegistry } from "./postgres-session-registry";
export { PostgresSessionStore } from "./postgres-session-store";
export { PostgresSettings, type SecretRow } from "./postgres-settings";
export { PostgresSkillProvider } from "./postgres-skill-provider";
export { PostgresUsage, type UsageRecord } from "./postgres-usage";
export { answerWrites, writtenBy } from "./queries/answer-writes";
export type { UsageSumRow } from "./queries/usage";
export { type DocumentHit, searchAllDocuments } from "./search-documents";
export { SessionFeed, type SessionFeedOptions } from "./session-feed";

export { connect } from "./connect";
export { postgresFailure } from "./database-error";
export { MigrationError, migrate } from "./migrate";
export { Notifications, type NotificationsOptions } from "./notifications";
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
export { answerWrites } from "./queries/answer-writes";
export { type DocumentHit, searchAllDocuments } from "./search-documents";
export { SessionFeed, type SessionFeedOptions } from "./session-feed";

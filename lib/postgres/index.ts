export { type ConnectOptions, connect } from "./connect";
export {
  PostgresContextProvider,
  PostgresSearchProvider,
  PostgresSkillProvider,
} from "./memory/entries";
export { type MigrateOptions, migrate } from "./migrate";
export { MigrationError } from "./migration-error";
export { Notifications, type NotificationsOptions } from "./notifications";
export { PostgresSessionStore } from "./postgres-session-store";
export { SessionFeed, type SessionFeedOptions } from "./session-feed";
export { PostgresSessionProvider } from "./tree/postgres-session-provider";

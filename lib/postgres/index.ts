export { type ConnectOptions, connect } from "./connect";
export type {
  Fragment,
  Parameter,
  Query,
  ResultFacts,
  Row,
  Sql,
  Statement,
  UnsafeOptions,
} from "./connections/sql";
export {
  PostgresContextProvider,
  PostgresSearchProvider,
  PostgresSkillProvider,
} from "./memory/entries";
export { type MigrateOptions, migrate } from "./migrate";
export { MigrationError } from "./migration-error";
export { Notifications, type NotificationsOptions } from "./notifications";
export { PostgresSessionProvider } from "./postgres-session-provider";
export { PostgresSessionStore } from "./postgres-session-store";
export { SessionFeed, type SessionFeedOptions } from "./session-feed";

export {
  GroveSessionStore,
  type GroveSessionStoreOptions,
  type NamespaceOptions,
  type RunOptions,
  type SessionMetadata,
  type SessionObserver,
  type SessionSearchResult,
} from "./grove-session-store";
export type { SelectoolsMessage, SessionData } from "./session-data";

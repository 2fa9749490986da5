export type { Answer } from "./answer-message";
export { type CompactFunction, createCompactFunction } from "./compaction/create-compact-function";
export { buildSummaryPrompt, computeSummaryBudget } from "./compaction/summarize-messages";
export { compactionMessage, isCompactionMessage } from "./compaction-message";
export type { ContextOptions } from "./context/context-block";
export { diffLines } from "./context/diff-lines";
export { promptSections } from "./context/prompt";
export {
  type ContextBlock,
  type ContextEntry,
  type ContextProvider,
  isSearchProvider,
  isSkillProvider,
  isVersionedProvider,
  isWritableProvider,
  type SearchProvider,
  type SkillProvider,
  type WritableContextProvider,
  type WriteOptions,
} from "./context-provider";
export { emittingStore } from "./emitting";
export {
  BlockConflictError,
  BlockExistsError,
  BlockNotFoundError,
  BlockReadonlyError,
  BlockTooLargeError,
  BlockWriterError,
  CompactionNotFoundError,
  CompactionRangeError,
  DeletionConflictError,
  DeletionNotFoundError,
  InvalidArgumentError,
  isSessionError,
  MessageConflictError,
  MessageNotFoundError,
  NotSupportedError,
  ProposalDecidedError,
  ProposalNotFoundError,
  ProviderFailedError,
  SessionArchivedError,
  SessionError,
  SessionExistsError,
  SessionExpiredError,
  SessionNotFoundError,
  SummaryRejectedError,
} from "./errors";
export { type SessionEvent, SessionEvents, type Usage } from "./events";
export { InMemoryDocument } from "./in-memory/in-memory-document";
export { InMemorySearchProvider, InMemorySkillProvider } from "./in-memory/in-memory-entries";
export { InMemorySessionProvider } from "./in-memory/in-memory-session-provider";
export { InMemorySessionStore } from "./in-memory/in-memory-session-store";
export {
  type AppendOptions,
  type HistoryMessage,
  isAnswered,
  isToolPart,
  type NewMessage,
  type SessionMessage,
  type SessionMessagePart,
  type StoredMessage,
  toolNameOf,
} from "./message";
export { enforceRowSizeLimit } from "./micro-compaction/enforce-row-size-limit";
export { shortenToolOutputs, truncateOlderMessages } from "./micro-compaction/shorten-tool-outputs";
export type { Proposal } from "./proposals";
export { plainMarkdown } from "./search/plain-markdown";
export { isBlankQuery, parseQuery } from "./search/query";
export type { SearchHit, SearchOptions } from "./search/search-hits";
export { previewOf } from "./search/searchable-text";
export { Session, type SessionOptions } from "./session";
export { SessionManager } from "./session-manager";
export type {
  Compaction,
  LoadedSkill,
  SessionProvider,
  SessionTreeProvider,
} from "./session-provider";
export type { SessionInfo, SessionStore } from "./session-store";
export { skillEvents } from "./skill-events";
export {
  estimateMessageTokens,
  estimateStringTokens,
  estimateToolTokens,
  type TokenCounter,
} from "./tokens/estimate-tokens";
export { usageTokenCounter } from "./tokens/token-counters";
export { entryKeyFor } from "./tools/entry-key";
export type { SetContextOutput } from "./tools/set-context";

export type { Answer, AnswerModelMessage, AnswerStep } from "./answer-message";
export type { BlockRef, BlockScope } from "./block-store";
export {
  type CompactFunction,
  type CompactFunctionOptions,
  type CompactResult,
  createCompactFunction,
  type PreviewedCompactFunction,
} from "./compaction/create-compact-function";
export {
  buildSummaryPrompt,
  computeSummaryBudget,
  type Summarize,
  type WrittenSummary,
} from "./compaction/summarize-messages";
export { compactionMessage, isCompactionMessage } from "./compaction-message";
export type { ContextOptions } from "./context/context-block";
export { diffLines } from "./context/diff-lines";
export { type BlockChange, type PromptSection, promptSections } from "./context/prompt";
export type { Consolidate } from "./context/session-context";
export type { AcceptOptions } from "./context/session-proposals";
export {
  type AnyContextProvider,
  type ContextBlock,
  type ContextEntry,
  type ContextProvider,
  type DocumentVersion,
  type EntryProvider,
  type FoundEntries,
  type FrozenPromptProvider,
  type FrozenText,
  isSearchProvider,
  isSkillProvider,
  isVersionedProvider,
  isWritableProvider,
  type SearchProvider,
  type SkillProvider,
  type VersionedContextProvider,
  type WritableContextProvider,
  type WriteOptions,
  type WriteProvenance,
} from "./context-provider";
export { type EmittingStore, emittingStore } from "./emitting";
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
  type SessionErrorCode,
  SessionExistsError,
  SessionExpiredError,
  SessionNotFoundError,
  SummaryRejectedError,
} from "./errors";
export {
  type SessionEvent,
  SessionEvents,
  type SessionEventsOptions,
  type SessionEventType,
  type SessionListener,
  type Usage,
} from "./events";
export type { Integrate } from "./family/integrate";
export type { SpawnOptions } from "./family/spawn-session";
export type { SplitOptions } from "./family/split-session";
export { InMemoryDocument } from "./in-memory/in-memory-document";
export { InMemorySearchProvider, InMemorySkillProvider } from "./in-memory/in-memory-entries";
export { InMemorySessionProvider } from "./in-memory/in-memory-session-provider";
export { InMemorySessionStore } from "./in-memory/in-memory-session-store";
export {
  type AppendOptions,
  type AppendResult,
  type FollowResult,
  type HistoryMessage,
  isAnswered,
  isToolPart,
  type NewMessage,
  type SessionMessage,
  type SessionMessagePart,
  type SessionMessageRole,
  type SteppedBack,
  type StoredMessage,
  toolNameOf,
} from "./message";
export { enforceRowSizeLimit } from "./micro-compaction/enforce-row-size-limit";
export {
  type ShortenedOutput,
  shortenToolOutputs,
  type ToolCallRef,
  truncateOlderMessages,
} from "./micro-compaction/shorten-tool-outputs";
export type { ModelHistoryOptions } from "./parts/session-messages";
export type { ListProposalsOptions, NewProposal, Proposal, ProposalStore } from "./proposals";
export { plainMarkdown } from "./search/plain-markdown";
export { isBlankQuery, parseQuery, type SearchQuery } from "./search/query";
export type { SearchHit, SearchOptions, SessionMatch, Snippet } from "./search/search-hits";
export { previewOf } from "./search/searchable-text";
export {
  type AnswerOptions,
  type HistoryOptions,
  type ParentOptions,
  Session,
  type SessionOptions,
} from "./session";
export type { ModelInput } from "./session-builder";
export { SessionManager } from "./session-manager";
export type {
  Compaction,
  CompactionMetadata,
  Deletion,
  LoadedSkill,
  RecentHistory,
  SessionProvider,
  SessionTreeProvider,
  Siblings,
  TranscriptWindow,
  TreeNode,
  WindowEntry,
  WindowOptions,
} from "./session-provider";
export type {
  ChangedSession,
  CreateSessionOptions,
  ForkOptions,
  ListSessionsOptions,
  SessionChanges,
  SessionInfo,
  SessionPage,
  SessionRegistry,
  SessionStore,
} from "./session-store";
export { type SkillEvent, skillEvents } from "./skill-events";
export {
  estimateMessageTokens,
  estimateStringTokens,
  estimateToolTokens,
  type TokenCounter,
} from "./tokens/estimate-tokens";
export { usageTokenCounter } from "./tokens/token-counters";
export type { ToolsOptions } from "./tools/context-tools";
export { entryKeyFor } from "./tools/entry-key";
export type { AskingMessage } from "./tools/session-search";
export type { SetContextOutput } from "./tools/set-context";

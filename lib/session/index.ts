export type {
  AnswerWrite,
  Block,
  BlockChanges,
  BlockKey,
  BlockKind,
  BlockRef,
  BlockScope,
  BlockStore,
  BlockWriters,
  EditableEntries,
  LoadableEntries,
  NewBlock,
  SearchableEntries,
} from "./block-store";
export {
  type AutoCompactionOptions,
  type CompactionThreshold,
  type ContextTokens,
  thresholdTokens,
} from "./compaction/auto-compaction-policy";
export { compactionSlice } from "./compaction/boundaries";
export {
  type CompactionReference,
  compactionIdOf,
  compactionMessage,
  isCompactionMessage,
} from "./compaction/compaction-message";
export {
  type CompactFunction,
  type CompactFunctionOptions,
  type CompactOptions,
  type CompactResult,
  createCompactFunction,
} from "./compaction/create-compact-function";
export {
  buildSummaryPrompt,
  computeSummaryBudget,
  type ModelView,
  type Summarize,
  type SummarizeOptions,
  type SummarizerAnswer,
  summarizeMessages,
  type WrittenSummary,
} from "./compaction/summarize-messages";
export type { AcceptOptions } from "./context/accept-proposal";
export { callProvider, type ProviderCall } from "./context/call-provider";
export type {
  ContextBlock,
  ContextDefinition,
  ContextOptions,
} from "./context/context-block";
export type { EntryWrite } from "./context/context-blocks";
export { diffLines, type LineChange } from "./context/diff-lines";
export { type BlockChange, changedBlocks, promptSections, renderPrompt } from "./context/prompt";
export type { Consolidate, VersionsOptions } from "./context/session-context";
export {
  type AnyContextProvider,
  type ContextEntry,
  type ContextProvider,
  type DocumentVersion,
  type EntryProvider,
  type FoundEntries,
  type FrozenPromptProvider,
  type FrozenText,
  type FrozenVersions,
  isEntryProvider,
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
export {
  asEmittingStore,
  blockEvents,
  blockStoreEvents,
  type Emit,
  type EmittingBlockOptions,
  type EmittingStore,
  type EventTable,
  emitting,
  emittingBlock,
  emittingBlocks,
  emittingStore,
  entryEvents,
} from "./emitting";
export {
  BlockConflictError,
  BlockExistsError,
  BlockNotFoundError,
  BlockReadonlyError,
  BlockTooLargeError,
  BlockWriterError,
  CompactionNotFoundError,
  CompactionRangeError,
  DeletionNotFoundError,
  InvalidArgumentError,
  isBlockConflict,
  isSessionError,
  MessageConflictError,
  MessageNotFoundError,
  NotSupportedError,
  ProposalDecidedError,
  ProposalNotFoundError,
  ProviderFailedError,
  SessionError,
  type SessionErrorCode,
  SessionExistsError,
  SessionNotFoundError,
  SummaryRejectedError,
} from "./errors";
export type { Usage } from "./events";
export {
  type ListenOptions,
  type NewSessionEvent,
  type SessionEvent,
  type SessionEventMap,
  SessionEvents,
  type SessionEventsOptions,
  type SessionEventType,
  type SessionListener,
} from "./events";
export type {
  ChildMemory,
  Integrate,
  Integration,
  IntegrationBlocks,
} from "./family/integrate";
export type { SpawnContext, SpawnOptions } from "./family/spawn-session";
export type { SplitOptions } from "./family/split-session";
export { InMemoryDocument } from "./in-memory/in-memory-document";
export { InMemorySearchProvider, InMemorySkillProvider } from "./in-memory/in-memory-entries";
export { InMemorySessionProvider, type TreeAccess } from "./in-memory/in-memory-session-provider";
export { InMemorySessionStore } from "./in-memory/in-memory-session-store";
export { jsonDepth } from "./json-depth";
export type {
  AppendOptions,
  AppendResult,
  HistoryMessage,
  SessionMessage,
  SessionMessagePart,
  SessionMessageRole,
  StoredMessage,
} from "./message";
export { maxLabelLength, storableLabel } from "./message-label";
export { isToolPart, toolNameOf } from "./message-parts";
export { capOutput, defaultMaxOutputChars } from "./micro-compaction/cap-output";
export {
  enforceRowSizeLimit,
  type RowSizeOptions,
} from "./micro-compaction/enforce-row-size-limit";
export {
  capPart,
  type ShortenedOutput,
  type ShortenOptions,
  shortenToolOutputs,
  type ToolCallRef,
} from "./micro-compaction/shorten-tool-outputs";
export {
  type TruncateOptions,
  truncateOlderMessages,
} from "./micro-compaction/truncate-older-messages";
export { type PrepareOptions, prepareForModel } from "./model-messages";
export { type PlacedOverlay, shownOverlays } from "./overlays";
export type { ModelHistoryOptions } from "./parts/model-history";
export type { LatestOptions, PoppedMessage } from "./parts/session-messages";
export type { SessionSource } from "./parts/session-storage";
export {
  isProposalStatus,
  type ListProposalsOptions,
  type NewProposal,
  type Proposal,
  type ProposalStatus,
  type ProposalStore,
  proposalLimit,
} from "./proposals";
export { matches } from "./search/match";
export {
  isBlankQuery,
  isNarrowed,
  parseQuery,
  type QueryPhrase,
  queryWith,
  type SearchQuery,
} from "./search/query";
export { searchLimit } from "./search/search-limit";
export type { SearchHit, SearchOptions, SearchPlace, Snippet } from "./search/search-types";
export { previewOf, searchableText } from "./search/searchable-text";
export { type SessionMatch, sessionMatches } from "./search/session-matches";
export { excerptText, marked, snippet } from "./search/snippet";
export { type Token, termsLike, tokenize } from "./search/tokenize";
export { toTsquery } from "./search/tsquery";
export { analysisVersion, maxSearchableLength, toTsvector } from "./search/tsvector";
export {
  Session,
  type SessionOptions,
} from "./session";
export type { ModelInput, PromptCache, SessionSettings } from "./session-builder";
export { SessionManager } from "./session-manager";
export {
  type Compaction,
  type CompactionMetadata,
  type Deletion,
  isTreeProvider,
  type LoadedSkill,
  type MaybePromise,
  type RecentHistory,
  type SessionProvider,
  type SessionTreeProvider,
  type Siblings,
  type TranscriptWindow,
  type TreeNode,
  type WindowEntry,
  type WindowOptions,
} from "./session-provider";
export {
  type ChangedSession,
  type CreateSessionOptions,
  type ForkOptions,
  isSessionStore,
  type ListSessionsOptions,
  type SessionChanges,
  type SessionInfo,
  type SessionPage,
  type SessionRegistry,
  type SessionStore,
} from "./session-store";
export { loadedAfter, type SkillEvent, skillEvents, skillOf } from "./skill-events";
export {
  assertStorable,
  fromStoredBody,
  type StoredBody,
  toStoredBody,
} from "./stored-body";
export { clip, cutText } from "./text";
export {
  estimateMessageTokens,
  estimateStringTokens,
  type TokenCounter,
} from "./tokens/estimate-tokens";
export { estimateToolTokens } from "./tokens/estimate-tool-tokens";
export { usageTokenCounter } from "./tokens/usage-token-counter";
export type { ToolsOptions } from "./tools/context-tools";
export { entryKeyFor } from "./tools/entry-key";
export type { AskingMessage } from "./tools/session-search";
export type { BlockWrite, SetContextOutput } from "./tools/set-context";

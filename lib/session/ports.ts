// Types and rules for stores that are not the library's, and the types of options and results.

export type { AnswerModelMessage, AnswerPart, AnswerStep, AnswerUsage } from "./answer-message";
export type { ArchiveOptions } from "./archive";
export type {
  AnswerWrite,
  Block,
  BlockChanges,
  BlockKey,
  BlockRef,
  BlockScope,
  BlockStore,
  BlockWriters,
  DeleteEntryOptions,
  EditableEntries,
  LoadableEntries,
  NewBlock,
  SearchableEntries,
  TextWrite,
} from "./block-store";
export type {
  AutoCompactionOptions,
  CompactionThreshold,
  ContextTokens,
} from "./compaction/compaction-settings";
export type {
  AbortOptions,
  CompactFunctionOptions,
  CompactOptions,
  CompactResult,
  PreviewedCompactFunction,
} from "./compaction/create-compact-function";
export type {
  ModelView,
  Summarize,
  SummarizeOptions,
  SummarizerAnswer,
  SummaryPromptOptions,
  WrittenSummary,
} from "./compaction/summarize-messages";
export type { ContextDefinition } from "./context/context-block";
export type { EntryWrite } from "./context/context-blocks";
export type { LineChange } from "./context/diff-lines";
export type { BlockChange, PromptSection } from "./context/prompt";
export type { Consolidate, VersionsOptions } from "./context/session-context";
export type { AcceptOptions } from "./context/session-proposals";
export type {
  AnyContextProvider,
  BlockKind,
  DocumentVersion,
  EntryProvider,
  FoundEntries,
  FrozenPromptProvider,
  FrozenText,
  FrozenVersions,
  VersionedContextProvider,
  WriteProvenance,
} from "./context-provider";
export type { Deleted, DeletionStore } from "./deletion-store";
export type { EmittingStore, Method, MethodName } from "./emitting";
export { blockStoreEvents, type Emit, type EventTable, emitting, emittingBlocks } from "./emitting";
export type { BlockConflict, DamageOptions, SessionErrorCode } from "./errors";
export type {
  ListenOptions,
  NewSessionEvent,
  OwnerEventType,
  SessionEventMap,
  SessionEventsOptions,
  SessionEventType,
  SessionListener,
} from "./events";
export type {
  ChildMemory,
  Integrate,
  Integration,
  IntegrationBlocks,
  IntegrationOptions,
} from "./family/integrate";
export type { SpawnContext, SpawnOptions } from "./family/spawn-session";
export type { SplitOptions } from "./family/split-session";
export type { SessionBlockWrite } from "./family/write-blocks";
export type { DocumentAccess } from "./in-memory/in-memory-document";
export type { InMemoryPrompt } from "./in-memory/in-memory-prompt";
export type { InMemoryProposals } from "./in-memory/in-memory-proposals";
export type { InMemorySessionRegistry } from "./in-memory/in-memory-session-registry";
export { KeyedMutex } from "./keyed-mutex";
export type {
  AppendResult,
  ContinueOptions,
  FollowOptions,
  FollowResult,
  ListedMessage,
  SessionMessageRole,
  SteppedBack,
  UpdateOptions,
} from "./message";
export type { RowSizeOptions } from "./micro-compaction/enforce-row-size-limit";
export type {
  ShortenedOutput,
  ShortenOptions,
  ToolCallRef,
  TruncateOptions,
} from "./micro-compaction/shorten-tool-outputs";
export type { HistoryBatches } from "./parts/history-batches";
export type { SessionMemoryView } from "./parts/session-memory-view";
export type {
  LatestOptions,
  MeasuredHistory,
  ModelHistoryOptions,
  PoppedMessage,
} from "./parts/session-messages";
export type { SessionTreeView } from "./parts/session-tree-view";
export type {
  DocumentBefore,
  ImportChange,
  ImportConsent,
  OfferDraft,
} from "./portable/import-consent";
export type {
  ExportedDocument,
  ExportedSession,
  SessionFileRecord,
  SessionRecordOf,
} from "./portable/session-records";
export type { ListProposalsOptions, NewProposal, ProposalStatus, ProposalStore } from "./proposals";
export type { OpeningBlocks } from "./search/opening-blocks";
export { openingBlocks, wordsAfterBlocks } from "./search/opening-blocks";
export type { ParsedQuery, QueryPhrase, SearchQuery } from "./search/query";
export type { SearchedPart, SearchPlace, SessionMatch, Snippet } from "./search/search-hits";
export { searchableText } from "./search/searchable-text";
export type { AnswerOptions, HistoryOptions, ParentOptions } from "./session";
export type { BlockOptions, ModelInput, PromptCache } from "./session-builder";
export type { ManagerTools, SessionToolsOptions } from "./session-manager";
export type {
  ChangedDeletion,
  CompactionMetadata,
  DeleteMessagesOptions,
  Deletion,
  HistoryRowStat,
  IterateOptions,
  MaybePromise,
  RecentHistory,
  Siblings,
  TranscriptWindow,
  TreeNode,
  WindowEntry,
  WindowOptions,
} from "./session-provider";
export type { SessionSource } from "./session-storage";
export type {
  ChangedSession,
  CreateSessionOptions,
  DeleteOptions,
  ForkOptions,
  ListSessionsOptions,
  MessagesOptions,
  SessionChanges,
  SessionPage,
  SessionRegistry,
} from "./session-store";
export { namespaceKey, namespacePrefix } from "./session-store";
export type { SkillEvent } from "./skill-events";
export { assertStorable } from "./stored-body";
export type { CallParts, CountedCall, SessionTokenCounter } from "./tokens/token-counters";
export type { ToolsOptions } from "./tools/context-tools";
export type { CreateSessionTool } from "./tools/create-session";
export type {
  ContextTools,
  GivenProvider,
  IfHas,
  Makes,
  MakesAs,
  NamesMadeBy,
  ProviderOf,
  ToolName,
  ToolsMadeBy,
  ToolsOfBlock,
} from "./tools/made-tools";
export type { SearchContextTool } from "./tools/search-context";
export type { AskingMessage, SessionSearchTool } from "./tools/session-search";
export type {
  BlockWrite,
  HeldWrite,
  SetContextInput,
  SetContextOptions,
  SetContextTool,
} from "./tools/set-context";
export type { ReadLoadedSkills, SkillOutput, SkillTool } from "./tools/skill-tools";

// Shared with the other layers of Grove. Programs use `lib/session`.

export type { ArchivedSession, SessionArchive } from "./archive";
export {
  type AnswerWrite,
  assertDistinctBlocks,
  type Block,
  type BlockChanges,
  type BlockKey,
  type BlockKind,
  type BlockStore,
  blockName,
  type DeleteEntryOptions,
  type EditableEntries,
  type LoadableEntries,
  type NewBlock,
  type SearchableEntries,
  type TextWrite,
} from "./block-store";
export { fromClient } from "./client-messages";
export { compactionSlice } from "./compaction/create-compact-function";
export { type ModelView, summarizeMessages } from "./compaction/summarize-messages";
export { compactionIdOf, compactionMessage } from "./compaction-message";
export { callProvider } from "./context/context-block";
export { promptSections, renderPrompt } from "./context/prompt";
export type { AcceptOptions } from "./context/session-proposals";
export type { Deleted, DeletionStore } from "./deletion-store";
export { blockStoreEvents, type Emit, type EventTable, emitting, emittingBlocks } from "./emitting";
export {
  ArchiveFailedError,
  ArchiveNotFoundError,
  conflictOf,
  ExportDamagedError,
  FilesNotArchivedError,
  isSessionError,
} from "./errors";
export { type NewSessionEvent, SessionEvents, type SessionEventsOptions } from "./events";
export { groupBy } from "./group-by";
export { isNestedTooDeeply } from "./json-depth";
export { KeyedMutex } from "./keyed-mutex";
export { linearRecords, messageFromRecord } from "./linear-records";
export { mapInSlices } from "./map-in-slices";
export {
  type ContinueOptions,
  type FollowOptions,
  isAnswered,
  isToolPart,
  type ListedMessage,
  toolNameOf,
} from "./message";
export { capOutput } from "./micro-compaction/cap-output";
export {
  capPart,
  type ShortenedOutput,
  type ToolCallRef,
} from "./micro-compaction/shorten-tool-outputs";
export { historyBackwards } from "./parts/history-batches";
export { assertConsistent } from "./portable/assert-consistent";
export type {
  DocumentBefore,
  ImportChange,
  ImportConsent,
  OfferDraft,
} from "./portable/import-consent";
export {
  type ExportedSession,
  partRecord,
  portableFormat,
  type SessionRecordOf,
  sessionRecords,
} from "./portable/session-records";
export { parseSessionText, sessionText } from "./portable/session-text";
export { proposalLimit } from "./proposals";
export { reportFailure } from "./report-failure";
export {
  analysisVersion,
  toTsqueries,
  toTsquery,
  toTsvector,
  toTsvectorInSlices,
} from "./search/lexemes";
export { marked, snippet } from "./search/match";
export { isNarrowed, type QueryPhrase, queryWith, searchLimit } from "./search/query";
export {
  previewOf,
  type SearchableSection,
  searchableSections,
  searchableText,
} from "./search/searchable-text";
export { termsLike } from "./search/tokenize";
export type { ChangedDeletion, DeleteMessagesOptions, HistoryRowStat } from "./session-provider";
export {
  type DeleteOptions,
  type MessagesOptions,
  namespaceKey,
  namespacePrefix,
} from "./session-store";
export { loadedAfter, type SkillEvent, skillEvents, skillOf } from "./skill-events";
export {
  assertDistinct,
  assertId,
  assertStorable,
  canonicalJson,
  contentOf,
  isSameBody,
  toStoredBody,
} from "./stored-body";
export { clip, storableText } from "./text";
export { entryKeyFor } from "./tools/entry-key";
export type { AskingMessage } from "./tools/session-search";
export { stepCount, storableLabel } from "./tree/edits";
export { type FollowedTree, followIn } from "./tree/follow";
export { isAlone } from "./tree/window";

// For the other folders of the library. Programs use its entries.

export type { ArchivedSession, SessionArchive } from "./archive";
export {
  type AnswerWrite,
  assertDistinctBlocks,
  type Block,
  type BlockChanges,
  type BlockKey,
  type BlockStore,
  blockName,
  type DeleteEntryOptions,
  type LoadableEntries,
  type NewBlock,
  type SearchableEntries,
  type TextWrite,
} from "./block-store";
export { compactionIdOf, compactionMessage } from "./compaction-message";
export { type BlockKind, indexedEntries } from "./context-provider";
export type { Deleted, DeletionStore } from "./deletion-store";
export {
  ArchiveFailedError,
  ArchiveNotFoundError,
  conflictOf,
  ExportDamagedError,
  FilesNotArchivedError,
  isSessionError,
} from "./errors";
export { SessionEvents, type SessionEventsOptions } from "./events";
export { groupBy } from "./group-by";
export { isNestedTooDeeply } from "./json-depth";
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
export { assertConsistent } from "./portable/assert-consistent";
export type { DocumentBefore, ImportConsent } from "./portable/import-consent";
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
export { frequentIn } from "./search/language";
export {
  analysisVersion,
  toTsqueries,
  toTsquery,
  toTsvector,
  toTsvectorInSlices,
} from "./search/lexemes";
export { marked, saysAll, snippet } from "./search/match";
export { openingBlocks } from "./search/opening-blocks";
export { type QueryPhrase, queryWith, searchLimit } from "./search/query";
export { hitsPerSession, sessionMatches } from "./search/search-hits";
export {
  previewOf,
  type SearchableSection,
  saidText,
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
export { loadedAfter, type SkillEvent, skillEvents } from "./skill-events";
export {
  assertDistinct,
  assertId,
  assertStorable,
  canonicalJson,
  contentOf,
  isSameBody,
  toStoredBody,
} from "./stored-body";
export { storableText } from "./text";
export { stepCount, storableLabel } from "./tree/edits";
export { type FollowedTree, followIn } from "./tree/follow";
export { contentBytes } from "./tree/history";
export { isAlone } from "./tree/window";

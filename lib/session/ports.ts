// Types and rules for stores that are not the library's.

export type {
  Block,
  BlockChanges,
  BlockKey,
  BlockStore,
  EditableEntries,
  LoadableEntries,
  NewBlock,
  SearchableEntries,
} from "./block-store";
export type { BlockKind } from "./context-provider";
export type { Deleted, DeletionStore } from "./deletion-store";
export { blockStoreEvents, type Emit, type EventTable, emitting, emittingBlocks } from "./emitting";
export type { NewSessionEvent } from "./events";
export { KeyedMutex } from "./keyed-mutex";
export type { ImportChange, ImportConsent, OfferDraft } from "./portable/import-consent";
export type { ExportedSession, SessionRecordOf } from "./portable/session-records";
export { openingBlocks, wordsAfterBlocks } from "./search/opening-blocks";
export { searchableText } from "./search/searchable-text";
export type { ChangedDeletion } from "./session-provider";
export { namespaceKey, namespacePrefix } from "./session-store";
export { assertStorable } from "./stored-body";

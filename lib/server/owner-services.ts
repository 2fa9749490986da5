import type { Sql } from "postgres";
import type { PortableData } from "@/lib/chat/data/portable-data";
import { memoryModeIn } from "@/lib/chat/memory/memory-mode";
import type {
  BlockSetups,
  DocumentPlace,
  Knowledge,
  OwnerData,
  Skills,
  SourceBlock,
} from "@/lib/chat/owner-data";
import type { SearchableOwner } from "@/lib/chat/sessions/search";
import {
  answerWrites,
  countData,
  deleteEverything,
  exportLines,
  importLines,
  PostgresBlocks,
  PostgresContextProvider,
  PostgresRunStore,
  PostgresSearchProvider,
  PostgresSessionStore,
  PostgresSettings,
  PostgresSkillProvider,
  PostgresUsage,
  searchAllDocuments,
  writtenBy,
} from "@/lib/postgres";
import {
  type Emit,
  type EmittingBlockOptions,
  type EmittingStore,
  type EventTable,
  emitting,
  emittingBlock,
  emittingStore,
  entryEvents,
  type SessionEvents,
} from "@/lib/session";

/** Services bound to one owner: no query through them reaches another. */
export interface OwnerServices extends OwnerData, SearchableOwner {
  readonly store: EmittingStore<PostgresSessionStore>;
  readonly knowledge: PostgresSearchProvider;
  readonly skills: PostgresSkillProvider;
  readonly settings: PostgresSettings;
  readonly usage: PostgresUsage;
  readonly data: PortableData;
}

export function ownerServices({
  sql,
  chunkSql,
  ownerId,
  events,
  sourceBlocks = [],
}: {
  sql: Sql;
  chunkSql: Sql;
  ownerId: string;
  events: SessionEvents;
  /** Configured skill sources. */
  sourceBlocks?: readonly SourceBlock[];
}): OwnerServices {
  const emit: Emit = (event) => events.emit(event);
  const settings = emitting(new PostgresSettings(sql, ownerId), settingsEvents, emit);
  // Also after a failure: what came before it is stored.
  const emitAfter = <Result>(action: "import" | "delete", write: () => Promise<Result>) =>
    write().finally(() => emit({ type: "data", sessionId: null, action }));
  const at = (label: string, sessionId: string | null, place?: DocumentPlace) => ({
    ownerId,
    label,
    ...place,
    ...(sessionId !== null && { sessionId }),
  });
  const eventsAt = (label: string, sessionId: string | null) => ({
    blockId: label,
    label,
    sessionId,
  });
  const searchable = (label: string, sessionId: string | null, place?: DocumentPlace) =>
    emitting(
      new PostgresSearchProvider(sql, at(label, sessionId, place)),
      editableEntryEvents(eventsAt(label, sessionId)),
      emit,
    );
  const loadable = (label: string, sessionId: string | null, place?: DocumentPlace) =>
    emitting(
      new PostgresSkillProvider(sql, at(label, sessionId, place)),
      editableEntryEvents(eventsAt(label, sessionId)),
      emit,
    );
  const document = (label: string, sessionId: string | null, place?: DocumentPlace) =>
    emittingBlock(
      new PostgresContextProvider(sql, at(label, sessionId, place)),
      eventsAt(label, sessionId),
      emit,
    );
  return {
    ownerId,
    sourceBlocks,
    store: emittingStore(new PostgresSessionStore(sql, ownerId), events),
    runs: new PostgresRunStore({ sql, chunks: chunkSql, ownerId }),
    usage: emitting(new PostgresUsage(sql, ownerId), usageEvents, emit),
    settings,
    defaultMemoryMode: async () => memoryModeIn(await settings.read()),
    data: {
      counts: () => countData(sql, ownerId),
      export: (options) => exportLines(sql, { ...options, ownerId }),
      import: (lines, options) =>
        emitAfter("import", () => importLines(sql, lines, { ...options, ownerId })),
      deleteAll: () => emitAfter("delete", () => deleteEverything(sql, ownerId)),
    },
    blocks: emitting(new PostgresBlocks(sql, ownerId), blockSetupEvents, emit),
    knowledge: searchable("knowledge", null),
    skills: loadable("skills", null),
    searchable,
    loadable,
    findDocuments: (query, options) => searchAllDocuments(sql, ownerId, query, options),
    block: (label, place) => document(label, null, place),
    sessionBlock: document,
    writesOf: async (sessionId, messageId) => {
      const rows = await answerWrites(sql, { owner: ownerId, session: sessionId, messageId });
      return rows.map(({ key, before, after, ...write }) => ({
        ...write,
        key: key === "" ? null : key,
        before: before ?? "",
        after: after ?? "",
      }));
    },
    writtenBy: async (sessionId, messageIds) => {
      const place = { owner: ownerId, session: sessionId, messageIds: [...messageIds] };
      const rows = await writtenBy(sql, place);
      return rows.map(({ message_id: messageId, key, ...row }) => ({
        ...row,
        messageId,
        key: key === "" ? null : key,
      }));
    },
  };
}

export const settingsEvents = {
  read: "read",
  change: () => [{ type: "settings", sessionId: null }],
  secrets: "read",
  saveSecret: () => [{ type: "settings", sessionId: null }],
  removeSecret: (removed) => (removed ? [{ type: "settings", sessionId: null }] : []),
} satisfies EventTable<PostgresSettings>;

export const usageEvents = {
  record: (isNew, { sessionId, inputTokens, outputTokens, cost }) =>
    isNew ? [{ type: "usage", sessionId, inputTokens, outputTokens, cost: cost ?? 0 }] : [],
  sums: "read",
} satisfies EventTable<PostgresUsage>;

export const blockSetupEvents = {
  list: "read",
  add: (added, { label, sessionId }) =>
    added ? [{ type: "block", sessionId, label, action: "create" }] : [],
  put: (_, { label, sessionId }) => [{ type: "block", sessionId, label, action: "update" }],
  rename: (renamed, { label: previousLabel, sessionId }, label) =>
    renamed ? [{ type: "block", sessionId, label, action: "rename", previousLabel }] : [],
  remove: (deletionId, { label, sessionId }) =>
    deletionId === null ? [] : [{ type: "block", sessionId, label, action: "delete" }],
  deleted: "read",
  restore: (restored, _, { label, sessionId }) =>
    restored ? [{ type: "block", sessionId, label, action: "restore" }] : [],
} satisfies EventTable<BlockSetups>;

const editableEntryEvents = (block: EmittingBlockOptions) =>
  ({
    ...entryEvents(block),
    count: "read",
    find: "read",
    write: (_, key, _entry, options) => [
      {
        type: "block-write",
        ...block,
        key,
        action: "replace",
        author: options?.provenance?.author,
      },
    ],
  }) satisfies EventTable<Knowledge & Skills>;

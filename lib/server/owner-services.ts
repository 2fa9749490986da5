import type { Sql } from "postgres";
import type { PortableData } from "@/lib/chat/data/portable-data";
import type { ConfiguredServer } from "@/lib/chat/mcp-client/configured-servers";
import { McpTools } from "@/lib/chat/mcp-client/mcp-tools";
import { ToolServers } from "@/lib/chat/mcp-client/servers-view";
import type { OwnerData, SourceBlock } from "@/lib/chat/owner-data";
import type { SearchableOwner } from "@/lib/chat/sessions/search";
import {
  memoryModeIn,
  type SecretSealer,
  type SettingsOwner,
} from "@/lib/chat/settings/settings-store";
import { OwnerTools } from "@/lib/chat/tools/owner-tools";
import type { ToolSource } from "@/lib/chat/tools/tool-source";
import { PostgresSessionStore } from "@/lib/postgres";
import {
  countData,
  deleteEverything,
  exportLines,
  importLines,
  type ObjectPlace,
  PostgresDeletions,
  PostgresFiles,
  PostgresKeys,
  PostgresRunStore,
  PostgresSettings,
  PostgresTurns,
  PostgresUsage,
  searchAllDocuments,
  searchFiles,
} from "@/lib/postgres/internal";
import { type EmittingStore, emittingStore, type SessionEvents } from "@/lib/session";
import {
  type Emit,
  type EventTable,
  emitting,
  emittingBlocks,
  namespaceKey,
} from "@/lib/session/internal";
import { type FileLimits, factsOf, ownerFiles } from "./owner-files";

/** Services bound to one owner: no query through them reaches another. */
export interface OwnerServices extends OwnerData, SearchableOwner {
  readonly store: EmittingStore<PostgresSessionStore>;
  readonly settings: PostgresSettings;
  readonly usage: PostgresUsage;
  readonly keys: PostgresKeys;
  /** Sessions that are deleted at their end, unseen by the owner's lists and searches. */
  readonly temporary: OwnerData;
  readonly data: PortableData;
  readonly toolServers: ToolServers;
}

/** Place and limits of files. */
export interface FileSettings {
  /** For files that arrive. */
  readonly folder?: string | undefined;
  readonly limits?: FileLimits | undefined;
  /** Default: the database. */
  readonly place?: ObjectPlace | undefined;
}

/** For processes that only import or export. */
const noSealer: SecretSealer = {
  seal: () => Promise.reject(new Error("This process keeps no secrets.")),
  open: () => Promise.resolve(null),
};

const temporaryNamespace = "temporary";
/** End of the owner ids of temporary sessions. */
export const temporaryEnd = namespaceKey("", temporaryNamespace);

/** The owner of temporary sessions; `null` for any other id. */
export function ownerOfTemporary(ownerId: string): string | null {
  return ownerId.endsWith(temporaryEnd) ? ownerId.slice(0, -temporaryEnd.length) : null;
}

export function ownerServices({
  sql,
  chunkSql,
  ownerId,
  events,
  sourceBlocks = [],
  toolSources = () => [],
  sealer = noSealer,
  configuredServers = [],
  fileSettings = {},
}: {
  sql: Sql;
  chunkSql: Sql;
  ownerId: string;
  events: SessionEvents;
  /** Configured skill sources. */
  sourceBlocks?: readonly SourceBlock[];
  /** Besides those of tool servers. */
  toolSources?: (owner: SettingsOwner) => readonly ToolSource[];
  /** Without one, servers keep no keys. */
  sealer?: SecretSealer;
  configuredServers?: readonly ConfiguredServer[];
  fileSettings?: FileSettings;
}): OwnerServices {
  const emit: Emit = (event) => events.emit(event);
  const store = new PostgresSessionStore(sql, ownerId);
  const settings = emitting(new PostgresSettings(sql, ownerId), settingsEvents, emit);
  // Also after a failure: what came before it is stored.
  const emitAfter = <Result>(action: "import" | "delete", write: () => Promise<Result>) =>
    write().finally(() => emit({ type: "data", sessionId: null, action }));
  const usage = emitting(new PostgresUsage(sql, ownerId), usageEvents, emit);
  const blocks = emittingBlocks(store.blocks, emit);
  const defaultMemoryMode = async () => memoryModeIn(await settings.read());
  const temporaryId = namespaceKey(ownerId, temporaryNamespace);
  const deletions = new PostgresDeletions(sql, ownerId);
  const files = ownerFiles(new PostgresFiles(sql, ownerId, fileSettings), fileSettings);
  const turns = new PostgresTurns(sql, ownerId);
  const serverOwner = { ownerId, settings, sealer };
  const tools = new OwnerTools(settings, [
    ...toolSources(serverOwner),
    new McpTools(serverOwner, { files, configured: configuredServers }),
  ]);
  const shared = { usage, blocks, deletions, files, sourceBlocks, tools, turns, defaultMemoryMode };
  return {
    ownerId,
    ...shared,
    temporary: {
      ...shared,
      ownerId: temporaryId,
      store: store.namespace(temporaryNamespace),
      runs: new PostgresRunStore({ sql, chunks: chunkSql, ownerId: temporaryId }),
    },
    store: emittingStore(store, events),
    runs: new PostgresRunStore({ sql, chunks: chunkSql, ownerId }),
    settings,
    toolServers: new ToolServers({ ...serverOwner, tools }, configuredServers),
    keys: emitting(new PostgresKeys(sql, ownerId), keyEvents, emit),
    data: {
      counts: () => countData(sql, ownerId),
      export: (options) => exportLines(sql, { ...options, ownerId, place: fileSettings.place }),
      import: (lines, options) =>
        emitAfter("import", () =>
          importLines(sql, lines, { ...options, ownerId, place: fileSettings.place }),
        ),
      deleteAll: () => emitAfter("delete", () => deleteEverything(sql, ownerId)),
    },
    findDocuments: (query, options) => searchAllDocuments(sql, ownerId, query, options),
    findFiles: async (query, options) =>
      (await searchFiles(sql, ownerId, query, options)).map(({ facts, ...hit }) => {
        return { ...hit, ...factsOf(facts) };
      }),
  };
}

export const settingsEvents = {
  read: "read",
  change: () => [{ type: "settings", sessionId: null }],
  secrets: "read",
  saveSecret: () => [{ type: "settings", sessionId: null }],
  removeSecret: (removed) => (removed ? [{ type: "settings", sessionId: null }] : []),
} satisfies EventTable<PostgresSettings>;

export const keyEvents = {
  list: "read",
  get: "read",
  add: () => [{ type: "settings", sessionId: null }],
  revoke: (revoked) => (revoked ? [{ type: "settings", sessionId: null }] : []),
} satisfies EventTable<PostgresKeys>;

export const usageEvents = {
  record: (isNew, { sessionId, inputTokens, outputTokens, cost }) =>
    isNew ? [{ type: "usage", sessionId, inputTokens, outputTokens, cost: cost ?? 0 }] : [],
  sums: "read",
} satisfies EventTable<PostgresUsage>;

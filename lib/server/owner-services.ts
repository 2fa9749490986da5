import { emittingStore, type SessionEvents } from "grove-session";
import type { EmittingStore } from "grove-session/ports";
import { type Emit, type EventTable, emitting, emittingBlocks } from "grove-session/ports";
import type { Sql } from "grove-session/postgres";
import { PostgresSessionStore } from "grove-session/postgres";
import type { ProgramChats } from "@/lib/chat/core/key-store";
import type { OwnerData, PersonalParts, SourceBlock } from "@/lib/chat/core/owner-data";
import {
  isOwnSpace,
  type PersonId,
  type PersonInSpace,
  type SpaceId,
  temporaryNamespace,
  temporarySpace,
} from "@/lib/chat/core/person-in-space";
import {
  memoryModeIn,
  type SecretSealer,
  type SettingsOwner,
} from "@/lib/chat/core/settings-store";
import type { ToolSource } from "@/lib/chat/core/tool-source";
import type { PortableData } from "@/lib/chat/data/portable-data";
import type { ConfiguredServersOf } from "@/lib/chat/mcp-client/configured-servers";
import { ToolConnections } from "@/lib/chat/mcp-client/connections";
import { McpTools } from "@/lib/chat/mcp-client/mcp-tools";
import { ToolServers } from "@/lib/chat/mcp-client/servers-view";
import type { SearchableOwner } from "@/lib/chat/sessions/search";
import type { TemporaryOwner } from "@/lib/chat/sessions/temporary-chat";
import { noteRefusal } from "@/lib/chat/settings/model-features";
import { FileTools } from "@/lib/chat/tools/file-tools";
import { OwnerTools } from "@/lib/chat/tools/owner-tools";
import { isTemporaryId, keptIdOf, temporaryIdOf } from "@/lib/chat/wire/temporary-id";
import type { FeatureRefusal } from "@/lib/llm";
import {
  countData,
  deleteEverything,
  deleteOwnerOfAccount,
  exportLines,
  filesOfPath,
  hasKnowledgeFiles,
  importLines,
  keepSession,
  knowledgeFilesNamed,
  type ObjectPlace,
  PostgresDeletions,
  PostgresFiles,
  searchAllDocuments,
  searchFiles,
  searchPages,
  stopDeleting,
} from "@/lib/postgres/internal";
import { fencedTo } from "@/lib/storage/owner-fence";
import { PostgresRequests } from "@/lib/storage/postgres-requests";
import { ChargedRunStore, ChargedUsage, ProjectCharges } from "@/lib/storage/runs/charged-runs";
import { PostgresRunStore } from "@/lib/storage/runs/postgres-run-store";
import { PostgresUsage } from "@/lib/storage/runs/postgres-usage";
import { sendFacts } from "@/lib/storage/runs/send-facts";
import { PostgresConsents } from "@/lib/storage/settings/postgres-consents";
import { PostgresKeys, programsWithChats } from "@/lib/storage/settings/postgres-keys";
import { PostgresSettings } from "@/lib/storage/settings/postgres-settings";
import { PostgresPersonalParts } from "@/lib/storage/spaces/personal-parts";
import { PostgresTurns } from "@/lib/storage/turns";
import { type FileLimits, factsOf, ownerFiles } from "./owner-files";

/** Queries reach rows of the space alone, settings, keys and requests the person's. */
export interface OwnerServices extends OwnerData, SearchableOwner {
  readonly store: EmittingStore<PostgresSessionStore>;
  readonly settings: PostgresSettings;
  readonly usage: PostgresUsage;
  readonly keys: PostgresKeys;
  readonly requests: PostgresRequests;
  readonly temporary: OwnerData;
  readonly temporaryChats: OwnerServices & TemporaryOwner;
  readonly data: PortableData & {
    /** The owner is closed to every write from then on. */
    readonly deleteOwner: (onceClosed?: () => Promise<void>) => Promise<void>;
  };
  readonly toolServers: ToolServers;
  readonly programs: () => Promise<ProgramChats[]>;
  readonly personalParts: PersonalParts;
}

export interface FileSettings {
  readonly folder?: string | undefined;
  readonly limits?: FileLimits | undefined;
  readonly place?: ObjectPlace | undefined;
}

const noSealer: SecretSealer = {
  seal: () => Promise.reject(new Error("This process keeps no secrets.")),
  open: () => Promise.resolve(null),
};

export interface OwnerServicesOptions extends PersonInSpace {
  sql: Sql;
  chunkSql: Sql;
  events: SessionEvents;
  personEvents?: SessionEvents;
  sourceBlocks?: readonly SourceBlock[];
  toolSources?: (owner: SettingsOwner) => readonly ToolSource[];
  sealer?: SecretSealer;
  configuredServers?: ConfiguredServersOf;
  toolConnections?: ToolConnections;
  fetch?: typeof globalThis.fetch;
  fileSettings?: FileSettings;
}

export function ownerServices({
  sql: pool,
  chunkSql: chunkPool,
  personId,
  spaceId,
  events,
  personEvents = events,
  sourceBlocks = [],
  toolSources = () => [],
  sealer = noSealer,
  configuredServers = async () => [],
  toolConnections = new ToolConnections(),
  fetch,
  fileSettings = {},
}: OwnerServicesOptions): OwnerServices {
  const emit: Emit = (event) => events.emit(event);
  const [sql, chunkSql] = [fencedTo(pool, spaceId), fencedTo(chunkPool, spaceId)];
  const store = new PostgresSessionStore(sql, spaceId);
  const own = personServices(fencedTo(pool, personId), { personId, events: personEvents });
  const { settings } = own;
  const files = ownerFiles(new PostgresFiles(sql, spaceId, fileSettings), {
    ...fileSettings,
    person: personId,
  });
  const serverOwner = { personId, settings, sealer, fetch };
  const chatsOf = (chats: SpaceId) => chatStores(sql, { place: spaceId, chats });
  const ofFiles = new FileTools({ files, ...chatsOf(spaceId) }).list();
  const tools = new OwnerTools(settings, [
    ...toolSources(serverOwner),
    new McpTools(serverOwner, {
      spaceId,
      files,
      configured: configuredServers,
      connections: toolConnections,
    }),
    { tools: () => ofFiles },
  ]);
  const counted = countedIn({ personId, spaceId }, { pool, sql, chunks: chunkSql });
  const shared = {
    usage: emitting(counted.usage, usageEvents, emit),
    blocks: emittingBlocks(store.blocks, emit),
    deletions: new PostgresDeletions(sql, spaceId),
    files,
    sourceBlocks,
    tools,
    turns: new PostgresTurns(sql, spaceId),
    noteRefusal: (ref: string, refusal: FeatureRefusal) => noteRefusal(settings, ref, refusal),
    defaultMemoryMode: async () => memoryModeIn(await settings.read()),
  };
  const temporaryId = temporarySpace(spaceId);
  const temporary = {
    ...shared,
    personId,
    spaceId: temporaryId,
    store: store.namespace(temporaryNamespace).withoutPromptsOfDeleted(),
    runs: counted.runsOf(temporaryId),
    ...chatsOf(temporaryId),
  };
  const kept = {
    personId,
    spaceId,
    ...shared,
    ...own,
    temporary,
    store: emittingStore(store, events),
    runs: emitting(counted.runsOf(spaceId), runEvents, emit),
    ...chatsOf(spaceId),
    toolServers: new ToolServers({ ...serverOwner, tools }, configuredServers),
    data: portableData(sql, { spaceId, place: fileSettings.place, emit }),
    personalParts: new PostgresPersonalParts(fencedTo(pool, personId), { personId, spaceId }),
    ...searches(sql, spaceId),
  } satisfies Omit<OwnerServices, "temporaryChats">;
  const temporaryChats: OwnerServices & TemporaryOwner = {
    ...kept,
    spaceId: temporaryId,
    store: emittingStore(temporary.store, events),
    runs: emitting(temporary.runs, runEvents, emit),
    ...chatsOf(temporaryId),
    deletions: new PostgresDeletions(sql, temporaryId),
    defaultMemoryMode: async () => "off",
    data: {
      ...kept.data,
      export: (options) =>
        asKept(exportLines(sql, { ...options, ...fileSettings, ownerId: temporaryId })),
    },
    keep: async (sessionId, as, given) => {
      const all = { ...given, sessionId, as, from: temporaryId, to: spaceId };
      const isKept = await keepSession(pool, all);
      if (!isKept) return false;
      emit({ type: "session", sessionId, action: "delete" });
      emit({ type: "data", sessionId: null, action: "import" });
      return true;
    },
    get temporaryChats() {
      return temporaryChats;
    },
  };
  return { ...kept, temporaryChats };
}

/** Temporary chats share memory and knowledge of the place. */
function chatStores(
  sql: Sql,
  { place, chats }: { readonly place: SpaceId; readonly chats: SpaceId },
): Pick<OwnerData, "knowledge" | "consents" | "sendFacts"> {
  return {
    knowledge: {
      hasFiles: () => hasKnowledgeFiles(sql, place),
      named: (name) => knowledgeFilesNamed(sql, place, name),
      ofPath: (path) => filesOfPath(sql, chats, path),
      search: (query, options) => searchPages(sql, place, query, options),
    },
    consents: new PostgresConsents(sql, chats),
    sendFacts: (sessionId, about) =>
      sendFacts(sql, { owner: chats, memoryOwner: place, sessionId, ...about }),
  };
}

/** In a project the person who asks pays. */
function countedIn(
  who: PersonInSpace,
  { pool, sql, chunks }: Record<"pool" | "sql" | "chunks", Sql>,
): { usage: PostgresUsage; runsOf: (ownerId: SpaceId) => PostgresRunStore } {
  const { personId, spaceId } = who;
  if (isOwnSpace(who))
    return {
      usage: new PostgresUsage(sql, spaceId),
      runsOf: (ownerId) => new PostgresRunStore({ sql, chunks, ownerId }),
    };
  const chargesOf = (chats: SpaceId) =>
    new ProjectCharges(fencedTo(pool, personId), { personId, spaceId: chats });
  return {
    usage: new ChargedUsage(sql, who, chargesOf(spaceId)),
    runsOf: (ownerId) =>
      new ChargedRunStore({ sql, chunks, ownerId, personId }, chargesOf(ownerId)),
  };
}

function personServices(
  sql: Sql,
  { personId, events }: { personId: PersonId; events: SessionEvents },
) {
  const emit: Emit = (event) => events.emit(event);
  return {
    settings: emitting(new PostgresSettings(sql, personId), settingsEvents, emit),
    keys: emitting(new PostgresKeys(sql, personId), keyEvents, emit),
    requests: new PostgresRequests(sql, personId),
  };
}

interface PortableSpace {
  readonly spaceId: SpaceId;
  readonly place: ObjectPlace | undefined;
  readonly emit: Emit;
}

function portableData(
  sql: Sql,
  { spaceId: ownerId, place, emit }: PortableSpace,
): OwnerServices["data"] {
  // Lines before a failure are stored, so the event follows it as well.
  const emitAfter = <Result>(action: "import" | "delete", write: () => Promise<Result>) =>
    write().finally(() => emit({ type: "data", sessionId: null, action }));
  return {
    counts: () => countData(sql, ownerId),
    export: (options) => exportLines(sql, { ...options, ownerId, place }),
    import: (lines, options) =>
      emitAfter("import", () =>
        importLines(sql, withKeptIds(lines), { ...options, ownerId, place }),
      ),
    deleteOwner: (onceClosed) =>
      emitAfter("delete", () => deleteOwnerOfAccount(sql, ownerId, onceClosed)),
    deleteAll: (onceClosed) =>
      emitAfter("delete", () => deleteEverything(sql, ownerId, onceClosed)),
    stopDeleting: () => stopDeleting(sql, ownerId),
  };
}

function searches(
  sql: Sql,
  spaceId: SpaceId,
): Pick<OwnerServices, "findDocuments" | "findFiles" | "programs"> {
  return {
    programs: () => programsWithChats(sql, spaceId),
    findDocuments: (query, options) => searchAllDocuments(sql, spaceId, query, options),
    findFiles: async (query, options) =>
      (await searchFiles(sql, spaceId, query, options)).map(({ facts, ...hit }) => {
        return { ...hit, ...factsOf(facts) };
      }),
  };
}

async function* asKept(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    const record: { type?: unknown; id?: unknown } = JSON.parse(line);
    const isSession = record.type === "session" || record.type === "session-end";
    if (!isSession || typeof record.id !== "string") yield line;
    else yield `${JSON.stringify({ ...record, id: keptIdOf(record.id) })}\n`;
  }
}

const sessionFields = ["id", "sessionId", "parentSessionId"] as const;

/** A listed chat with a temporary id could not be reached. */
async function* withKeptIds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield line.includes(`"${temporaryIdOf("")}`) ? kept(line) : line;
}

function kept(line: string): string {
  let record: Record<string, unknown>;
  try {
    record = JSON.parse(line);
  } catch {
    return line;
  }
  for (const field of sessionFields) {
    const isOwn = field !== "id" || record.type === "session" || record.type === "session-end";
    let id = isOwn ? record[field] : undefined;
    while (typeof id === "string" && isTemporaryId(id)) id = keptIdOf(id) || "imported";
    if (id !== undefined) record[field] = id;
  }
  return `${JSON.stringify(record)}\n`;
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
  changeScopes: (changed) => (changed ? [{ type: "settings", sessionId: null }] : []),
  revoke: (revoked) => (revoked ? [{ type: "settings", sessionId: null }] : []),
} satisfies EventTable<PostgresKeys>;

export const runEvents = {
  ask: (started, _question, _budget, { sessionId }) => {
    if (typeof started !== "object" || !started?.asked) return [];
    const { message, parentId } = started.asked;
    return [{ type: "append", sessionId, messageId: message.id, parentId, role: message.role }];
  },
  end: (ended, _, { answer }) => {
    if (!answer || !ended?.stored) return [];
    const { sessionId, message } = answer;
    const { id: messageId, role } = message;
    return ended.stored === "added"
      ? [{ type: "append", sessionId, messageId, parentId: ended.parentId, role }]
      : [{ type: "update", sessionId, messageId }];
  },
} satisfies Pick<EventTable<PostgresRunStore>, "ask" | "end">;

export const usageEvents = {
  record: (isNew, { sessionId, inputTokens, outputTokens, cost }) =>
    isNew ? [{ type: "usage", sessionId, inputTokens, outputTokens, cost: cost ?? 0 }] : [],
  sums: "read",
} satisfies EventTable<PostgresUsage>;

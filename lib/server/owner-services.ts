import type { Sql } from "postgres";
import { memoryModeIn } from "@/lib/chat/memory/memory-mode";
import type { OwnerData, SourceBlock } from "@/lib/chat/owner-data";
import type { SearchableOwner } from "@/lib/chat/sessions/search";
import {
  answerWrites,
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
import type { SessionEvents } from "@/lib/session";

/** Services bound to one owner: no query through them reaches another. */
export interface OwnerServices extends OwnerData, SearchableOwner {
  readonly store: PostgresSessionStore;
  readonly knowledge: PostgresSearchProvider;
  readonly skills: PostgresSkillProvider;
  readonly settings: PostgresSettings;
  readonly usage: PostgresUsage;
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
  const settings = new PostgresSettings(sql, ownerId);
  return {
    ownerId,
    sourceBlocks,
    store: new PostgresSessionStore(sql, ownerId, { events }),
    runs: new PostgresRunStore({ sql, chunks: chunkSql, ownerId }),
    usage: new PostgresUsage(sql, ownerId, { events }),
    settings,
    defaultMemoryMode: async () => memoryModeIn(await settings.read()),
    blocks: new PostgresBlocks(sql, ownerId),
    findDocuments: (query, options) => searchAllDocuments(sql, ownerId, query, options),
    knowledge: new PostgresSearchProvider(sql, { ownerId, label: "knowledge" }),
    skills: new PostgresSkillProvider(sql, { ownerId, label: "skills" }),
    searchable: (label, sessionId, place) =>
      new PostgresSearchProvider(sql, {
        ownerId,
        label,
        ...place,
        ...(sessionId !== null && { sessionId }),
      }),
    loadable: (label, sessionId, place) =>
      new PostgresSkillProvider(sql, {
        ownerId,
        label,
        ...place,
        ...(sessionId !== null && { sessionId }),
      }),
    block: (label, place) => new PostgresContextProvider(sql, { ownerId, label, ...place }),
    sessionBlock: (label, sessionId, place) =>
      new PostgresContextProvider(sql, { ownerId, label, sessionId, ...place }),
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

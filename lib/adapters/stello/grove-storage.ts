import { z } from "zod";
import {
  BlockConflictError,
  InMemorySessionStore,
  isVersionedProvider,
  Session,
  SessionExistsError,
  type SessionInfo,
  type SessionStore,
} from "../../session";
import { linearRecords, messageFromRecord } from "../../session/internal";
import type { BlockRef } from "../../session/ports";
import { sessionTaken } from "./new-session";
import { type Changes, StorageTransaction, type TextBlock } from "./storage-transaction";
import type {
  ChildL2Summary,
  ListRecordsOptions,
  MainStorage,
  Message,
  NewContent,
  SessionFilter,
  SessionMeta,
  SessionStorage,
  TopologyNode,
} from "./types";

const nodeSchema = z.object({ parentId: z.string().nullable(), label: z.string() });
/** Metadata of a session. One that `putSession` has not described yet is `unborn`. */
const stelloSchema = z.object({
  role: z.enum(["standard", "main"]).default("standard"),
  metadata: z.record(z.string(), z.unknown()).optional(),
  /** When `putSession` last described the session. */
  updatedAt: z.iso.datetime().optional(),
  unborn: z.boolean().default(false),
});
const pageSize = 500;
const concurrentReads = 20;
const globalBlock = "stello_globals";
const claimBlock = "stello_claim";
/** Zod's `record` drops the key `__proto__`. */
const globalsSchema = z.custom<object>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

/**
 * Stello's storage over a store of Grove: records are messages of the active path, other texts are blocks. Dates are
 * the store's.
 */
export class GroveStorage implements MainStorage {
  readonly #store: SessionStore;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  async getSession(id: string): Promise<SessionMeta | null> {
    const info = await this.#store.sessions.get(id);
    return info && !stelloOf(info).unborn ? metaOf(info) : null;
  }

  async putSession(session: SessionMeta): Promise<void> {
    await this.#put(session, { isNew: false });
  }

  /** @throws {InvalidArgumentError} when a new session exists. */
  async #put(session: SessionMeta, { isNew }: { readonly isNew: boolean }): Promise<boolean> {
    const { sessions } = this.#store;
    const { id, label: name, role, tags, updatedAt } = session;
    const metadata = { stello: { role, metadata: session.metadata, updatedAt } };
    const archived = session.status === "archived";
    const known = isNew ? null : await sessions.get(id);
    const made = !known && (await sessions.create(name, { id, tags, metadata, source: "stello" }));
    const created = made !== false && made.changed;
    const isOther = isNew && !created;
    if (isOther && (await this.getSession(id))) throw sessionTaken(id);
    const update = () => sessions.update(id, { name, tags, metadata, archived });
    if (isOther) await this.#adopt(id, update);
    else if (!created || archived) await update();
    return created;
  }

  /** Sessions have no conditional update, so the call with the claim describes a new one. */
  async #adopt(id: string, describe: () => Promise<unknown>): Promise<void> {
    const block = { label: claimBlock, sessionId: id };
    const { content, version = 0 } = await this.#read(block);
    const claim = (text: string, expectedVersion: number) =>
      this.#store.writeBlocks([{ block, content: text, expectedVersion }]);
    if (content) throw sessionTaken(id);
    try {
      await claim("claimed", version);
    } catch (error) {
      throw error instanceof BlockConflictError ? sessionTaken(id) : error;
    }
    try {
      await describe();
    } catch (error) {
      await claim("", version + 1);
      throw error;
    }
  }

  async appendRecord(sessionId: string, record: Message): Promise<void> {
    await this.#appendAll(sessionId, [record]);
  }

  async listRecords(
    sessionId: string,
    { limit = Number.POSITIVE_INFINITY, offset = 0, role }: ListRecordsOptions = {},
  ): Promise<Message[]> {
    const messages = await this.#session(sessionId).getLatestMessages(Number.POSITIVE_INFINITY);
    const records = messages.flatMap(linearRecords);
    const wanted = role === undefined ? records : records.filter((each) => each.role === role);
    return wanted.slice(offset, offset + limit);
  }

  /** A message of several records stays whole. The store's `delete` event has the id that restores the others. */
  async trimRecords(sessionId: string, keepRecent: number): Promise<void> {
    const session = this.#session(sessionId);
    const messages = await session.getLatestMessages(Number.POSITIVE_INFINITY);
    let kept = 0;
    const trimmed = messages.toReversed().filter((message) => {
      const isTrimmed = kept >= keepRecent;
      kept += linearRecords(message).length;
      return isTrimmed;
    });
    if (trimmed.length > 0) await session.deleteMessages(trimmed.map(({ id }) => id));
  }

  async getSystemPrompt(sessionId: string): Promise<string | null> {
    return this.#text(sessionId, "system_prompt");
  }

  async putSystemPrompt(sessionId: string, content: string): Promise<void> {
    await this.#setText(sessionId, "system_prompt", content);
  }

  async getInsight(sessionId: string): Promise<string | null> {
    return this.#text(sessionId, "insight");
  }

  async putInsight(sessionId: string, content: string): Promise<void> {
    await this.#setText(sessionId, "insight", content);
  }

  async clearInsight(sessionId: string): Promise<void> {
    await this.#setText(sessionId, "insight", "");
  }

  async getMemory(sessionId: string): Promise<string | null> {
    return this.#text(sessionId, "memory");
  }

  async putMemory(sessionId: string, content: string): Promise<void> {
    await this.#setText(sessionId, "memory", content);
  }

  /**
   * Stores the writes of `fn` when it ends: new sessions, the records of each, then all texts or none. Records stay
   * when the texts fail; new sessions do not.
   *
   * @throws {BlockConflictError} when a text that `fn` has read and written was changed meanwhile.
   */
  async transaction<T>(fn: (tx: SessionStorage) => Promise<T>): Promise<T> {
    const tx = new StorageTransaction(this, (sessionId, label) => this.#read({ sessionId, label }));
    const result = await fn(tx);
    await this.#commit(tx.changes);
    return result;
  }

  async getAllSessionL2s(): Promise<ChildL2Summary[]> {
    const sessions = await this.listSessions({ status: "active", role: "standard" });
    const summaries: ChildL2Summary[] = [];
    for (let start = 0; start < sessions.length; start += concurrentReads) {
      const page = sessions.slice(start, start + concurrentReads);
      const memories = await Promise.all(page.map(({ id }) => this.getMemory(id)));
      for (const [index, { id, label }] of page.entries()) {
        const l2 = memories[index] ?? null;
        if (l2 !== null) summaries.push({ sessionId: id, label, l2 });
      }
    }
    return summaries;
  }

  /** Oldest first. */
  async listSessions({ status, role, tags = [] }: SessionFilter = {}): Promise<SessionMeta[]> {
    const wanted = [false, true].filter(
      (archived) => status !== (archived ? "active" : "archived"),
    );
    const infos = (await Promise.all(wanted.map((archived) => this.#infos(archived)))).flat();
    return infos
      .filter((info) => !stelloOf(info).unborn)
      .map(metaOf)
      .filter((meta) => role === undefined || meta.role === role)
      .filter((meta) => tags.every((tag) => meta.tags.includes(tag)))
      .sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
  }

  /** A node may come before its session. */
  async putNode({ id, parentId, label }: TopologyNode): Promise<void> {
    const metadata = { stelloNode: { parentId, label } };
    if (await this.#store.sessions.get(id)) {
      await this.#store.sessions.update(id, { metadata });
    } else {
      const unborn = { ...metadata, stello: { unborn: true } };
      await this.#store.sessions.create(label, { id, metadata: unborn, source: "stello" });
    }
  }

  async getChildren(parentId: string): Promise<TopologyNode[]> {
    const infos = (await Promise.all([this.#infos(false), this.#infos(true)])).flat();
    return infos
      .sort((one, other) => (sortKey(metaOf(one)) < sortKey(metaOf(other)) ? -1 : 1))
      .flatMap(({ id, metadata }) => {
        const node = nodeSchema.safeParse(metadata.stelloNode);
        return node.success && node.data.parentId === parentId ? [{ id, ...node.data }] : [];
      });
  }

  async removeNode(nodeId: string): Promise<void> {
    if (await this.#store.sessions.get(nodeId)) {
      await this.#store.sessions.update(nodeId, { metadata: { stelloNode: null } });
    }
  }

  async getGlobal(key: string): Promise<unknown> {
    const globals = await this.#globals();
    return globals.values.get(key) ?? null;
  }

  async putGlobal(key: string, value: unknown): Promise<void> {
    for (;;) {
      const { values, version } = await this.#globals();
      const content = JSON.stringify(Object.fromEntries([...values, [key, value]]));
      const block = { label: globalBlock, sessionId: null };
      try {
        return await this.#store.writeBlocks([{ block, content, expectedVersion: version }]);
      } catch (error) {
        if (!(error instanceof BlockConflictError)) throw error;
      }
    }
  }

  /** The child begins with the parent's records and shares their rows. */
  async forkSession(
    parentId: string,
    child: SessionMeta,
    { systemPrompt, records }: NewContent,
  ): Promise<void> {
    const { id, label } = child;
    const leaf = await this.#session(parentId).getLatestLeaf();
    const texts = { system_prompt: systemPrompt ?? "", memory: "", insight: "" };
    await this.#orDelete(async (created) => {
      const fork = leaf && this.#store.sessions.fork(parentId, leaf.id, label, { id });
      const isFork = await fork?.then(({ changed }) => changed, falseWhereTaken);
      if (isFork || (await this.#put(child, { isNew: true }))) created.push(id);
      if (isFork) {
        await this.putSession(child);
        await this.removeNode(id);
      }
      await this.#store.writeBlocks(
        Object.entries(texts).map(([text, content]) => ({
          block: { label: text, sessionId: id },
          content,
        })),
      );
      // A node that came before its session has its id already.
      const copied = leaf && !isFork ? await this.listRecords(parentId) : [];
      await this.#appendAll(id, [...copied, ...records]);
    });
  }

  #session(id: string): Session {
    return new Session(this.#store, { sessionId: id, createsSession: false }).refuseWhenArchived();
  }

  async #infos(archived: boolean): Promise<SessionInfo[]> {
    const infos: SessionInfo[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await this.#store.sessions.list({ archived, limit: pageSize, cursor });
      infos.push(...page.sessions);
      cursor = page.nextCursor;
    }
    return infos;
  }

  async #text(sessionId: string, label: TextBlock): Promise<string | null> {
    return (await this.#store.block({ label, sessionId }).get()) || null;
  }

  async #setText(sessionId: string, label: TextBlock, content: string): Promise<void> {
    await this.#store.writeBlocks([{ block: { label, sessionId }, content }]);
  }

  async #read(ref: BlockRef): Promise<{ content: string | null; version?: number }> {
    const block = this.#store.block(ref);
    return isVersionedProvider(block) ? block.read() : { content: await block.get() };
  }

  async #globals(): Promise<{ values: Map<string, unknown>; version: number | undefined }> {
    const { content, version } = await this.#read({ label: globalBlock, sessionId: null });
    const globals = globalsSchema.parse(JSON.parse(content || "{}"));
    return { values: new Map(Object.entries(globals)), version };
  }

  async #appendAll(sessionId: string, records: readonly Message[]): Promise<void> {
    const session = this.#session(sessionId);
    const names = new Map<string, string>();
    const isAnswer = records.some(({ role }) => role === "tool");
    const known = isAnswer ? await this.listRecords(sessionId) : [];
    for (const { toolCalls = [] } of [...known, ...records]) {
      for (const { id, name } of toolCalls) names.set(id, name);
    }
    const messages = records.map((record) =>
      messageFromRecord(record, {
        id: crypto.randomUUID(),
        toolName: names.get(record.toolCallId ?? "") ?? null,
      }),
    );
    await session.appendMessages(messages);
  }

  async #commit({ sessions, absent, records, trims, texts }: Changes): Promise<void> {
    await this.#orDelete(async (created) => {
      for (const [id, session] of sessions)
        if (await this.#put(session, { isNew: absent.has(id) })) created.push(id);
      for (const [sessionId, added] of records) await this.#appendAll(sessionId, added);
      for (const [sessionId, keepRecent] of trims) await this.trimRecords(sessionId, keepRecent);
      const writes = texts.map(({ sessionId, label, ...write }) => ({
        block: { label, sessionId },
        ...write,
      }));
      if (writes.length > 0) await this.#store.writeBlocks(writes);
    });
  }

  async #orDelete(make: (created: string[]) => Promise<void>): Promise<void> {
    const created: string[] = [];
    try {
      await make(created);
    } catch (error) {
      for (const id of created) {
        await this.#store.sessions.delete(id, { permanently: true });
      }
      throw error;
    }
  }
}

/** Keeps everything in memory, lost with the process. */
export class InMemoryStorageAdapter extends GroveStorage {
  constructor() {
    super(new InMemorySessionStore());
  }
}

function falseWhereTaken(error: unknown): false {
  if (error instanceof SessionExistsError) return false;
  throw error;
}

function stelloOf({ metadata }: SessionInfo): z.infer<typeof stelloSchema> {
  const stello = stelloSchema.safeParse(metadata.stello);
  return stello.success ? stello.data : { role: "standard", unborn: false };
}

function metaOf(info: SessionInfo): SessionMeta {
  const { stello: _, stelloNode: __, ...others } = info.metadata;
  const { role, metadata = others, updatedAt = "" } = stelloOf(info);
  const written = info.updatedAt.toISOString();
  return {
    id: info.id,
    label: info.name,
    role,
    status: info.archivedAt ? "archived" : "active",
    tags: [...info.tags],
    metadata: { ...metadata },
    createdAt: info.createdAt.toISOString(),
    updatedAt: updatedAt > written ? updatedAt : written,
  };
}

function sortKey({ createdAt, id }: SessionMeta): string {
  return `${createdAt} ${id}`;
}

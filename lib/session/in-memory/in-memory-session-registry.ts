import {
  DeletionConflictError,
  SessionArchivedError,
  SessionExistsError,
  SessionExpiredError,
  SessionNotFoundError,
} from "../errors";
import type { Usage } from "../events";
import { assertConsistent } from "../portable/assert-consistent";
import type { ExportedSession, SessionRecordOf } from "../portable/session-records";
import { treeOf, treeRecords } from "../portable/tree-records";
import { queryWith, type SearchQuery, searchLimit } from "../search/query";
import {
  type SearchHit,
  type SearchOptions,
  type SessionMatch,
  sessionMatches,
} from "../search/search-hits";
import type {
  ChangedSession,
  CreateSessionOptions,
  DeleteOptions,
  ForkOptions,
  ListSessionsOptions,
  MessagesOptions,
  SessionChanges,
  SessionInfo,
  SessionPage,
  SessionRegistry,
} from "../session-store";
import { assertId } from "../stored-body";
import { forkTree } from "../tree/fork";
import { matchesIn, ranked } from "../tree/search-tree";
import { emptyTree, type SessionTree } from "../tree/session-tree";
import {
  bySessionOrder,
  cursorOf,
  expiryAfter,
  hasExpired,
  isAfterCursor,
  renewed,
  type SessionRow,
  toSessionInfo,
} from "./session-row";

const defaultPageSize = 100;
const maxPageSize = 500;

/** A session's memory, and records kept for the next export alone. */
export type PortableMemory = Pick<ExportedSession, "blocks" | "documents" | "answers"> &
  Pick<SessionRecordOf<"session">, "frozenPrompt" | "frozenVersions">;

interface InMemorySessionRegistryOptions {
  readonly onFork: (sourceId: string, forkId: string) => void;
  readonly exportMemory: (sessionId: string) => Promise<PortableMemory>;
  readonly importMemory: (sessionId: string, memory: PortableMemory) => void;
  readonly onPurge: (sessionId: string) => void;
}

export class InMemorySessionRegistry implements SessionRegistry {
  readonly #rows = new Map<string, SessionRow>();
  readonly #deletions = new Map<string, string>();
  readonly #deletedBy = new Map<string, string>();
  #activity = 0;

  readonly #options: InMemorySessionRegistryOptions;

  /** @internal */
  constructor(options: InMemorySessionRegistryOptions) {
    this.#options = options;
  }

  async create(name: string, options: CreateSessionOptions = {}): Promise<ChangedSession> {
    if (options.id !== undefined) assertId(options.id, "session");
    const known = options.id === undefined ? undefined : this.#rows.get(options.id);
    if (known && !known.deletedAt && hasExpired(known))
      throw new SessionExpiredError(known.info.id);
    if (known?.deletedAt) throw new SessionExistsError(known.info.id);
    const row = known ?? this.#insert(name, options, emptyTree());
    return { ...toSessionInfo(row), changed: !known };
  }

  async get(sessionId: string): Promise<SessionInfo | null> {
    const row = this.row(sessionId);
    return row && toSessionInfo(row);
  }

  async list({
    limit = defaultPageSize,
    cursor,
    archived = false,
    tag,
    parentSessionId,
    program,
  }: ListSessionsOptions = {}): Promise<SessionPage> {
    const rows = this.#present()
      .filter(({ info }) => (info.archivedAt !== null) === archived)
      .filter(({ info }) => tag === undefined || info.tags.includes(tag))
      .filter(({ info }) => (parentSessionId ?? info.parentSessionId) === info.parentSessionId)
      .filter(({ info }) => program === undefined || isListedUnder(info, program))
      .filter((row) => cursor === undefined || isAfterCursor(row, cursor))
      .sort(bySessionOrder);
    const page = rows.slice(0, Math.min(limit, maxPageSize));
    const last = page.at(-1);
    const nextCursor = last && page.length < rows.length ? cursorOf(last) : null;
    return { sessions: page.map(toSessionInfo), nextCursor };
  }

  async update(sessionId: string, changes: SessionChanges): Promise<SessionInfo> {
    const row = this.#require(sessionId);
    const info = { ...row.info, ...changedInfo(row, changes) };
    return toSessionInfo(this.#replace(renewed({ ...row, info })));
  }

  async delete(
    sessionId: string,
    { permanently = false, deletionId }: DeleteOptions = {},
  ): Promise<boolean> {
    const row = this.#rows.get(sessionId);
    if (!row) return false;
    if (deletionId !== undefined && !permanently && !this.#isNew(deletionId, sessionId))
      return false;
    if (row.deletedAt && !permanently) return false;
    if (permanently) this.#purge(row);
    else {
      this.#replace({ ...row, deletedAt: new Date() });
      this.#deletedBy.set(sessionId, deletionId ?? "");
    }
    return true;
  }

  #isNew(deletionId: string, sessionId: string): boolean {
    assertId(deletionId, "deletion");
    const noted = this.#deletions.get(deletionId);
    if (noted !== undefined && noted !== sessionId) throw new DeletionConflictError(deletionId);
    this.#deletions.set(deletionId, sessionId);
    return noted === undefined;
  }

  async purge(olderThanMs: number): Promise<string[]> {
    const latest = Date.now() - olderThanMs;
    const old = [...this.#rows.values()].filter(({ deletedAt, info }) => {
      const goneAt = deletedAt ?? info.expiresAt;
      return goneAt !== null && goneAt.getTime() <= latest;
    });
    for (const row of old) this.#purge(row);
    return old.map(({ info }) => info.id);
  }

  async restore(sessionId: string, deletionId?: string): Promise<ChangedSession> {
    const row = this.#rows.get(sessionId);
    if (!row) throw new SessionNotFoundError(sessionId);
    const isMeant = deletionId === undefined || this.#deletedBy.get(sessionId) === deletionId;
    const changed = row.deletedAt !== null && isMeant;
    if (changed) this.#replace(renewed({ ...row, deletedAt: null }));
    return { ...toSessionInfo(this.#require(sessionId)), changed };
  }

  async expire(idleMs: number): Promise<string[]> {
    const latest = Date.now() - idleMs;
    const idle = this.#present()
      .filter(({ info }) => info.pinnedAt === null && info.updatedAt.getTime() < latest)
      .filter(({ info }) => !this.#deletedBy.has(info.id))
      .map(({ info }) => info.id);
    for (const id of idle) await this.delete(id);
    return idle;
  }

  async fork(
    sessionId: string,
    atMessageId: string,
    name: string,
    options: ForkOptions = {},
  ): Promise<ChangedSession> {
    if (options.id !== undefined) assertId(options.id, "session");
    const source = this.#require(sessionId);
    const known = this.row(options.id ?? "")?.info;
    if (known?.parentSessionId === sessionId && known.forkedAtMessageId === atMessageId) {
      return { ...toSessionInfo(this.#require(known.id)), changed: false };
    }
    const tree = forkTree(source.tree, atMessageId, options);
    const { model, source: origin, tags, metadata } = source.info;
    const about = { id: options.id, parentSessionId: sessionId, tags, metadata };
    const fork = this.#insert(name, about, tree);
    this.#options.onFork(sessionId, fork.info.id);
    const lineage = { model, source: origin, forkedAtMessageId: atMessageId };
    const forked = this.#replace({ ...fork, info: { ...fork.info, ...lineage } });
    return { ...toSessionInfo(forked), changed: true };
  }

  async forks(sessionId: string): Promise<SessionInfo[]> {
    this.#require(sessionId);
    return this.#present()
      .filter(({ info }) => info.parentSessionId === sessionId && info.forkedAtMessageId !== null)
      .map(toSessionInfo);
  }

  async addUsage(sessionId: string, usage: Usage): Promise<void> {
    const row = this.#require(sessionId);
    const inputTokens = row.info.inputTokens + usage.inputTokens;
    const outputTokens = row.info.outputTokens + usage.outputTokens;
    const cost = row.info.cost + usage.cost;
    this.#replace(renewed({ ...row, info: { ...row.info, inputTokens, outputTokens, cost } }));
    this.touch(sessionId);
  }

  async export(sessionId: string): Promise<ExportedSession> {
    const { documents, blocks, answers, ...frozen } = await this.#options.exportMemory(sessionId);
    const { info, tree } = this.#require(sessionId);
    const { messages, compactions, skills, ...marks } = treeRecords(tree);
    const { expiresAfterMs: _, expiresAt: __, ...kept } = info;
    const { name: title, tags, createdAt, updatedAt, pinnedAt, archivedAt, ...rest } = kept;
    const session: SessionRecordOf<"session"> = {
      type: "session",
      ...rest,
      ...marks,
      ...frozen,
      title,
      tags: [...tags],
      pinnedAt: pinnedAt?.toISOString() ?? null,
      archivedAt: archivedAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
    return { session, messages, compactions, skills, blocks, documents, answers };
  }

  async import(exported: ExportedSession): Promise<ChangedSession> {
    assertConsistent(exported);
    const { session, blocks, documents, answers } = exported;
    this.assertOpen(session.id);
    if (this.row(session.id)) throw new SessionExistsError(session.id);
    this.#options.onPurge(session.id);
    const { type: _, activeLeafId: _leaf, leafIds, skillsBefore, ...record } = session;
    const { frozenPrompt, frozenVersions, title: name, pinnedAt, archivedAt, ...rest } = record;
    const info = {
      ...rest,
      name,
      pinnedAt: pinnedAt === null ? null : new Date(pinnedAt),
      archivedAt: archivedAt === null ? null : new Date(archivedAt),
      expiresAfterMs: null,
      expiresAt: null,
      createdAt: new Date(session.createdAt),
      updatedAt: new Date(session.updatedAt),
    };
    const tree = treeOf(exported);
    const row = this.#replace({ info, tree, activity: ++this.#activity, deletedAt: null });
    const memory = { blocks, documents, answers, frozenPrompt, frozenVersions };
    this.#options.importMemory(session.id, memory);
    return { ...toSessionInfo(row), changed: true };
  }

  async search(line: string | SearchQuery, options: SearchOptions = {}): Promise<SearchHit[]> {
    return this.#ranked(line, options).slice(0, searchLimit(options));
  }

  async searchSessions(
    line: string | SearchQuery,
    options: SearchOptions = {},
  ): Promise<SessionMatch[]> {
    return sessionMatches(this.#ranked(line, options), searchLimit(options));
  }

  #ranked(line: string | SearchQuery, options: SearchOptions): SearchHit[] {
    const query = queryWith(line, options);
    const found = this.#present()
      .filter(({ info }) => query.sessionId === undefined || info.id === query.sessionId)
      .filter(({ info }) => query.sessionId !== undefined || isSearched(info, query.program))
      .filter(({ info }) => query.tag === undefined || info.tags.includes(query.tag))
      .flatMap((row) => this.#matchesOf(row, query));
    return ranked(query, found);
  }

  /** @internal */
  row(sessionId: string): SessionRow | null {
    const row = this.#rows.get(sessionId);
    return row && !row.deletedAt && !hasExpired(row) ? row : null;
  }

  assertOpen(sessionId: string): void {
    const row = this.#rows.get(sessionId);
    if (row && !row.deletedAt && hasExpired(row)) throw new SessionExpiredError(sessionId);
  }

  renew(sessionId: string): void {
    this.assertOpen(sessionId);
    const row = this.row(sessionId);
    if (row) this.#replace(renewed(row));
  }

  /** @internal */
  writableTree(sessionId: string, { refusesArchived = false }: MessagesOptions = {}): SessionTree {
    const { info, tree } = this.#require(sessionId);
    if (refusesArchived && info.archivedAt) throw new SessionArchivedError(sessionId);
    this.renew(sessionId);
    return tree;
  }

  touch(sessionId: string): void {
    const row = this.#require(sessionId);
    const info = { ...row.info, updatedAt: new Date() };
    this.#deletedBy.delete(sessionId);
    this.#replace({ ...row, info, activity: ++this.#activity });
  }

  #matchesOf({ info, tree }: SessionRow, query: SearchQuery): ReturnType<typeof matchesIn> {
    const session = { sessionId: info.id, sessionTitle: info.name };
    return matchesIn(tree, session, query).filter(({ candidate: { id } }) => {
      const writtenIn = tree.records.get(id)?.writtenIn ?? info.id;
      return query.sessionId !== undefined || writtenIn === info.id || !this.row(writtenIn);
    });
  }

  #present(): SessionRow[] {
    return [...this.#rows.values()].filter((row) => !row.deletedAt && !hasExpired(row));
  }

  #purge({ info: { id, parentSessionId } }: SessionRow): void {
    this.#rows.delete(id);
    this.#options.onPurge(id);
    for (const [deletionId, gone] of this.#deletions)
      if (gone === id) this.#deletions.delete(deletionId);
    for (const row of this.#rows.values()) {
      if (row.info.parentSessionId !== id) continue;
      this.#replace({ ...row, info: { ...row.info, parentSessionId } });
    }
  }

  #require(sessionId: string): SessionRow {
    this.assertOpen(sessionId);
    const row = this.row(sessionId);
    if (!row) throw new SessionNotFoundError(sessionId);
    return row;
  }

  #insert(name: string, options: CreateSessionOptions, tree: SessionTree): SessionRow {
    const id = options.id ?? crypto.randomUUID();
    if (this.#rows.has(id)) throw new SessionExistsError(id);
    const info = newInfo(id, name, options);
    return this.#replace({ info, tree, activity: ++this.#activity, deletedAt: null });
  }

  #replace(row: SessionRow): SessionRow {
    this.#rows.set(row.info.id, row);
    return row;
  }
}

function newInfo(id: string, name: string, options: CreateSessionOptions): SessionRow["info"] {
  const now = new Date();
  return {
    id,
    name,
    parentSessionId: options.parentSessionId ?? null,
    forkedAtMessageId: null,
    model: options.model ?? null,
    source: options.source ?? null,
    tags: [...(options.tags ?? [])],
    metadata: { ...options.metadata },
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
    pinnedAt: null,
    archivedAt: null,
    expiresAfterMs: options.expiresAfterMs ?? null,
    expiresAt: expiryAfter(options.expiresAfterMs ?? null),
    createdAt: now,
    updatedAt: now,
  };
}

function changedInfo({ info }: SessionRow, changes: SessionChanges): Partial<SessionRow["info"]> {
  const metadata = Object.entries(changes.metadata ?? {}).filter(
    ([, value]) => value !== undefined,
  );
  return {
    name: changes.name ?? info.name,
    model: changes.model === undefined ? info.model : changes.model,
    tags: changes.tags ?? info.tags,
    metadata: { ...info.metadata, ...Object.fromEntries(metadata) },
    pinnedAt: dateFor(changes.pinned, info.pinnedAt),
    archivedAt: dateFor(changes.archived, info.archivedAt),
    expiresAfterMs:
      changes.expiresAfterMs === undefined ? info.expiresAfterMs : changes.expiresAfterMs,
  };
}

function dateFor(flag: boolean | undefined, before: Date | null): Date | null {
  if (flag === undefined) return before;
  return flag ? (before ?? new Date()) : null;
}

type Listed = Pick<SessionInfo, "metadata" | "pinnedAt" | "parentSessionId">;

function begunBy({ metadata }: Listed): { keyId?: unknown; name?: unknown; log?: unknown } {
  return (metadata.program ?? {}) as { keyId?: unknown; name?: unknown; log?: unknown };
}

function isListedUnder(info: Listed, program: string | null): boolean {
  const { keyId } = begunBy(info);
  if (program !== null) return keyId === program;
  return typeof keyId !== "string" || info.pinnedAt !== null || info.parentSessionId !== null;
}

function isSearched(info: Listed, program: string | undefined): boolean {
  if (program === undefined) return !isLog(info);
  const { keyId, name } = begunBy(info);
  return keyId !== undefined && String(name).toLowerCase() === program.toLowerCase();
}

function isLog(info: Listed): boolean {
  return begunBy(info).log === true && info.pinnedAt === null && info.parentSessionId === null;
}

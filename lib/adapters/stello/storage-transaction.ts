import type { ListRecordsOptions, Message, SessionMeta, SessionStorage } from "./types";

export type TextBlock = "system_prompt" | "insight" | "memory";

interface Text {
  readonly content: string | null;
  readonly version?: number | undefined;
}

export type ReadText = (sessionId: string, label: TextBlock) => Promise<Text>;

interface TextChange {
  readonly sessionId: string;
  readonly label: TextBlock;
  readonly content: string;
  /** `undefined` when the transaction wrote without reading. */
  readonly expectedVersion: number | undefined;
}

export interface Changes {
  readonly sessions: ReadonlyMap<string, SessionMeta>;
  readonly absent: ReadonlySet<string>;
  readonly records: ReadonlyMap<string, readonly Message[]>;
  readonly trims: ReadonlyMap<string, number>;
  readonly texts: readonly TextChange[];
}

/** Collects writes, and reads as if they were made. */
export class StorageTransaction implements SessionStorage {
  readonly #storage: SessionStorage;
  readonly #readText: ReadText;
  readonly #sessions = new Map<string, SessionMeta>();
  readonly #absent = new Set<string>();
  readonly #records = new Map<string, Message[]>();
  readonly #trims = new Map<string, number>();
  readonly #texts = new Map<string, TextChange>();
  readonly #versions = new Map<string, number | undefined>();

  constructor(storage: SessionStorage, readText: ReadText) {
    this.#storage = storage;
    this.#readText = readText;
  }

  get changes(): Changes {
    const texts = [...this.#texts.values()];
    return {
      ...{ sessions: this.#sessions, absent: this.#absent },
      ...{ records: this.#records, trims: this.#trims, texts },
    };
  }

  async getSession(id: string): Promise<SessionMeta | null> {
    const session = this.#sessions.get(id) ?? (await this.#storage.getSession(id));
    if (!session) this.#absent.add(id);
    return session;
  }

  async putSession(session: SessionMeta): Promise<void> {
    this.#sessions.set(session.id, { ...session });
  }

  async appendRecord(sessionId: string, record: Message): Promise<void> {
    const added = this.#records.get(sessionId) ?? [];
    this.#records.set(sessionId, [...added, { ...record }]);
    const keep = this.#trims.get(sessionId);
    if (keep !== undefined) this.#trims.set(sessionId, keep + 1);
  }

  async listRecords(
    sessionId: string,
    { limit = Number.POSITIVE_INFINITY, offset = 0, role }: ListRecordsOptions = {},
  ): Promise<Message[]> {
    const stored = await this.#storage.listRecords(sessionId);
    const all = [...stored, ...(this.#records.get(sessionId) ?? [])];
    const kept = all.slice(Math.max(0, all.length - (this.#trims.get(sessionId) ?? all.length)));
    const wanted = role === undefined ? kept : kept.filter((each) => each.role === role);
    return wanted.slice(offset, offset + limit);
  }

  async trimRecords(sessionId: string, keepRecent: number): Promise<void> {
    const before = this.#trims.get(sessionId) ?? Number.POSITIVE_INFINITY;
    this.#trims.set(sessionId, Math.min(before, keepRecent));
  }

  async getSystemPrompt(sessionId: string): Promise<string | null> {
    return this.#text(sessionId, "system_prompt");
  }

  async putSystemPrompt(sessionId: string, content: string): Promise<void> {
    this.#setText(sessionId, "system_prompt", content);
  }

  async getInsight(sessionId: string): Promise<string | null> {
    return this.#text(sessionId, "insight");
  }

  async putInsight(sessionId: string, content: string): Promise<void> {
    this.#setText(sessionId, "insight", content);
  }

  async clearInsight(sessionId: string): Promise<void> {
    this.#setText(sessionId, "insight", "");
  }

  async getMemory(sessionId: string): Promise<string | null> {
    return this.#text(sessionId, "memory");
  }

  async putMemory(sessionId: string, content: string): Promise<void> {
    this.#setText(sessionId, "memory", content);
  }

  async transaction<T>(fn: (tx: SessionStorage) => Promise<T>): Promise<T> {
    return fn(this);
  }

  async #text(sessionId: string, label: TextBlock): Promise<string | null> {
    const key = keyOf(sessionId, label);
    const written = this.#texts.get(key);
    if (written) return written.content || null;
    const { content, version } = await this.#readText(sessionId, label);
    if (!this.#versions.has(key)) this.#versions.set(key, version);
    return content || null;
  }

  #setText(sessionId: string, label: TextBlock, content: string): void {
    const key = keyOf(sessionId, label);
    const expectedVersion = this.#versions.get(key);
    this.#texts.set(key, { sessionId, label, content, expectedVersion });
  }
}

function keyOf(sessionId: string, label: TextBlock): string {
  return JSON.stringify([sessionId, label]);
}

import type postgres from "postgres";
import { type ContextEntry, parseQuery, type WriteOptions } from "../../session";
import {
  type BlockKind,
  type DeleteEntryOptions,
  indexedEntries,
  type LoadableEntries,
  type SearchableEntries,
  snippet,
  toTsquery,
} from "../../session/internal";
import type { DocumentVersion, FoundEntries, VersionedContextProvider } from "../../session/ports";
import { readableStatements } from "../connect";
import type { Sql } from "../connections/sql";
import { Documents, entryOf, type OwnedBlockRef } from "./documents";

const resultLimit = 10;
const resultChars = 1_000;

/** Text of an owner or of one session, with all its versions. */
export class PostgresContextProvider implements VersionedContextProvider {
  readonly #documents: Documents;

  constructor(pool: Sql | postgres.Sql, ref: OwnedBlockRef) {
    this.#documents = new Documents(readableStatements(pool), ref, "writable");
  }

  async get(): Promise<string | null> {
    return (await this.#documents.read(""))?.content ?? null;
  }

  async read(): Promise<{ content: string; version: number }> {
    const row = await this.#documents.read("");
    return { content: row?.content ?? "", version: row?.version ?? 0 };
  }

  async set(content: string, options?: WriteOptions): Promise<void> {
    await this.#documents.write("", { content }, options);
  }

  versions({ limit }: { limit?: number } = {}): Promise<DocumentVersion[]> {
    return this.#documents.versions("", limit);
  }
}

abstract class PostgresEntries {
  readonly #documents: Documents;

  constructor(pool: Sql | postgres.Sql, ref: OwnedBlockRef, kind: BlockKind) {
    this.#documents = new Documents(readableStatements(pool), ref, kind);
  }

  /** Description and title stay unless given; an empty description clears it. */
  async set(
    key: string,
    content: string,
    description?: string,
    options?: WriteOptions,
  ): Promise<void> {
    await this.#documents.write(key, { content, title: options?.title, description }, options);
  }

  write(
    key: string,
    entry: { title: string; content: string; description?: string | undefined },
    options?: WriteOptions,
  ): Promise<number> {
    return this.#documents.write(key, entry, options);
  }

  entries({ limit = 1_000 }: { limit?: number } = {}): Promise<ContextEntry[]> {
    return this.#documents.entries(limit);
  }

  count(): Promise<number> {
    return this.#documents.count();
  }

  async entry(key: string): Promise<ContextEntry | null> {
    const row = key === "" ? undefined : await this.#documents.read(key);
    return row && row.content !== null ? entryOf(row) : null;
  }

  delete(key: string, options?: DeleteEntryOptions): Promise<boolean | null> {
    return this.#documents.delete(key, options);
  }

  restoreDeleted(
    deletionId: string,
    options?: Pick<WriteOptions, "provenance">,
  ): Promise<"restored" | "repeated" | "taken"> {
    return this.#documents.restoreDeleted(deletionId, options);
  }

  async remove(key: string, options?: WriteOptions): Promise<boolean> {
    if (!(await this.entry(key))) return false;
    await this.#documents.write(key, { content: null }, options);
    return true;
  }

  entryVersions(key: string, { limit }: { limit?: number } = {}): Promise<DocumentVersion[]> {
    return this.#documents.versions(key, limit);
  }

  protected matching(words: string, limit: number): Promise<ContextEntry[]> {
    return this.#documents.search(words, limit);
  }

  // Spelled out: the row's own type would bring Drizzle into the package's declarations.
  protected heads(): Promise<{ key: string; description: string | null }[]> {
    return this.#documents.heads();
  }
}

/** Entries that the model finds by searching, with all their versions. */
export class PostgresSearchProvider extends PostgresEntries implements SearchableEntries {
  constructor(pool: Sql | postgres.Sql, ref: OwnedBlockRef) {
    super(pool, ref, "searchable");
  }

  async get(): Promise<string | null> {
    return indexedEntries(await this.count());
  }

  async search(query: string): Promise<string | null> {
    return (await this.searchEntries(query))?.text ?? null;
  }

  async searchEntries(query: string): Promise<FoundEntries | null> {
    const entries = await this.find(query);
    if (entries.length === 0) return null;
    const parsed = parseQuery(query);
    const texts = entries.map(
      ({ title, content }) =>
        `[${title}]\n${snippet(content, parsed, { maxChars: resultChars }).text}`,
    );
    return { text: texts.join("\n\n"), keys: entries.map(({ key }) => key) };
  }

  async find(query: string, limit = resultLimit): Promise<ContextEntry[]> {
    const words = toTsquery(parseQuery(query));
    return words === null ? [] : this.matching(words, limit);
  }
}

/** Documents that the model loads whole, with all their versions. */
export class PostgresSkillProvider extends PostgresEntries implements LoadableEntries {
  constructor(pool: Sql | postgres.Sql, ref: OwnedBlockRef) {
    super(pool, ref, "loadable");
  }

  /** `- key: description` per line; `null` without skills. */
  async get(): Promise<string | null> {
    const heads = await this.heads();
    if (heads.length === 0) return null;
    return heads
      .map(({ key, description }) => `- ${key}${description ? `: ${description}` : ""}`)
      .join("\n");
  }

  async load(key: string): Promise<string | null> {
    return (await this.entry(key))?.content ?? null;
  }
}

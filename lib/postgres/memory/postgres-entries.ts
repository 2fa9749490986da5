import type { Sql } from "postgres";
import type { ContextEntry, DocumentVersion, EntryProvider, WriteOptions } from "@/lib/session";
import {
  type BlockLocation,
  documentKey,
  entryFromRow,
  saveDocument,
  versionsOf,
} from "./document-store";
import { countEntries, type DocumentKey, listEntries, readDocument } from "./documents";

/** The keyed entries of a block: what skill and search providers share. */
export class PostgresEntries implements EntryProvider {
  protected readonly sql: Sql;
  protected readonly location: BlockLocation;

  constructor(sql: Sql, location: BlockLocation) {
    this.sql = sql;
    this.location = location;
  }

  /** Writes one entry; a description, and a title in the options, replace the earlier ones when given. */
  async set(
    key: string,
    content: string,
    description?: string,
    options?: WriteOptions,
  ): Promise<void> {
    const { title } = options ?? {};
    await saveDocument(this.sql, this.#key(key), { content, title, description }, options);
  }

  /** Writes one entry with a title of its own. */
  async write(
    key: string,
    entry: { title: string; content: string; description?: string | undefined },
    options?: WriteOptions,
  ): Promise<number> {
    return saveDocument(this.sql, this.#key(key), entry, options);
  }

  async entries({ limit = 1_000 }: { limit?: number } = {}): Promise<ContextEntry[]> {
    const rows = await listEntries(this.sql, { ...documentKey(this.location), limit });
    return rows.map(entryFromRow);
  }

  async count(): Promise<number> {
    return countEntries(this.sql, documentKey(this.location));
  }

  async entry(key: string): Promise<ContextEntry | null> {
    // No key is empty or holds U+0000, which Postgres would refuse to look for.
    const isPossible = key !== "" && !key.includes("\0");
    const row = isPossible ? await readDocument(this.sql, this.#key(key)) : undefined;
    return row && row.content !== null ? entryFromRow(row) : null;
  }

  async remove(key: string, options?: WriteOptions): Promise<boolean> {
    if (!(await this.entry(key))) return false;
    await saveDocument(this.sql, this.#key(key), { content: null }, options);
    return true;
  }

  entryVersions(key: string, { limit }: { limit?: number } = {}): Promise<DocumentVersion[]> {
    return versionsOf(this.sql, this.#key(key), limit);
  }

  #key(key: string): DocumentKey {
    return documentKey(this.location, key);
  }
}

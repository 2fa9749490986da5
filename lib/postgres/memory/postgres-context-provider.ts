import type { Sql } from "postgres";
import type { DocumentVersion, VersionedContextProvider, WriteOptions } from "@/lib/session";
import { type BlockLocation, documentKey, saveDocument, versionsOf } from "./document-store";
import { type DocumentKey, readDocument } from "./documents";

/** A writable block in Postgres that keeps every version. */
export class PostgresContextProvider implements VersionedContextProvider {
  readonly #sql: Sql;
  readonly #key: DocumentKey;

  constructor(sql: Sql, location: BlockLocation) {
    this.#sql = sql;
    this.#key = documentKey(location);
  }

  /** `null` before the first write. */
  async get(): Promise<string | null> {
    return (await readDocument(this.#sql, this.#key))?.content ?? null;
  }

  async read(): Promise<{ content: string; version: number }> {
    const row = await readDocument(this.#sql, this.#key);
    return { content: row?.content ?? "", version: row?.version ?? 0 };
  }

  async set(content: string, options?: WriteOptions): Promise<void> {
    await saveDocument(this.#sql, this.#key, { content }, options);
  }

  versions({ limit }: { limit?: number } = {}): Promise<DocumentVersion[]> {
    return versionsOf(this.#sql, this.#key, limit);
  }
}

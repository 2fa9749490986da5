import { createReadStream } from "node:fs";
import { and, asc, eq, sql as expression, gte, inArray, lte } from "drizzle-orm";
import { storableText, toTsvector } from "../../session/internal";
import type { Sql } from "../connections/sql";
import { drizzleOn } from "../drizzle-on";
import { chatFile, chatFileChunk, chatFilePage } from "../schema";
import { knowledgeBlock } from "./knowledge-files";

const chunkBytes = 512 * 1_024;
const pagesAtOnce = 20;

export interface StoredFile {
  /** Lowercase hexadecimal. */
  readonly sha256: string;
  readonly size: number;
  readonly mediaType: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface FilePage {
  readonly page: number;
  /** A sheet's or slide's title; may be empty. */
  readonly title: string;
  readonly text: string;
}

export interface FileContent {
  readonly facts: StoredFile["facts"];
  readonly pages: readonly FilePage[];
}

export interface ObjectPlace {
  /** Stores the local file at `path`, whole or not at all. */
  upload(name: string, path: string, options: { readonly type: string }): Promise<void>;
  /** @throws when the object is missing or the place cannot be reached. */
  chunks(name: string): AsyncIterable<Uint8Array>;
}

/** `removeUnusedFiles` deletes files, each of which is kept once by the hash of its bytes. */
export class PostgresFiles {
  readonly #sql: Sql;
  readonly #owner: string;
  readonly #place: ObjectPlace | null;

  /** With a `place`, bytes of new files go there; earlier ones stay where they are. */
  constructor(sql: Sql, ownerId: string, { place }: { place?: ObjectPlace | undefined } = {}) {
    this.#sql = sql;
    this.#owner = ownerId;
    this.#place = place ?? null;
  }

  /** Takes a hash, or at least twelve of its first digits. `null`: no such file, one still arriving, or several. */
  async get(sha256: string): Promise<StoredFile | null> {
    if (sha256.length < 12) return null;
    const isWhole = sha256.length === 64;
    const [file, another] = await drizzleOn(this.#sql)
      .select(fileColumns)
      .from(chatFile)
      .where(
        and(
          eq(chatFile.ownerId, this.#owner),
          isWhole
            ? eq(chatFile.sha256, sha256)
            : expression`starts_with(${chatFile.sha256}, ${sha256})`,
          eq(chatFile.complete, true),
        ),
      )
      .limit(2);
    return another ? null : (file ?? null);
  }

  /** Takes hashes, or at least twelve of their first digits. @returns files with the same twelve, in no order. */
  named(ids: readonly string[]): Promise<StoredFile[]> {
    const digits = ids.filter(({ length }) => length >= 12).map((id) => id.slice(0, 12));
    return drizzleOn(this.#sql)
      .select(fileColumns)
      .from(chatFile)
      .where(
        and(
          eq(chatFile.ownerId, this.#owner),
          inArray(expression`left(${chatFile.sha256}, 12)`, digits),
          eq(chatFile.complete, true),
        ),
      );
  }

  /** @returns the stored ones, in no order. */
  list(hashes: readonly string[]): Promise<StoredFile[]> {
    return drizzleOn(this.#sql).select(fileColumns).from(chatFile).where(this.#among(hashes));
  }

  /** Keeps files for a message that is about to name them. @returns the stored ones, in no order. */
  async touch(hashes: readonly string[]): Promise<StoredFile[]> {
    if (hashes.length === 0) return [];
    return drizzleOn(this.#sql)
      .update(chatFile)
      .set({ touchedAt: expression`now()` })
      .where(this.#among(hashes))
      .returning(fileColumns);
  }

  /**
   * Stores the bytes of a local file. A failure leaves nothing readable; the same file twice, or at the same moment, is
   * stored once. Its content may be read meanwhile. @throws {StorageFullError} when the owner has a limit, and this
   * file would exceed it.
   */
  async add(
    file: Omit<StoredFile, "facts">,
    {
      path,
      content,
    }: { readonly path: string; readonly content: () => FileContent | Promise<FileContent> },
  ): Promise<StoredFile> {
    const { sha256, size, mediaType } = file;
    const [full] = await this.#sql<{ used: number; allowed: number }[]>`
      select used::float8, allowed::float8
      from chat_reserve_file(${this.#owner}, ${sha256}, ${size}, ${mediaType})`;
    if (full) throw new StorageFullError({ ...full, size });
    const [row] = await drizzleOn(this.#sql)
      .select({ ...fileColumns, complete: chatFile.complete })
      .from(chatFile)
      .where(this.#is(sha256));
    if (row?.complete) return { ...file, mediaType: row.mediaType, facts: row.facts };
    const [object, { facts, pages }] = await Promise.all([this.#store(file, path), content()]);
    await this.#addPages(sha256, pages);
    await drizzleOn(this.#sql)
      .update(chatFile)
      .set({ complete: true, mediaType, facts, object, touchedAt: expression`now()` })
      .where(this.#is(sha256));
    return { ...file, facts };
  }

  /** `allowed` is `null` without a limit. Both count bytes. */
  async storage(): Promise<{ used: number; allowed: number | null }> {
    const [row] = await this.#sql<{ used: number; allowed: number | null }[]>`
      select
        case when limited.bytes is null then chat_stored_bytes(${this.#owner}) else chat_counted_bytes(${this.#owner}) end::float8
          as used,
        limited.bytes::float8 as allowed
      from chat_storage_limit(${this.#owner}) limited (bytes)`;
    return row ?? { used: 0, allowed: null };
  }

  async setContent(sha256: string, { facts, pages }: FileContent): Promise<void> {
    await this.#addPages(sha256, pages);
    await drizzleOn(this.#sql).update(chatFile).set({ facts }).where(this.#is(sha256));
  }

  /** `null` for an unknown file. @throws while reading, when its bucket does not answer. */
  async chunks(sha256: string): Promise<AsyncIterable<Uint8Array> | null> {
    const [row] = await drizzleOn(this.#sql)
      .select({ object: chatFile.object })
      .from(chatFile)
      .where(and(this.#is(sha256), eq(chatFile.complete, true)));
    if (!row) return null;
    if (row.object === null) return this.#storedChunks(sha256);
    if (!this.#place) throw new MissingBucketError();
    return this.#place.chunks(row.object);
  }

  pages(
    sha256: string,
    { from = 1, to }: { from?: number; to?: number } = {},
  ): Promise<FilePage[]> {
    return drizzleOn(this.#sql)
      .select({ page: chatFilePage.page, title: chatFilePage.title, text: chatFilePage.text })
      .from(chatFilePage)
      .where(
        and(
          eq(chatFilePage.ownerId, this.#owner),
          eq(chatFilePage.sha256, sha256),
          gte(chatFilePage.page, from),
          to === undefined ? undefined : lte(chatFilePage.page, to),
        ),
      )
      .orderBy(asc(chatFilePage.page));
  }

  #among(hashes: readonly string[]) {
    return and(
      eq(chatFile.ownerId, this.#owner),
      inArray(chatFile.sha256, [...hashes]),
      eq(chatFile.complete, true),
    );
  }

  #is(sha256: string) {
    return and(eq(chatFile.ownerId, this.#owner), eq(chatFile.sha256, sha256));
  }

  /** @returns the name of its object, `null` for bytes in the database. */
  async #store(
    { sha256, mediaType }: Omit<StoredFile, "facts">,
    path: string,
  ): Promise<string | null> {
    if (this.#place) {
      // A name of its own for each upload: one that is being removed is never the one in use.
      const name = `files/${sha256}-${crypto.randomUUID()}`;
      await this.#place.upload(name, path, { type: mediaType });
      return name;
    }
    let n = 0;
    for await (const bytes of createReadStream(path, { highWaterMark: chunkBytes })) {
      await this.#sql`
        insert into chat_file_chunk (owner_id, sha256, n, bytes)
        values (${this.#owner}, ${sha256}, ${n}, ${bytes as Buffer})
        on conflict do nothing`;
      n++;
    }
    return null;
  }

  async *#storedChunks(sha256: string): AsyncGenerator<Uint8Array> {
    for (let n = 0; ; n++) {
      const [row] = await drizzleOn(this.#sql)
        .select({ bytes: chatFileChunk.bytes })
        .from(chatFileChunk)
        .where(
          and(
            eq(chatFileChunk.ownerId, this.#owner),
            eq(chatFileChunk.sha256, sha256),
            eq(chatFileChunk.n, n),
          ),
        );
      if (!row) return;
      yield row.bytes;
    }
  }

  async #addPages(sha256: string, pages: readonly FilePage[]): Promise<void> {
    for (let from = 0; from < pages.length; from += pagesAtOnce) {
      const rows = pages.slice(from, from + pagesAtOnce).map(({ page, title, text }) => ({
        ownerId: this.#owner,
        sha256,
        page,
        title: storableText(title),
        text: storableText(text),
        tsv: expression`${toTsvector(text)}::tsvector`,
      }));
      await drizzleOn(this.#sql).insert(chatFilePage).values(rows).onConflictDoNothing();
    }
  }
}

const fileColumns = {
  sha256: chatFile.sha256,
  size: chatFile.size,
  mediaType: chatFile.mediaType,
  facts: chatFile.facts,
};

interface FullStorage {
  readonly used: number;
  readonly allowed: number;
  readonly size: number;
}

/** Thrown when a file would exceed what its owner may store. */
export class StorageFullError extends Error {
  override readonly name = "StorageFullError";

  constructor({ used, allowed, size }: FullStorage) {
    super(
      `Your files use ${megabytes(used)} of the ${megabytes(allowed)} that you may store, so this file of ${megabytes(size)} does not fit. Delete chats with large files, then delete them for good in Settings, Data, Recently deleted: their space is free within a week. Or ask an administrator for more.`,
    );
  }
}

/** Never rounded to a size that would fit. */
function megabytes(bytes: number): string {
  const tenths = Math.ceil(bytes / 100_000) / 10;
  return `${tenths.toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
}

/** The bytes are in a bucket, and none is configured. */
export class MissingBucketError extends Error {
  override readonly name = "MissingBucketError";

  constructor() {
    super("This file is in a bucket, and no bucket is configured for files.");
  }
}

/**
 * Touches files in use as well, so that each is looked up once in `unusedMs`. A sender touches a file first, so it is
 * safe beside senders. @returns how many files were old.
 */
export async function removeUnusedFiles(
  sql: Sql,
  { unusedMs, most }: { unusedMs: number; most: number },
): Promise<number> {
  const [row] = await sql<{ old: number }[]>`
    with old as (
      select file.owner_id, file.sha256 from chat_file file
      where file.touched_at <= now() - ${unusedMs}::float8 * interval '1 millisecond'
      order by file.touched_at, file.owner_id, file.sha256
      limit ${most}
    ),
    used as (
      -- An answer may cite by twelve digits alone.
      select distinct owner.owner_id, left(named.match[1], 12) as digits
      from (select distinct old.owner_id from old) owner
      join chat_message message on message.owner_id = owner.owner_id and message.content like '%grove-file:%'
      cross join lateral regexp_matches(message.content, 'grove-file:([0-9a-f]{12,64})', 'g') named (match)
      union
      -- A deleted entry has its versions until it is gone for good.
      select version.owner_id, left(version.key, 12)
      from old
      join chat_document_version version on version.owner_id = old.owner_id and version.key = old.sha256
      where version.block_id = ${knowledgeBlock} and version.session_id = ''
    ),
    kept as (
      update chat_file file set touched_at = now()
      from old join used on used.owner_id = old.owner_id and used.digits = left(old.sha256, 12)
      where file.owner_id = old.owner_id and file.sha256 = old.sha256 and file.complete
    ),
    gone as (
      delete from chat_file file using old
      where file.owner_id = old.owner_id and file.sha256 = old.sha256
        and file.touched_at <= now() - ${unusedMs}::float8 * interval '1 millisecond'
        and not (file.complete and exists (
          select from used where used.owner_id = old.owner_id and used.digits = left(old.sha256, 12)
        ))
    )
    select count(*)::integer as old from old`;
  return row?.old ?? 0;
}

/** Those of `names` that no file is stored under, sorted. */
export async function unknownObjects(sql: Sql, names: readonly string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select given.name from unnest(${names as string[]}::text[]) given (name)
    where not exists (select from chat_file file where file.object = given.name)
    order by given.name`;
  return rows.map(({ name }) => name);
}

import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm, statfs } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { Readable } from "node:stream";
import type { FileEntry } from "@zip.js/zip.js";
import {
  BackupError,
  backupFormat,
  entryName,
  type Manifest,
  manifestName,
  manifestSchema,
  maxManifestBytes,
  readSeal,
  sealBytes,
  sealOf,
  type TableFile,
} from "./backup-format";
import { diskFull, fileFailure } from "./file-failure";

export interface BackupFile {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  /** Fails on rows other than the manifest's. */
  read(table: TableFile): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export type AddEntry = (name: string, chunks: AsyncIterable<Uint8Array>) => Promise<void>;

const chunkBytes = 1 << 18;
// Workers would need files that a bundle does not hold.
const inThisThread = { useWebWorkers: false, useCompressionStream: true };

/**
 * The zip is renamed once it is on disk and was read again, so that no partial or damaged backup ever has its name.
 * @throws {BackupError} when the file cannot be written, and the failure of `fill`.
 */
export async function createBackupFile(
  path: string,
  { signal, fill }: { signal?: AbortSignal | undefined; fill: (add: AddEntry) => Promise<void> },
): Promise<number> {
  const partial = `${path}.partial`;
  try {
    const file = await open(partial, "w", 0o600);
    let bytes: number;
    try {
      bytes = await writeSealed(file, { path, signal, fill });
      await file.sync();
    } finally {
      await file.close();
    }
    const written = await openBackupFile(partial, { signal });
    await written.close();
    await rename(partial, path);
    return bytes;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw fileFailure(error, path);
  }
}

async function writeSealed(
  file: FileHandle,
  {
    path,
    signal,
    fill,
  }: {
    path: string;
    signal: AbortSignal | undefined;
    fill: (add: AddEntry) => Promise<void>;
  },
): Promise<number> {
  const { ZipWriter } = await import("@zip.js/zip.js/external");
  const hash = createHash("sha256");
  let held: Uint8Array = new Uint8Array();
  let bytes = 0;
  let checkedAt = 0;
  let failure: unknown;
  const write = async (chunk: Uint8Array) => {
    signal?.throwIfAborted();
    const all = Buffer.concat([held, chunk]);
    const ready = all.subarray(0, Math.max(0, all.length - sealBytes));
    held = all.subarray(ready.length);
    hash.update(ready);
    if (bytes - checkedAt >= spaceCheckBytes) {
      await assertSpace(path);
      checkedAt = bytes;
    }
    // `writeFile` goes on after a part was written, unlike `write`.
    await file.writeFile(ready);
    bytes += ready.length;
  };
  const sink = new WritableStream<Uint8Array>({
    write: (chunk) =>
      write(chunk).catch((error: unknown) => {
        failure ??= error;
        throw error;
      }),
  });
  const zip = new ZipWriter(sink, { ...inThisThread, zip64: true, keepOrder: true });
  try {
    await fill(async (name, chunks) => {
      await zip.add(name, Readable.toWeb(Readable.from(chunks)) as ReadableStream<Uint8Array>);
    });
    await zip.close(Buffer.from(sealOf("0".repeat(64))));
  } catch (error) {
    throw failure ?? error;
  }
  await file.writeFile(sealOf(hash.digest("hex")));
  return bytes + sealBytes;
}

const leftFreeBytes = 64 * 2 ** 20;
const spaceCheckBytes = 4 * 2 ** 20;

async function assertSpace(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  if (bavail * bsize < leftFreeBytes) throw diskFull(path);
}

/**
 * The whole backup is read first. @throws {BackupError} for one that is missing, cut off, damaged, of another program
 * or a newer Grove.
 */
export async function openBackupFile(
  path: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<BackupFile> {
  const file = await open(path, "r").catch((error: unknown) => {
    throw fileFailure(error, path);
  });
  try {
    const { size } = await file.stat();
    await assertSealed(file, { path, size, signal });
    const entries = await listEntries(file, { path, size });
    const manifest = await readManifest(entries, path);
    assertSameEntries(manifest, { entries, path });
    const read = (table: TableFile) => tableChunks(entries, { table, path });
    for (const table of manifest.tables) {
      for await (const _ of read(table)) signal?.throwIfAborted();
    }
    return { path, bytes: size, manifest, read, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw fileFailure(error, path);
  }
}

async function assertSealed(
  file: FileHandle,
  { path, size, signal }: { path: string; size: number; signal: AbortSignal | undefined },
): Promise<void> {
  const end = Math.max(0, size - sealBytes);
  const seal = readSeal((await bytesOf(file, end, size - end)).toString("latin1"));
  if (seal === null) {
    throw refusal(
      path,
      "is not a whole backup of Grove: it was cut off, changed by another program, or is something else",
    );
  }
  const hash = createHash("sha256");
  for (let at = 0; at < end; at += chunkBytes) {
    signal?.throwIfAborted();
    hash.update(await bytesOf(file, at, Math.min(chunkBytes, end - at)));
  }
  if (hash.digest("hex") !== seal) throw damaged(path);
}

async function listEntries(
  file: FileHandle,
  { path, size }: { path: string; size: number },
): Promise<FileEntry[]> {
  const { Reader, ZipReader } = await import("@zip.js/zip.js/external");
  const reader = new (class extends Reader<FileHandle> {
    override size = size;
    override readUint8Array = (at: number, length: number) => bytesOf(file, at, length);
  })(file);
  const zip = new ZipReader(reader, inThisThread);
  try {
    const entries = await zip.getEntries();
    return entries.flatMap((entry) => (entry.directory ? [] : [entry]));
  } catch (cause) {
    throw damaged(path, cause);
  }
}

async function readManifest(entries: readonly FileEntry[], path: string): Promise<Manifest> {
  const entry = entries.find(({ filename }) => filename === manifestName);
  if (!entry) throw refusal(path, "is not a backup of Grove");
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(entry)) {
    bytes += chunk.byteLength;
    if (bytes > maxManifestBytes) throw refusal(path, "has a manifest that is too large");
    chunks.push(chunk);
  }
  const value = parsed(Buffer.concat(chunks).toString("utf8"), path);
  const { format, groveVersion } = value as { format?: unknown; groveVersion?: unknown };
  if (typeof format === "number" && format > backupFormat) {
    throw refusal(path, `was made by a newer Grove (${String(groveVersion)}); restore it there`);
  }
  const manifest = manifestSchema.safeParse(value);
  if (manifest.success) return manifest.data;
  const [issue] = manifest.error.issues;
  throw refusal(path, `has an invalid manifest (${issue?.path.join(".")}: ${issue?.message})`);
}

function parsed(text: string, path: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch (cause) {
    throw refusal(path, "has an invalid manifest", cause);
  }
  throw refusal(path, "has an invalid manifest");
}

function assertSameEntries(
  { tables }: Manifest,
  { entries, path }: { entries: readonly FileEntry[]; path: string },
): void {
  const listed = [...tables.map(entryName), manifestName].sort();
  const found = entries.map(({ filename }) => filename).sort();
  if (listed.length === found.length && listed.every((name, n) => name === found[n])) return;
  throw refusal(path, "holds other files than its manifest lists");
}

async function* tableChunks(
  entries: readonly FileEntry[],
  { table, path }: { table: TableFile; path: string },
): AsyncGenerator<Uint8Array> {
  const entry = entries.find(({ filename }) => filename === entryName(table));
  if (!entry) throw damaged(path);
  const count = new RowCount();
  try {
    for await (const chunk of chunksOf(entry)) {
      count.add(chunk);
      if (count.bytes > table.bytes) break;
      yield chunk;
    }
  } catch (cause) {
    throw damaged(path, cause);
  }
  const { rows, bytes, sha256 } = count.end();
  if (rows !== table.rows || bytes !== table.bytes || sha256 !== table.sha256) throw damaged(path);
}

async function* chunksOf(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const done = entry.getData(writable, { ...inThisThread, checkCrc32: true });
  done.catch(() => undefined);
  yield* readable;
  await done;
}

/** Counts rows in the text format of COPY, where a line feed inside a value is escaped. */
export class RowCount {
  bytes = 0;
  #rows = 0;
  readonly #hash = createHash("sha256");

  add(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    this.#hash.update(chunk);
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.#rows++;
  }

  end(): Pick<TableFile, "rows" | "bytes" | "sha256"> {
    return { rows: this.#rows, bytes: this.bytes, sha256: this.#hash.digest("hex") };
  }
}

async function bytesOf(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, at);
  return buffer.subarray(0, bytesRead);
}

function damaged(path: string, cause?: unknown): BackupError {
  return refusal(path, "is damaged: its content is not what was written", cause);
}

function refusal(path: string, problem: string, cause?: unknown): BackupError {
  return new BackupError(`${basename(path)} ${problem}. Nothing was changed.`, { cause });
}

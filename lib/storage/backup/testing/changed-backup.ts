import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { BlobReader, ZipReader, ZipWriter } from "@zip.js/zip.js/external";
import { RowCount } from "@/lib/storage/backup/backup-file";
import { entryName, type Manifest, sealBytes, sealOf } from "@/lib/storage/backup/backup-format";

interface Change {
  readonly table?: string;
  readonly lines?: (lines: string[]) => string[];
  /** Changes the bytes of a table and not the manifest. */
  readonly entry?: (name: string, bytes: Buffer) => Buffer;
  readonly manifest?: (old: Manifest) => object;
  readonly extra?: Record<string, string>;
  readonly without?: string;
}

/** Writes a changed copy with a valid seal, as somebody who knows the format could, and returns its path. */
export async function changedBackup(from: string, to: string, change: Change): Promise<string> {
  const entries = await unpack(from);
  const manifest = JSON.parse(entries.get("manifest.json")?.toString() ?? "") as Manifest;
  if (change.without) entries.delete(change.without);
  const tables = manifest.tables.map((table) => {
    const name = entryName(table);
    const bytes = entries.get(name);
    if (!bytes || table.table !== change.table || !change.lines) return table;
    const lines = change.lines(bytes.toString().split("\n").slice(0, -1));
    const changed = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    entries.set(name, changed);
    const count = new RowCount();
    count.add(changed);
    return { ...table, ...count.end() };
  });
  for (const [name, bytes] of entries) entries.set(name, change.entry?.(name, bytes) ?? bytes);
  const listed = { ...manifest, tables };
  const text = JSON.stringify(change.manifest?.(listed) ?? listed);
  entries.set("manifest.json", Buffer.from(text));
  for (const [name, added] of Object.entries(change.extra ?? {}))
    entries.set(name, Buffer.from(added));
  await writeFile(to, await packed(entries));
  return to;
}

async function unpack(path: string): Promise<Map<string, Buffer>> {
  const zip = new ZipReader(new BlobReader(new Blob([await readFile(path)])), {
    useWebWorkers: false,
  });
  const entries = new Map<string, Buffer>();
  for (const entry of await zip.getEntries()) {
    if (entry.directory) continue;
    entries.set(entry.filename, Buffer.from(await entry.arrayBuffer()));
  }
  return entries;
}

async function packed(entries: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const sink = new WritableStream<Uint8Array>({ write: (chunk) => void chunks.push(chunk) });
  const zip = new ZipWriter(sink, { useWebWorkers: false });
  for (const [name, bytes] of entries)
    await zip.add(name, new BlobReader(new Blob([new Uint8Array(bytes)])));
  await zip.close(Buffer.from(sealOf("0".repeat(64))));
  const all = Buffer.concat(chunks);
  const body = all.subarray(0, all.length - sealBytes);
  const digest = createHash("sha256").update(body).digest("hex");
  return Buffer.concat([body, Buffer.from(sealOf(digest))]);
}

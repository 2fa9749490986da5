import type { Sql } from "grove-session/postgres";
import { type FileBucket, readFileBucket } from "@/lib/server/file-bucket";
import type { Environment } from "./start-settings";

export function filesOf({ files, bytes }: { files: number; bytes: number }): string {
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  return files === 1 ? `1 file (${size})` : `${files.toLocaleString("en")} files (${size})`;
}

export async function bucketReport(sql: Sql, environment: Environment): Promise<string | null> {
  const rows = await sql<{ object: string; size: number }[]>`
    select object, size::float8 as size from chat_file where object is not null`;
  if (rows.length === 0) return null;
  const needed = `The bytes of ${filesOf(totalOf(rows))} are in a bucket, not in the backup.`;
  const bucket = readFileBucket(environment);
  if (!bucket) {
    return `${needed} Set GROVE_FILES_S3_… to that bucket before you start Grove; until then these files cannot be opened.`;
  }
  try {
    const stored = await namesIn(bucket);
    const missing = rows.filter(({ object }) => !stored.has(object));
    if (missing.length === 0) return `${needed} All of them are there.`;
    return `${needed} ${filesOf(totalOf(missing))} missing there: messages keep the name and text, but the file cannot be opened until it is attached again.`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${needed} It could not be asked which of them it holds: ${reason}`;
  }
}

function totalOf(rows: readonly { size: number }[]): { files: number; bytes: number } {
  return { files: rows.length, bytes: rows.reduce((sum, { size }) => sum + size, 0) };
}

async function namesIn(bucket: FileBucket): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const page of bucket.names()) for (const name of page) names.add(name);
  return names;
}

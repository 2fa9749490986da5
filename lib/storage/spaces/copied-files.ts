import type { Sql } from "grove-session/postgres";
import {
  chatFileChunk,
  chatFilePage,
  inTransaction,
  StorageFullError,
} from "@/lib/postgres/storage";
import { type ChatMove, copyRows } from "./copied-rows";

export async function missingFiles(
  sql: Sql,
  { from, to, sessionId }: ChatMove,
): Promise<readonly string[]> {
  const named = await sql<{ sha256: string }[]>`
    select file.sha256
    from chat_file file
    where file.owner_id = ${from} and file.complete and left(file.sha256, 12) in (
      select left(found.match[1], 12)
      from chat_message message
      cross join lateral regexp_matches(message.content, 'grove-file:([0-9a-f]{12,64})', 'g') found (match)
      where message.owner_id = ${from} and message.session_id = ${sessionId}
        and message.content like '%grove-file:%'
    )`;
  const hashes = named.map(({ sha256 }) => sha256);
  const kept = await sql<{ sha256: string }[]>`
    update chat_file set touched_at = now()
    where owner_id = ${to} and sha256 = any (${hashes}::text[]) and complete
    returning sha256`;
  const isThere = new Set(kept.map(({ sha256 }) => sha256));
  return hashes.filter((sha256) => !isThere.has(sha256));
}

/** Bytes in a bucket stay where they are: an object goes when no file names it. @throws {StorageFullError} */
export async function copyFile(
  pool: Sql,
  { from, to, sha256 }: Pick<ChatMove, "from" | "to"> & { readonly sha256: string },
): Promise<void> {
  const [file] = await pool<{ size: number; mediaType: string }[]>`
    select size, media_type as "mediaType" from chat_file
    where owner_id = ${from} and sha256 = ${sha256} and complete`;
  if (!file) return;
  const [full] = await pool<{ used: number; allowed: number }[]>`
    select used::float8, allowed::float8
    from chat_reserve_file(${to}, ${sha256}, ${file.size}, ${file.mediaType})`;
  if (full) throw new StorageFullError({ ...full, size: file.size });
  await inTransaction(pool, "write", async (sql) => {
    const [described] = await sql<{ json: string }[]>`
      select json_build_object('facts', facts, 'object', object, 'media_type', media_type)::text as json
      from chat_file where owner_id = ${from} and sha256 = ${sha256} and complete for share`;
    if (!described) return;
    const isIts = sql`its.owner_id = ${from} and its.sha256 = ${sha256}`;
    const onConflict = sql`on conflict do nothing`;
    await copyRows(sql, {
      ...{ table: chatFileChunk, to, onConflict, atOnce: 4 },
      rows: sql`from chat_file_chunk its where ${isIts} order by its.n`,
    });
    await copyRows(sql, {
      ...{ table: chatFilePage, to, onConflict, atOnce: 20 },
      rows: sql`from chat_file_page its where ${isIts}`,
    });
    await sql`
      update chat_file file
      set complete = true, facts = its.facts, object = its.object, media_type = its.media_type, touched_at = now()
      from json_to_record(${described.json}::text::json) its (facts jsonb, object text, media_type text)
      where file.owner_id = ${to} and file.sha256 = ${sha256} and not file.complete`;
  });
}

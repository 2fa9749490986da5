import { analysisVersion, searchableSections, toTsvectorInSlices } from "../../session/internal";
import type { Sql } from "../connections/sql";
import { messageFromRow } from "../tree/stored-message";

const batchSize = 100;

type MessageKey = readonly [owner: string, branch: number, pos: number, compaction: number];
type DocumentKey = readonly [owner: string, scope: string, label: string, key: string];

/** Resumes after an interruption; rows written concurrently are left alone. */
export async function rebuildWords(sql: Sql): Promise<void> {
  const [known] = await sql<{ place: MessageKey | null; done: boolean }[]>`
    select place, done from bookkeeping.word_analysis where version = ${analysisVersion}`;
  if (known?.done) return;
  await rebuildSearch(sql, known?.place ?? ["", 0, 0, 0]);
  await rebuildDocuments(sql);
  await sql`
    with forgotten as (delete from chat_word), unlearned as (update chat_owner set words_seq = 0 where words_seq > 0),
      others as (delete from bookkeeping.word_analysis where version <> ${analysisVersion})
    insert into bookkeeping.word_analysis (version, done) values (${analysisVersion}, true)
    on conflict (version) do update set place = null, done = true`;
}

interface SearchEntry {
  owner_id: string;
  branch_id: number;
  pos: number;
  compaction_id: number;
  written_by: string;
  id: string;
  role: string;
  created_at: Date;
  content: string | null;
  summary: string | null;
}

async function rebuildSearch(sql: Sql, start: MessageKey): Promise<void> {
  let place = start;
  for (;;) {
    const [owner, branch, pos, compaction] = place;
    const entries = await sql<SearchEntry[]>`
      select
        entry.owner_id, entry.branch_id, entry.pos, entry.compaction_id, entry.xmin::text as written_by,
        message.id, message.role, message.created_at, message.content, compaction.summary
      from chat_search entry
      left join chat_message message
        on entry.compaction_id = 0 and message.owner_id = entry.owner_id and message.branch_id = entry.branch_id
        and message.pos = entry.pos
      left join chat_compaction compaction
        on entry.compaction_id <> 0 and compaction.owner_id = entry.owner_id
        and compaction.branch_id = entry.branch_id and compaction.compaction_id = entry.compaction_id
      where (entry.owner_id, entry.branch_id, entry.pos, entry.compaction_id)
        > (${owner}, ${branch}::bigint, ${pos}::integer, ${compaction}::bigint)
      order by entry.owner_id, entry.branch_id, entry.pos, entry.compaction_id
      limit ${batchSize}`;
    const last = entries.at(-1);
    if (!last) return;
    place = [last.owner_id, last.branch_id, last.pos, last.compaction_id];
    await storeSearch(sql, entries, place);
  }
}

async function storeSearch(
  sql: Sql,
  entries: readonly SearchEntry[],
  place: MessageKey,
): Promise<void> {
  const made: unknown[] = [];
  for (const entry of entries) {
    const text =
      entry.content === null
        ? entry.summary
        : searchableSections(messageFromRow({ ...entry, content: entry.content }));
    if (text === null) continue;
    const { owner_id, branch_id, pos, compaction_id, written_by } = entry;
    const tsv = await toTsvectorInSlices(text);
    made.push({ owner_id, branch_id, pos, compaction_id, written_by, tsv });
  }
  await sql`
    with renewed as (
      update chat_search entry set tsv = made.tsv
      from json_to_recordset(${JSON.stringify(made)}::text::json) as made (
        owner_id text, branch_id bigint, pos integer, compaction_id bigint, written_by text, tsv tsvector
      )
      where entry.owner_id = made.owner_id and entry.branch_id = made.branch_id and entry.pos = made.pos
        and entry.compaction_id = made.compaction_id and entry.xmin::text = made.written_by
    )
    insert into bookkeeping.word_analysis (version, place)
    values (${analysisVersion}, ${JSON.stringify(place)}::text::json)
    on conflict (version) do update set place = excluded.place`;
}

interface StoredDocument {
  owner_id: string;
  block_id: string;
  session_id: string;
  key: string;
  written_by: string;
  title: string;
  description: string | null;
  content: string;
}

async function rebuildDocuments(sql: Sql): Promise<void> {
  let place: DocumentKey = ["", "", "", ""];
  for (;;) {
    const [owner, block, session, key] = place;
    const documents = await sql<StoredDocument[]>`
      select owner_id, block_id, session_id, key, xmin::text as written_by, title, description, content
      from chat_document
      where (owner_id, block_id, session_id, key) > (${owner}, ${block}, ${session}, ${key}) and content is not null
      order by owner_id, block_id, session_id, key
      limit ${batchSize}`;
    const last = documents.at(-1);
    if (!last) return;
    const made: unknown[] = [];
    for (const { title, description, content, ...row } of documents) {
      const searched = [title, description, content].filter((part) => part).join("\n");
      made.push({ ...row, tsv: await toTsvectorInSlices(searched) });
    }
    await sql`
      update chat_document document set tsv = made.tsv
      from json_to_recordset(${JSON.stringify(made)}::text::json) as made (
        owner_id text, block_id text, session_id text, key text, written_by text, tsv tsvector
      )
      where document.owner_id = made.owner_id and document.block_id = made.block_id
        and document.session_id = made.session_id and document.key = made.key and document.xmin::text = made.written_by`;
    place = [last.owner_id, last.block_id, last.session_id, last.key];
  }
}

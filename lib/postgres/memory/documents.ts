import type { Sql } from "postgres";
import { deletedPrefix, isOfLiveSession } from "./blocks";

export interface DocumentKey {
  owner: string;
  /** Empty for a document that holds everywhere, otherwise its session. */
  scope: string;
  label: string;
  /** The block of a person it belongs to: it goes by the label that has now. `null` where the label alone says which. */
  block: number | null;
  /** Empty for a block, otherwise the entry of a keyed block. */
  key: string;
}

export interface DocumentRow {
  key: string;
  version: number;
  title: string;
  description: string | null;
  content: string | null;
  updated_at: Date;
}

export interface VersionRow {
  version: number;
  content: string | null;
  author: "person" | "model" | "system";
  session_id: string | null;
  message_id: string | null;
  proposal_id: string | null;
  created_at: Date;
}

export interface DocumentWrite extends DocumentKey {
  /** `null` deletes the document; its versions stay. */
  content: string | null;
  title: string | null;
  description: string | null;
  /** A `tsvector` literal; `null` when the document is not searchable. */
  tsv: string | null;
  author: string;
  sessionId: string | null;
  messageId: string | null;
  /** Write only if this proposal is open, and note that it is accepted. */
  proposalId: string | null;
  /** Write only if this is the newest version. */
  expectedVersion: number | null;
}

export async function readDocument(sql: Sql, query: DocumentKey): Promise<DocumentRow | undefined> {
  const [row] = await sql<DocumentRow[]>`
    select key, version, title, description, content, updated_at
    from chat_document
    where owner_id = ${query.owner} and scope = ${query.scope} and label = ${labelOf(sql, query)} and key = ${query.key}`;
  return row;
}

/** Whether documents can be written: a person's block may have been deleted meanwhile. */
export async function isWritable(sql: Sql, query: Omit<DocumentKey, "key">): Promise<boolean> {
  const [row] = await sql<{ label: string | null }[]>`select ${labelOf(sql, query)} as label`;
  return typeof row?.label === "string";
}

/**
 * Writes a document and its version in one statement; no row when another version is newest, the proposal behind it was
 * decided, or the block is deleted. Two writers that expect the same version queue at the row, and the second finds that
 * it has moved on.
 */
export async function writeDocument(
  sql: Sql,
  write: DocumentWrite,
): Promise<{ version: number } | undefined> {
  const [row] = await sql<{ version: number }[]>`
    with place as (
      ${placeOf(sql, write)}
    ),
    proposal as (
      select from chat_proposal
      where owner_id = ${write.owner} and proposal_id = ${write.proposalId} and status = 'open'
      for update
    ),
    document as (
      insert into chat_document as present (owner_id, scope, label, key, version, title, description, content, tsv)
      select
        ${write.owner}, ${write.scope}, place.label, ${write.key}, 1, coalesce(${write.title}, ''),
        ${write.description}, ${write.content}, ${write.tsv}::tsvector
      from place
      where (${write.proposalId}::text is null or exists (select from proposal))
        and (
          coalesce(${write.expectedVersion}::integer, 0) = 0 or exists (
            select from chat_document
            where owner_id = ${write.owner} and scope = ${write.scope} and label = place.label and key = ${write.key}
          )
        )
      on conflict (owner_id, scope, label, key) do update
      set
        version = present.version + 1,
        title = coalesce(${write.title}, present.title),
        description = coalesce(excluded.description, present.description),
        content = excluded.content,
        tsv = excluded.tsv,
        updated_at = now()
      where ${write.expectedVersion}::integer is null or present.version = ${write.expectedVersion}
      returning present.label, present.version
    ),
    version as (
      insert into chat_document_version (
        owner_id, scope, label, key, version, content, author, session_id, message_id, proposal_id
      )
      select
        ${write.owner}, ${write.scope}, document.label, ${write.key}, document.version, ${write.content},
        ${write.author}, ${write.sessionId}, ${write.messageId}, ${write.proposalId}
      from document
    ),
    decision as (
      update chat_proposal decided
      set status = 'accepted', version = document.version, decided_at = now()
      from document
      where decided.owner_id = ${write.owner} and decided.proposal_id = ${write.proposalId}
    )
    select document.version from document`;
  return row;
}

export function documentVersions(
  sql: Sql,
  { limit, ...query }: DocumentKey & { limit: number },
): Promise<VersionRow[]> {
  return sql<VersionRow[]>`
    select version, content, author, session_id, message_id, proposal_id, created_at
    from chat_document_version
    where owner_id = ${query.owner} and scope = ${query.scope} and label = ${labelOf(sql, query)} and key = ${query.key}
    order by version desc
    limit ${limit}`;
}

/** Entries of a keyed block, by key; deleted ones are left out. */
export function listEntries(
  sql: Sql,
  { limit, ...query }: Omit<DocumentKey, "key"> & { limit: number },
): Promise<DocumentRow[]> {
  return sql<DocumentRow[]>`
    select key, version, title, description, content, updated_at
    from chat_document
    where owner_id = ${query.owner} and scope = ${query.scope} and label = ${labelOf(sql, query)}
      and key <> '' and content is not null
    order by key
    limit ${limit}`;
}

/**
 * Keys and descriptions of a keyed block, by key, without the texts. An entry whose key continues that of another one after
 * a slash is a file of that one, and is left out.
 */
export function listEntryHeads(
  sql: Sql,
  query: Omit<DocumentKey, "key">,
): Promise<Pick<DocumentRow, "key" | "description">[]> {
  return sql<Pick<DocumentRow, "key" | "description">[]>`
    select document.key, document.description
    from chat_document document
    where document.owner_id = ${query.owner} and document.scope = ${query.scope} and document.label = ${labelOf(sql, query)}
      and document.key <> '' and document.content is not null
      and (
        strpos(document.key, '/') = 0 or not exists (
          select from chat_document skill
          where skill.owner_id = ${query.owner} and skill.scope = ${query.scope} and skill.label = document.label
            and skill.key <> '' and skill.content is not null and starts_with(document.key, skill.key || '/')
        )
      )
    order by document.key
    limit 1000`;
}

export async function countEntries(sql: Sql, query: Omit<DocumentKey, "key">): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count
    from chat_document
    where owner_id = ${query.owner} and scope = ${query.scope} and label = ${labelOf(sql, query)}
      and key <> '' and content is not null`;
  return row?.count ?? 0;
}

/** Entries with these words (a `tsquery` literal), best first. */
export function searchEntries(
  sql: Sql,
  { words, limit, ...query }: Omit<DocumentKey, "key"> & { words: string; limit: number },
): Promise<DocumentRow[]> {
  return sql<DocumentRow[]>`
    select key, version, title, description, content, updated_at
    from chat_document
    where owner_id = ${query.owner} and scope = ${query.scope} and label = ${labelOf(sql, query)}
      and key <> '' and content is not null and tsv @@ ${words}::tsquery
    order by ts_rank(tsv, ${words}::tsquery) desc, key
    limit ${limit}`;
}

export interface DocumentSearch {
  readonly owner: string;
  /** Only documents of this session; `null` for those of every session and of none. */
  readonly scope: string | null;
  /** A `tsquery` literal. */
  readonly words: string;
  /** Last changed `after <= updated_at < before`. */
  readonly before: Date | null;
  readonly after: Date | null;
  readonly limit: number;
}

/** Documents of any block with these words, best first: blocks of the owner and of one session. */
export function searchDocuments(
  sql: Sql,
  { owner, scope, words, before, after, limit }: DocumentSearch,
): Promise<(DocumentRow & { label: string; scope: string })[]> {
  return sql<(DocumentRow & { label: string; scope: string })[]>`
    select scope, label, key, version, title, description, content, updated_at
    from chat_document
    where owner_id = ${owner} and content is not null and not starts_with(label, ${deletedPrefix})
      and ${isOfLiveSession(sql, sql`chat_document.owner_id`, sql`chat_document.scope`)}
      and tsv @@ ${words}::tsquery
      and (${scope}::text is null or scope = ${scope})
      and (${before}::timestamptz is null or updated_at < ${before})
      and (${after}::timestamptz is null or updated_at >= ${after})
    order by ts_rank(tsv, ${words}::tsquery) desc, scope, label, key
    limit ${limit}`;
}

/** The label of documents now: that of their block, `null` once it or its session is deleted. */
function labelOf(sql: Sql, { owner, scope, label, block }: Omit<DocumentKey, "key">) {
  if (block === null && scope === "") return sql`${label}::text`;
  const isThere = isOfLiveSession(sql, sql`${owner}`, sql`${scope}::text`);
  if (block === null) return sql`(select ${label}::text where ${isThere})`;
  return sql`(
    select block.label from chat_block block
    where block.owner_id = ${owner} and block.scope = ${scope} and block.moment = ${block}
      and block.deleted_label is null and ${isThere}
  )`;
}

/** The label to write under; none once the block is deleted. A block is renamed before or after a write, not in between. */
function placeOf(sql: Sql, { owner, scope, label, block }: DocumentKey) {
  const isThere = isOfLiveSession(sql, sql`${owner}`, sql`${scope}::text`);
  if (block === null) return sql`select ${label}::text as label where ${isThere}`;
  return sql`
    select label from chat_block
    where owner_id = ${owner} and scope = ${scope} and moment = ${block} and deleted_label is null
      and ${isThere}
    for key share`;
}

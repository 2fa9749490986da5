import type { PendingQuery, Row, Sql } from "postgres";

/** Begins the label of every deleted block and of its documents; nobody can choose such a label. */
export const deletedPrefix = "deleted:";

export interface BlockRow {
  /** Stays when it is renamed; unique in its scope. */
  id: number;
  scope: string;
  label: string;
  description: string;
  kind: "readonly" | "writable" | "searchable" | "loadable";
  writers: "person" | "both";
  max_tokens: number | null;
}

interface Place {
  owner: string;
  /** Empty for a block of every session, otherwise its session. */
  scope: string;
}

/** The blocks of every session, then those of one, in the order they were made. */
export function listBlocks(
  sql: Sql,
  { owner, session }: { owner: string; session: string | null },
): Promise<BlockRow[]> {
  return sql<BlockRow[]>`
    select moment as id, scope, label, description, kind, writers, max_tokens
    from chat_block
    where owner_id = ${owner} and scope in ('', ${session ?? ""}) and deleted_label is null
      and ${isOfLiveSession(sql, sql`chat_block.owner_id`, sql`chat_block.scope`)}
    order by scope <> '', moment, label`;
}

/** `false` when the label is taken: here, by a block of every session, or for one of every session by that of any. */
export async function insertBlock(
  sql: Sql,
  owner: string,
  block: Omit<BlockRow, "id" | "max_tokens"> & { maxTokens: number | null },
): Promise<boolean> {
  const { scope, label } = block;
  const { count } = await sql`
    insert into chat_block (owner_id, scope, label, description, kind, writers, max_tokens)
    select
      ${owner}, ${scope}, ${label}, ${block.description}, ${block.kind}, ${block.writers}, ${block.maxTokens}::integer
    where not ${isTaken(sql, { owner, scope, label })}
    on conflict do nothing`;
  return count > 0;
}

/** Changes what is given, or notes it for the first time; the label stays. */
export async function upsertBlock(
  sql: Sql,
  owner: string,
  block: Omit<BlockRow, "id" | "max_tokens"> & { maxTokens: number | null },
): Promise<void> {
  await sql`
    insert into chat_block (owner_id, scope, label, description, kind, writers, max_tokens)
    values (
      ${owner}, ${block.scope}, ${block.label}, ${block.description}, ${block.kind}, ${block.writers}, ${block.maxTokens}
    )
    on conflict (owner_id, scope, label) do update
    set description = excluded.description, writers = excluded.writers, max_tokens = excluded.max_tokens`;
}

/** Gives a block another label, and with it its documents and what models want to write into it; `false` when it is taken. */
export async function renameBlock(
  sql: Sql,
  { owner, scope, from, to }: Place & { from: string; to: string },
): Promise<boolean> {
  const { count } = await sql`
    with block as (
      update chat_block set label = ${to}
      where owner_id = ${owner} and scope = ${scope} and label = ${from} and deleted_label is null
        and not ${isTaken(sql, { owner, scope, label: to })}
      returning label
    ),
    documents as (
      update chat_document set label = ${to}
      where owner_id = ${owner} and scope = ${scope} and label = ${from} and exists (select from block)
    ),
    proposals as (
      update chat_proposal set label = ${to}
      where owner_id = ${owner} and label = ${from} and (${scope} = '' or session_id = ${scope})
        and exists (select from block)
    )
    select label from block`;
  return count > 0;
}

/** Puts a block and its documents out of sight; `false` when there is none. */
export async function deleteBlock(
  sql: Sql,
  { owner, scope, label, deletion }: Place & { label: string; deletion: string },
): Promise<boolean> {
  const hidden = deletedPrefix + deletion;
  const { count } = await sql`
    with block as (
      update chat_block set label = ${hidden}, deleted_label = label
      where owner_id = ${owner} and scope = ${scope} and label = ${label} and deleted_label is null
      returning label
    ),
    documents as (
      update chat_document set label = ${hidden}
      where owner_id = ${owner} and scope = ${scope} and label = ${label} and exists (select from block)
    )
    select label from block`;
  return count > 0;
}

/** A deleted block, with the label it had. */
export async function readDeletedBlock(
  sql: Sql,
  { owner, deletion }: { owner: string; deletion: string },
): Promise<{ scope: string; label: string } | undefined> {
  const [row] = await sql<{ scope: string; label: string }[]>`
    select scope, deleted_label as label
    from chat_block
    where owner_id = ${owner} and label = ${deletedPrefix + deletion} and deleted_label is not null
    order by scope
    limit 1`;
  return row;
}

/** Undoes a deletion; `false` when the label has been taken since. */
export async function restoreBlock(
  sql: Sql,
  { owner, scope, label, deletion }: Place & { label: string; deletion: string },
): Promise<boolean> {
  const hidden = deletedPrefix + deletion;
  const { count } = await sql`
    with block as (
      update chat_block set label = ${label}, deleted_label = null
      where owner_id = ${owner} and scope = ${scope} and label = ${hidden}
        and not ${isTaken(sql, { owner, scope, label })}
      returning label
    ),
    documents as (
      update chat_document set label = ${label}
      where owner_id = ${owner} and scope = ${scope} and label = ${hidden} and exists (select from block)
    )
    select label from block`;
  return count > 0;
}

function isTaken(sql: Sql, { owner, scope, label }: Place & { label: string }) {
  return sql`exists (
    select from chat_block other
    where other.owner_id = ${owner} and other.label = ${label}
      and (other.scope = '' or ${scope} = '' or other.scope = ${scope})
      and ${isOfLiveSession(sql, sql`other.owner_id`, sql`other.scope`)}
  )`;
}

type Fragment = PendingQuery<Row[]>;

/** Memory of a deleted session is out of sight until that is restored. */
export function isOfLiveSession(sql: Sql, owner: Fragment, scope: Fragment): Fragment {
  return sql`not exists (
    select from chat_session gone
    where gone.owner_id = ${owner} and gone.session_id = ${scope} and gone.deleted_at is not null
  )`;
}

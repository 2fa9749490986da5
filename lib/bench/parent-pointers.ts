import type { Sql } from "postgres";

/** Keeps a straight session a second time as the usual rows with a parent's id, without texts. */
export async function copyAsParentPointers(sql: Sql, session: string): Promise<void> {
  await sql`
    create table if not exists bench_node (
      session_id text not null, id text not null, parent_id text, role text not null, created_at timestamptz not null,
      preview text not null, primary key (session_id, id)
    )`;
  await sql`create index if not exists bench_node_children on bench_node (session_id, parent_id)`;
  await sql`
    insert into bench_node
    select session_id, id, lag(id) over (order by pos), role, created_at, preview
    from chat_message where session_id = ${session}`;
}

/** The nodes of a tree from its roots down: what a tree view needs, found by following the pointers. */
export function walkParentPointers(sql: Sql, session: string): Promise<unknown> {
  return sql`
    with recursive walk as (
      select id, parent_id, role, created_at, preview
      from bench_node where session_id = ${session} and parent_id is null
      union all
      select node.id, node.parent_id, node.role, node.created_at, node.preview
      from walk join bench_node node on node.session_id = ${session} and node.parent_id = walk.id
    )
    select * from walk`;
}

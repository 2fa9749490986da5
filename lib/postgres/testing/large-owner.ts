import type { Sql } from "../connections/sql";

interface LargeOwner {
  readonly owner: string;
  readonly chats: number;
  readonly messagesOfChat: number;
}

/**
 * An owner of many chats, every tenth a fork of the one before it that borrows all but its own last message. Few
 * statements make them, since a hundred thousand requests would take hours.
 */
export async function makeLargeOwner(
  sql: Sql,
  { owner, chats, messagesOfChat }: LargeOwner,
): Promise<void> {
  await sql`insert into chat_owner (owner_id) values (${owner}) on conflict do nothing`;
  await sql`
    insert into chat_session (
      owner_id, session_id, title, message_count, touches, parent_session_id, forked_at_message_id, created_at, updated_at
    )
    select
      ${owner}, ${chatId(sql)}, 'Chat ' || n, ${messagesOfChat}, ${messagesOfChat},
      case when n % 10 = 0 then 'chat-' || lpad((n - 1)::text, 7, '0') end,
      case when n % 10 = 0 then 'm' || (n - 1) || '-' || (${messagesOfChat} - 1)::integer end,
      ${start(sql)} + n * interval '1 minute', ${start(sql)} + n * interval '1 minute'
    from generate_series(1, ${chats}::integer) n`;
  const [first] = await sql<[{ id: number }]>`
    select coalesce(max(branch_id), 0) + 1 as id from chat_branch where owner_id = ${owner}`;
  await sql`
    insert into chat_branch (owner_id, branch_id, session_id, parent_branch, base, head, touched, seen_as_of)
    select
      ${owner}, ${first.id}::bigint + n, ${chatId(sql)},
      case when n % 10 = 0 then ${first.id}::bigint + n - 1 end,
      case when n % 10 = 0 then ${messagesOfChat - 1}::integer else 0 end, ${messagesOfChat}, ${messagesOfChat},
      case when n % 10 = 0 then ${messagesOfChat}::integer end
    from generate_series(1, ${chats}::integer) n`;
  await sql`
    update chat_session session set active_branch = branch.branch_id
    from chat_branch branch
    where session.owner_id = ${owner} and branch.owner_id = ${owner} and branch.session_id = session.session_id`;
  await insertMessages(
    sql,
    owner,
    sql`
      select
        ${first.id}::bigint + n as branch_id, pos, ${chatId(sql)} as session_id, 'm' || n || '-' || pos as id,
        pos as ordinal, n as word
      from generate_series(1, ${chats}::integer) n
      cross join generate_series(1, ${messagesOfChat}::integer) pos
      where n % 10 <> 0 or pos = ${messagesOfChat}`,
  );
  await moveBranchIds(sql, owner);
}

/**
 * A chat with a trunk and branches of one question and one answer that leave it at even distances; at least two
 * messages of the trunk for each.
 */
export async function makeLargeChat(
  sql: Sql,
  {
    owner,
    session,
    messages,
    branches,
  }: { owner: string; session: string; messages: number; branches: number },
): Promise<void> {
  const trunk = messages - 2 * (branches - 1);
  await sql`insert into chat_owner (owner_id) values (${owner}) on conflict do nothing`;
  await sql`
    insert into chat_session (owner_id, session_id, title, message_count, touches, created_at, updated_at)
    values (${owner}, ${session}, 'A long chat', ${messages}, ${messages}, ${start(sql)}, ${start(sql)})`;
  const [first] = await sql<[{ id: number }]>`
    select coalesce(max(branch_id), 0) + 1 as id from chat_branch where owner_id = ${owner}`;
  const base = sql`(${(2 * Math.floor(trunk / 2 / branches)).toString()}::integer * n)`;
  await sql`
    insert into chat_branch (owner_id, branch_id, session_id, base, head, touched)
    values (${owner}, ${first.id}, ${session}, 0, ${trunk}, ${messages})`;
  await sql`
    insert into chat_branch (owner_id, branch_id, session_id, parent_branch, base, head, touched)
    select ${owner}, ${first.id}::bigint + n, ${session}, ${first.id}, ${base}, ${base} + 2, n
    from generate_series(1, ${branches - 1}::integer) n`;
  await insertMessages(
    sql,
    owner,
    sql`
      select
        ${first.id}::bigint as branch_id, pos, ${session}::text as session_id, 't' || pos as id, pos as ordinal, pos as word
      from generate_series(1, ${trunk}::integer) pos
      union all
      select
        ${first.id}::bigint + n, ${base} + side, ${session}::text, 'b' || n || '-' || side,
        ${trunk}::integer + 2 * n + side - 2, n
      from generate_series(1, ${branches - 1}::integer) n cross join generate_series(1, 2) side`,
  );
  await sql`
    update chat_session set active_branch = ${first.id}
    where owner_id = ${owner} and session_id = ${session}`;
  await moveBranchIds(sql, owner);
}

async function insertMessages(
  sql: Sql,
  owner: string,
  rows: ReturnType<typeof sql>,
): Promise<void> {
  const text = sql`'Word' || (made.word % 997) || ' and unique' || made.id || ' about the garden, the weather and the harvest.'`;
  await sql`
    with stored as (
      insert into chat_message (owner_id, branch_id, pos, session_id, id, role, ordinal, created_at, preview, content)
      select
        ${owner}, made.branch_id, made.pos, made.session_id, made.id,
        case made.pos % 2 when 1 then 'user' else 'assistant' end, made.ordinal,
        ${start(sql)} + made.ordinal * interval '1 second', ${text},
        '{"parts":[{"type":"text","text":"' || ${text} || '"}]}'
      from (${rows}) made
      returning owner_id, branch_id, pos, session_id, role, created_at, preview
    )
    insert into chat_search (owner_id, branch_id, pos, session_id, role, created_at, tsv)
    select owner_id, branch_id, pos, session_id, role, created_at, to_tsvector('simple', preview)
    from stored`;
}

async function moveBranchIds(sql: Sql, owner: string): Promise<void> {
  const [greatest] = await sql<{ id: number }[]>`
    select max(branch_id) as id from chat_branch where owner_id = ${owner}`;
  await sql`select setval('chat_branch_id', greatest(nextval('chat_branch_id'), ${greatest?.id ?? 1}))`;
  await sql`analyze`;
}

/** Two owners made alike must be alike. */
function start(sql: Sql) {
  return sql`timestamptz '2026-01-01 00:00:00+00'`;
}

function chatId(sql: Sql) {
  return sql`('chat-' || lpad(n::text, 7, '0'))`;
}

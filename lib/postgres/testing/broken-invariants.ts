import type { Sql } from "../connections/sql";

const mostRows = 20;

/** Sentences for rows that contradict one another, of one owner or all. */
export async function brokenInvariants(sql: Sql, ownerId?: string): Promise<string[]> {
  const rows = await sql<{ problem: string; owner_id: string; session_id: string }[]>`
    with recursive segment as (
      select
        branch.owner_id, branch.session_id as viewer, branch.branch_id as via, branch.branch_id, branch.parent_branch,
        branch.base as lo, branch.head as hi
      from chat_branch branch
      -- Not "all": a circle ends.
      union
      select
        child.owner_id, child.viewer, child.via, parent.branch_id, parent.parent_branch, parent.base, child.lo
      from segment child
      join chat_branch parent on parent.owner_id = child.owner_id and parent.branch_id = child.parent_branch
    ),
    line as materialized (
      select
        segment.owner_id, segment.viewer, segment.via, message.branch_id, message.pos, message.id, message.ordinal,
        message.deletion_id is null as is_alive
      from segment
      join chat_message message
        on message.owner_id = segment.owner_id and message.branch_id = segment.branch_id
        and message.pos > segment.lo and message.pos <= segment.hi
    ),
    seen as materialized (
      select distinct line.owner_id, line.viewer, line.branch_id, line.pos, line.id, line.ordinal
      from line
      where line.is_alive
    ),
    problem as (
      ${branchProblems(sql)}
      union all ${messageProblems(sql)}
      union all ${sessionProblems(sql)}
      union all ${overlayProblems(sql)}
      union all ${documentProblems(sql)}
    )
    select problem, owner_id, session_id from problem
    where ${ownerId ?? null}::text is null or owner_id = ${ownerId ?? null}
    order by problem, owner_id, session_id limit ${mostRows}`;
  return rows.map(({ problem, owner_id, session_id }) => {
    return `${problem} (session ${session_id} of ${owner_id})`;
  });
}

function branchProblems(sql: Sql) {
  return sql`
    select 'A branch begins outside its parent.' as problem, branch.owner_id, branch.session_id
    from chat_branch branch
    join chat_branch parent on parent.owner_id = branch.owner_id and parent.branch_id = branch.parent_branch
    where branch.base <= parent.base or branch.base > parent.head
    union all
    select 'A branch borrows unmarked, or is marked and does not.', branch.owner_id, branch.session_id
    from chat_branch branch
    left join chat_branch parent on parent.owner_id = branch.owner_id and parent.branch_id = branch.parent_branch
    where (branch.seen_as_of is not null) <> coalesce(parent.session_id <> branch.session_id, false)
    union all
    select 'A branch reaches no root.', segment.owner_id, segment.viewer
    from segment
    group by segment.owner_id, segment.viewer, segment.via
    having bool_and(segment.parent_branch is not null)
    union all
    select 'A branch lacks messages.', branch.owner_id, branch.session_id
    from chat_branch branch
    where not branch.sparse and branch.head - branch.base <> (
      select count(*) from chat_message message
      where message.owner_id = branch.owner_id and message.branch_id = branch.branch_id
    )`;
}

function messageProblems(sql: Sql) {
  return sql`
    select 'A message lies outside its branch or session.', message.owner_id, message.session_id
    from chat_message message
    join chat_branch branch on branch.owner_id = message.owner_id and branch.branch_id = message.branch_id
    where message.session_id <> branch.session_id or message.pos <= branch.base or message.pos > branch.head
    union all
    select 'A message is not younger than the one before it.', line.owner_id, line.viewer
    from (
      select
        line.owner_id, line.viewer,
        line.ordinal <= lag(line.ordinal) over (partition by line.owner_id, line.via order by line.pos) as is_older
      from line
    ) line
    where line.is_older
    union all
    select 'Two messages of a session have one id.', seen.owner_id, seen.viewer
    from seen
    group by seen.owner_id, seen.viewer, seen.id
    having count(*) > 1
    union all
    select 'Two messages of a session have one place among their siblings.', seen.owner_id, seen.viewer
    from seen
    group by seen.owner_id, seen.viewer, seen.ordinal
    having count(*) > 1
    union all
    select 'A message has a name and no bookmark.', message.owner_id, message.session_id
    from chat_message message
    where message.label is not null and not message.pinned
    union all
    select 'A message is deleted by no deletion.', message.owner_id, message.session_id
    from chat_message message
    where (message.deletion_id is null) <> (message.deleted_at is null)
      -- One that was removed for good has neither content nor, any more, a deletion.
      or message.deletion_id is not null and message.content <> '{"parts":[]}' and not exists (
        select from chat_deletion deletion
        where deletion.owner_id = message.owner_id and deletion.deletion_id = message.deletion_id
          and deletion.session_id = message.session_id and deletion.kind = 'messages'
          and message.id = any (deletion.removed)
      )`;
}

function sessionProblems(sql: Sql) {
  return sql`
    select 'The active leaf is no message.', session.owner_id, session.session_id
    from chat_session session
    left join chat_branch branch on branch.owner_id = session.owner_id and branch.branch_id = session.active_branch
    where num_nonnulls(session.active_branch, session.active_pos) > 0 and not exists (
      select from line
      where line.owner_id = session.owner_id and line.viewer = session.session_id and line.via = branch.branch_id
        and line.pos = coalesce(session.active_pos, branch.head) and line.is_alive
    )
    union all
    select 'A session miscounts its messages.', session.owner_id, session.session_id
    from chat_session session
    where session.message_count <> (
      select count(*) from seen where seen.owner_id = session.owner_id and seen.viewer = session.session_id
    )
    union all
    select 'A session is behind its messages, branches, summaries or skills.', session.owner_id, session.session_id
    from chat_session session
    where session.touches < greatest(
      (select max(line.ordinal) from line where line.owner_id = session.owner_id and line.viewer = session.session_id),
      (
        select max(branch.touched) from chat_branch branch
        where branch.owner_id = session.owner_id and branch.session_id = session.session_id
      ),
      (
        select max(greatest(compaction.compaction_id, compaction.removed_moment)) from chat_compaction compaction
        where compaction.owner_id = session.owner_id and compaction.session_id = session.session_id
      ),
      (
        select max(event.event_id) from chat_skill_event event
        where event.owner_id = session.owner_id and event.session_id = session.session_id
      )
    )`;
}

function overlayProblems(sql: Sql) {
  return sql`
    select 'A summary lies outside its branch or session.', compaction.owner_id, compaction.session_id
    from chat_compaction compaction
    join chat_branch branch
      on branch.owner_id = compaction.owner_id and branch.branch_id = compaction.branch_id
    where compaction.session_id <> branch.session_id
      or compaction.to_pos <= branch.base or compaction.to_pos > branch.head
      or compaction.made_moment > compaction.compaction_id or compaction.removed_moment <= compaction.compaction_id
    union all
    select 'A summary covers other messages than it names.', compaction.owner_id, compaction.session_id
    from chat_compaction compaction
    join line
      on line.owner_id = compaction.owner_id and line.via = compaction.branch_id
      and line.pos in (compaction.from_pos, compaction.to_pos)
    where line.pos = compaction.from_pos and line.id <> compaction.from_message_id
      or line.pos = compaction.to_pos and line.id <> compaction.to_message_id
    union all
    select 'A summary is stored twice.', compaction.owner_id, compaction.session_id
    from chat_compaction compaction
    where compaction.removed_moment is null
    group by compaction.owner_id, compaction.session_id, compaction.id
    having count(*) > 1
    union all
    select 'Words belong to no message or summary.', search.owner_id, search.session_id
    from chat_search search
    left join chat_message message
      on message.owner_id = search.owner_id and message.branch_id = search.branch_id and message.pos = search.pos
      and message.session_id = search.session_id
    left join chat_compaction compaction
      on compaction.owner_id = search.owner_id and compaction.branch_id = search.branch_id
      and compaction.to_pos = search.pos and compaction.compaction_id = search.compaction_id
      and compaction.session_id = search.session_id
    where case when search.compaction_id = 0 then message.id is null else compaction.id is null end
    union all
    select 'A skill event belongs to no message.', event.owner_id, event.session_id
    from chat_skill_event event
    left join chat_message message
      on message.owner_id = event.owner_id and message.branch_id = event.branch_id and message.pos = event.pos
      and message.session_id = event.session_id
    where message.id is null`;
}

function documentProblems(sql: Sql) {
  return sql`
    select 'A text lacks versions, or differs from its newest.', document.owner_id, document.session_id
    from chat_document document
    cross join lateral (
      select count(*) as versions, max(version.version) as newest
      from chat_document_version version
      where version.owner_id = document.owner_id and version.block_id = document.block_id
        and version.session_id = document.session_id and version.key = document.key
    ) history
    left join chat_document_version version
      on version.owner_id = document.owner_id and version.block_id = document.block_id
      and version.session_id = document.session_id and version.key = document.key
      and version.version = document.version
    where history.versions <> document.version or history.newest is distinct from document.version
      or version.content is distinct from document.content
    union all
    select 'A text belongs to no block.', document.owner_id, document.session_id
    from chat_document document
    where not exists (
      select from chat_block block
      where block.owner_id = document.owner_id and block.block_id = document.block_id
        and block.session_id in ('', document.session_id)
    )`;
}

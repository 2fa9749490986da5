import { and, eq, sql } from "drizzle-orm";
import type { SendFacts } from "@/lib/chat/core/owner-data";
import {
  chatSession,
  drizzleOn,
  isLive,
  preparedOnce,
  type Sql,
  sessionInfo,
  translated,
} from "@/lib/postgres/storage";

const { placeholder } = sql;
const owner = placeholder("owner");
const memoryOwner = placeholder("memoryOwner");
const session = placeholder("session");

const known = sql<string[]>`array(
  select wanted.id
  from unnest(${placeholder("messages")}::text[]) wanted (id)
  where exists (
    select from chat_message message
    where message.owner_id = ${owner} and message.session_id = ${session} and message.id = wanted.id
      and message.deletion_id is null
  ) or case when ${chatSession.parentSessionId} is not null then exists (
    select from chat_locate(${owner}, ${session}, wanted.id)
  ) end
)`;

const pausedRunId = sql<string | null>`(
  select run.run_id
  from chat_run run
  where run.owner_id = ${owner} and run.session_id = ${session} and run.message_id = ${placeholder("parent")}
    and run.status = 'paused'
)`;

/** In the order of `PostgresBlocks.list`. */
const blocks = sql<SendFacts["blocks"]>`(
  select coalesce(json_agg(json_build_object(
    'id', block.block_id, 'sessionId', nullif(block.session_id, ''), 'label', block.label,
    'description', block.description, 'kind', block.kind, 'scope', block.scope, 'writers', block.writers,
    'maxTokens', block.max_tokens, 'origin', block.origin, 'version', coalesce(document.version, 0)
  ) order by block.session_id <> '', block.moment, block.block_id), '[]')
  from chat_block block
  left join chat_document document
    on document.owner_id = block.owner_id and document.block_id = block.block_id and document.key = ''
      and document.session_id = case block.scope when 'session' then ${session} else '' end
  where block.owner_id = ${memoryOwner} and block.session_id in ('', ${session}) and block.deleted_at is null
    and block.origin <> 'code' and not exists (
      select from chat_session gone
      where gone.owner_id = block.owner_id and gone.session_id = block.session_id
        and (gone.deleted_at is not null or gone.expires_at <= now())
    )
)`;

const selectFacts = preparedOnce((db) =>
  db
    .select({
      session: sessionInfo,
      frozen: { prompt: chatSession.frozenPrompt, versions: chatSession.frozenVersions },
      known,
      pausedRunId,
      blocks,
    })
    .from(sql`(values (1)) as given (n)`)
    .leftJoin(
      chatSession,
      and(eq(chatSession.ownerId, owner), eq(chatSession.sessionId, session), isLive),
    )
    .prepare("send_facts"),
);

/** In one statement, since the first word of an answer waits for it. */
export async function sendFacts(
  sql: Sql,
  {
    owner,
    memoryOwner,
    sessionId: session,
    ids: messages,
    parentId: parent,
  }: {
    readonly owner: string;
    readonly memoryOwner: string;
    readonly sessionId: string;
    readonly ids: readonly string[];
    readonly parentId: string | null;
  },
): Promise<SendFacts> {
  const asked = { owner, memoryOwner, session, messages, parent };
  const [found] = await translated(selectFacts(drizzleOn(sql), asked));
  if (!found) throw new Error("A statement of one row returned none.");
  const { prompt, versions } = found.frozen ?? { prompt: null, versions: null };
  const frozen = { prompt, versions: versions && Object.fromEntries(versions) };
  return {
    ...found,
    known: new Set(found.known),
    frozen: prompt === null ? null : { ...frozen, prompt },
  };
}

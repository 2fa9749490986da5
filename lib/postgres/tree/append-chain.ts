import type { Sql } from "postgres";
import { postgresFailure, translateFailure } from "@/lib/postgres/database-error";
import {
  type AppendOptions,
  type AppendResult,
  MessageConflictError,
  MessageNotFoundError,
  type SessionMessage,
} from "@/lib/session";
import { assertDistinct, assertId, isSameBody } from "@/lib/session/internal";
import { type AppendQuery, type AppendRow, appendInTurn, appendJson } from "./append-message";
import { knownMessages } from "./path-rows";
import { messageColumns, messageFromRow } from "./stored-message";

type Target = Pick<AppendQuery, "owner" | "session" | "requires">;

interface Chain extends AppendOptions {
  readonly messages: readonly SessionMessage[];
  readonly parentId: string | null | undefined;
}

/** See `SessionTreeProvider.appendMessages`. A refusal for a known id is answered by storing the rest. */
export async function appendChain(sql: Sql, target: Target, chain: Chain): Promise<AppendResult[]> {
  const { messages } = chain;
  assertDistinct(messages);
  const queries = chainQueries(target, chain);
  let earlier: ReadonlyMap<string, AppendResult> = new Map();
  for (;;) {
    const missing = queries.filter(({ id }) => !earlier.has(id));
    try {
      const rows = missing.length === 0 ? [] : await appendInTurn(sql, target, missing);
      const added = new Map(appendResults(missing, rows).map((each) => [each.message.id, each]));
      return messages.flatMap(({ id }) => added.get(id) ?? earlier.get(id) ?? []);
    } catch (error) {
      const known = isRefusal(error) ? await earlierAppends(sql, target, messages) : earlier;
      if (known.size === earlier.size) throw translateFailure(error);
      earlier = known;
    }
  }
}

/** Continues at a message (`null`: before the first); `null` when the session changed since `revision`. */
export async function continueAt(
  sql: Sql,
  target: Target,
  {
    leafId,
    messages,
    revision,
  }: {
    readonly leafId: string | null;
    readonly messages: readonly SessionMessage[];
    readonly revision: number | null;
  },
): Promise<AppendResult[] | null> {
  const queries = chainQueries(target, { messages, parentId: leafId });
  try {
    const rows = await sql<AppendRow[]>`
      select branch_id, pos, parent_id, created_at
      from chat_follow(
        ${target.owner}, ${target.session}, ${revision}, ${leafId}, ${appendJson(queries)}::text::json,
        ${target.requires !== "nothing"}
      )`;
    return appendResults(queries, rows);
  } catch (error) {
    if (postgresFailure(error)?.code === "GR007") return null;
    throw translateFailure(error);
  }
}

function chainQueries(
  target: Target,
  { messages, parentId, activate = true }: Chain,
): AppendQuery[] {
  if (target.requires === "nothing") assertId(target.session, "session");
  return messages.map((message, index) => ({
    ...target,
    ...messageColumns(message),
    id: message.id,
    role: message.role,
    createdAt: message.createdAt ?? null,
    parentId: messages[index - 1]?.id ?? parentId,
    activate: activate === "follow" ? "follow" : activate ? "yes" : "no",
  }));
}

/** Those of `messages` that are stored. @throws {MessageConflictError} */
async function earlierAppends(
  sql: Sql,
  { owner, session }: Target,
  messages: readonly SessionMessage[],
): Promise<Map<string, AppendResult>> {
  const ids = messages.map(({ id }) => id);
  const known = await knownMessages(sql, { owner, session, ids });
  const rows = new Map(known.map((row) => [row.id, row]));
  const results = new Map<string, AppendResult>();
  for (const message of messages) {
    const row = rows.get(message.id);
    if (!row) continue;
    if (row.content === null) throw new MessageConflictError(message.id);
    const stored = messageFromRow(row);
    if (!isSameBody(stored, message)) throw new MessageConflictError(message.id);
    results.set(message.id, { inserted: false, message: stored, parentId: row.parent_id });
  }
  return results;
}

function appendResults(chain: readonly AppendQuery[], rows: readonly AppendRow[]): AppendResult[] {
  return rows.flatMap(({ created_at, parent_id }, index) => {
    const query = chain[index];
    if (!query) return [];
    return {
      inserted: true,
      message: messageFromRow({ ...query, created_at }),
      parentId: parent_id,
    };
  });
}

/** The message may exist already. */
export function isRefusal(error: unknown): boolean {
  const failure = postgresFailure(error);
  return (
    translateFailure(error) instanceof MessageNotFoundError ||
    failure?.code === "GR002" ||
    (failure?.code === "23505" && failure.constraint_name === "chat_message_id")
  );
}

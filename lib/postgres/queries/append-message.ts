import type { Sql } from "postgres";
import type { MessageColumns } from "@/lib/postgres/message-content";

export interface AppendRow {
  branch_id: number;
  pos: number;
  parent_id: string | null;
  created_at: Date;
}

export interface AppendQuery extends MessageColumns {
  owner: string;
  session: string;
  id: string;
  role: string;
  createdAt: Date | null;
  /** Omitted: the active leaf; `null`: a root. */
  parentId: string | null | undefined;
  activate: "yes" | "no" | "follow";
  /** Refuse a session that was not created before, instead of making it. */
  mustExist: boolean;
}

/** Appends one message: position, message, search row, skill events and active leaf in one statement. */
export async function appendMessage(sql: Sql, query: AppendQuery): Promise<AppendRow> {
  const [row] = await sql<[AppendRow]>`
    select branch_id, pos, parent_id, created_at
    from chat_append(
      ${query.owner}, ${query.session}, ${query.id}, ${query.role}, ${query.content}, ${query.preview},
      ${query.tsv}::tsvector, ${query.createdAt}, ${placeOf(query)}, ${query.parentId ?? null}, ${query.activate},
      ${query.skills}, ${query.mustExist}
    )`;
  return row;
}

/** Appends messages of one session one after another, all or none; rows in the order given. */
export function appendMessages(
  sql: Sql,
  [first, ...rest]: readonly [AppendQuery, ...AppendQuery[]],
): Promise<AppendRow[]> {
  const messages = [first, ...rest].map((query) => ({
    ...query,
    place: placeOf(query),
    parent: query.parentId ?? null,
  }));
  return sql<AppendRow[]>`
    select appended.branch_id, appended.pos, appended.parent_id, appended.created_at
    from rows from (
      json_to_recordset(${JSON.stringify(messages)}::text::json) as (
        id text, role text, content text, preview text, tsv tsvector, "createdAt" timestamptz, place text, parent text,
        activate text, skills text[], "mustExist" boolean
      )
    ) with ordinality message (
      id, role, content, preview, tsv, created_at, place, parent, activate, skills, must_exist, n
    )
    cross join lateral chat_append(
      ${first.owner}, ${first.session}, message.id, message.role, message.content, message.preview, message.tsv,
      message.created_at, message.place, message.parent, message.activate, message.skills, message.must_exist
    ) appended
    order by message.n`;
}

function placeOf({ parentId }: AppendQuery): "leaf" | "root" | "message" {
  if (parentId === undefined) return "leaf";
  return parentId === null ? "root" : "message";
}

import type { Sql } from "postgres";
import type { MessageColumns } from "./message-content";

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

/**
 * Appends messages of one session one after another, all or none; rows in the order given.
 *
 * A function that takes all, and not a statement that calls one for each: that would send rows before a later message is
 * refused, and the driver counts the rows of a failed statement into the next one's result.
 */
export function appendMessages(
  sql: Sql,
  [first, ...rest]: readonly [AppendQuery, ...AppendQuery[]],
): Promise<AppendRow[]> {
  const messages = [first, ...rest].map((query) => ({
    id: query.id,
    role: query.role,
    content: query.content,
    preview: query.preview,
    tsv: query.tsv,
    created: query.createdAt,
    place: placeOf(query),
    parent: query.parentId ?? null,
    activate: query.activate,
    skills: query.skills,
    must_exist: query.mustExist,
  }));
  return sql<AppendRow[]>`
    select branch_id, pos, parent_id, created_at
    from chat_append_all(
      ${first.owner}, ${first.session}, ${JSON.stringify(messages)}::text::json, ${areInARow(first, rest)}
    )`;
}

/** Whether each one continues where the one before has left the session. */
function areInARow(first: AppendQuery, rest: readonly AppendQuery[]): boolean {
  const becomesLeaf = (query: AppendQuery) => query.activate === "yes";
  return (
    becomesLeaf(first) && rest.every((query) => becomesLeaf(query) && placeOf(query) === "leaf")
  );
}

function placeOf({ parentId }: AppendQuery): "leaf" | "root" | "message" {
  if (parentId === undefined) return "leaf";
  return parentId === null ? "root" : "message";
}

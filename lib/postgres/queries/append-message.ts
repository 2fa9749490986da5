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
  const place =
    query.parentId === undefined ? "leaf" : query.parentId === null ? "root" : "message";
  const [row] = await sql<[AppendRow]>`
    select branch_id, pos, parent_id, created_at
    from chat_append(
      ${query.owner}, ${query.session}, ${query.id}, ${query.role}, ${query.content}, ${query.preview},
      ${query.tsv}::tsvector, ${query.createdAt}, ${place}, ${query.parentId ?? null}, ${query.activate},
      ${query.skills}, ${query.mustExist}
    )`;
  return row;
}

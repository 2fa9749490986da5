import type { Sql } from "postgres";

export interface AnswerWriteRow {
  label: string;
  /** Empty for a block. */
  key: string;
  version: number;
}

/** The versions of memory documents that one message wrote, in the order of writing. */
export function answerWrites(
  sql: Sql,
  { owner, session, messageId }: { owner: string; session: string; messageId: string },
): Promise<AnswerWriteRow[]> {
  return sql<AnswerWriteRow[]>`
    select label, key, version
    from chat_document_version
    where owner_id = ${owner} and session_id = ${session} and message_id = ${messageId}
    order by created_at, label, key, version
    limit 200`;
}

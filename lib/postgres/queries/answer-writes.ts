import type { Sql } from "postgres";

export interface AnswerWriteRow {
  label: string;
  /** Empty for a block. */
  key: string;
  version: number;
  before: string | null;
  after: string | null;
}

/** The versions of memory documents that one message wrote by itself, in the order of writing. */
export function answerWrites(
  sql: Sql,
  { owner, session, messageId }: { owner: string; session: string; messageId: string },
): Promise<AnswerWriteRow[]> {
  return sql<AnswerWriteRow[]>`
    select written.label, written.key, written.version, written.content as after, earlier.content as before
    from chat_document_version written
    left join chat_document_version earlier
      on earlier.owner_id = written.owner_id and earlier.scope = written.scope and earlier.label = written.label
      and earlier.key = written.key and earlier.version = written.version - 1
    where written.owner_id = ${owner} and written.session_id = ${session} and written.message_id = ${messageId}
      and written.proposal_id is null
    order by written.created_at, written.label, written.key, written.version
    limit 200`;
}

import type { Sql } from "postgres";
import { deletedPrefix } from "./blocks";

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

export interface WrittenRow {
  message_id: string;
  /** What its block is called now; `null` when that is deleted. */
  label: string | null;
  /** Empty for a block. */
  key: string;
  version: number;
}

/** Where the versions stand now that messages wrote by themselves, of each message in the order of writing. */
export function writtenBy(
  sql: Sql,
  { owner, session, messageIds }: { owner: string; session: string; messageIds: string[] },
): Promise<WrittenRow[]> {
  return sql<WrittenRow[]>`
    select
      message_id, case when not starts_with(label, ${deletedPrefix}) then label end as label, key, version
    from chat_document_version written
    where owner_id = ${owner} and session_id = ${session} and message_id = any(${messageIds}) and proposal_id is null
    order by created_at, written.label, key, version`;
}

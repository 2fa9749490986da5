import type { Sql } from "postgres";
import { postgresFailure, translateFailure } from "@/lib/postgres/database-error";
import { storableJson, storableJsonInSlices } from "@/lib/postgres/storable";
import { isRefusal } from "@/lib/postgres/tree/append-messages";
import { messageColumns } from "@/lib/postgres/tree/stored-message";
import { MessageConflictError, type SessionMessage } from "@/lib/session";
import { storableText } from "@/lib/session/internal";
import type { Json, RunRecord } from "./run-row";

export interface RunEnd {
  readonly status: Exclude<RunRecord["status"], "running">;
  /** Default: `running`. */
  readonly from?: readonly RunRecord["status"][] | undefined;
  /** Its fields are added to the stored one. */
  readonly receipt?: Json | undefined;
  readonly problem?: string | undefined;
  readonly pause?: Json | undefined;
  readonly answer?: EndedAnswer | undefined;
}

export interface EndedAnswer {
  readonly sessionId: string;
  readonly message: SessionMessage;
  /** `under` a message, `behind` the newest one without showing it, or `instead` of what is stored of it. */
  readonly place: { readonly under: string } | "behind" | "instead";
}

export interface RunEnded {
  readonly stored: "added" | "changed" | null;
  readonly parentId: string | null;
}

const endedBefore = "GR014";

export async function endRun(
  sql: Sql,
  { ownerId, run }: { ownerId: string; run: Pick<RunRecord, "id" | "fence"> },
  { status, from = ["running"], receipt, problem, pause, answer }: RunEnd,
): Promise<RunEnded | null> {
  const added = receipt === undefined ? null : await storableJsonInSlices(receipt);
  const error = problem === undefined ? null : storableText(problem);
  const waiting = pause === undefined ? null : storableJson(pause);
  const message = answer ? await messageJson(answer) : null;
  try {
    const [ended] = await sql<RunEnded[]>`
      select stored, parent_id as "parentId"
      from chat_end_run(
        ${ownerId}, ${run.id}, ${run.fence}, ${[...from]}, ${status}, ${added}::text::jsonb, ${error},
        ${waiting}::text::jsonb, ${answer?.sessionId ?? null}, ${message}::text::json
      )`;
    return ended ?? null;
  } catch (failure) {
    if (postgresFailure(failure)?.code === endedBefore) return null;
    const known = answer && isConflict(failure);
    throw known ? new MessageConflictError(answer.message.id) : translateFailure(failure);
  }
}

/** An unknown parent is another matter. */
function isConflict(error: unknown): boolean {
  return isRefusal(error) && postgresFailure(error)?.code !== "GR001";
}

async function messageJson({ message, place }: EndedAnswer): Promise<string> {
  const { content, preview, tsv, skills } = messageColumns(message);
  return JSON.stringify({
    id: message.id,
    content,
    preview,
    tsv: await tsv,
    skills: skills && (JSON.parse(skills) as unknown),
    place: typeof place === "string" ? place : "under",
    parent: typeof place === "string" ? null : place.under,
  });
}

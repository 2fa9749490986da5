import { MessageConflictError } from "grove-session";
import type { EndedRun, HeldRun, RunEnd } from "@/lib/chat/core/run-store";
import {
  isRefusal,
  messageColumns,
  postgresFailure,
  type Sql,
  storableJson,
  storableJsonInSlices,
  storableText,
  translateFailure,
} from "@/lib/postgres/storage";

const endedBefore = "GR014";

export async function endRun(
  sql: Sql,
  { ownerId, run }: { ownerId: string; run: HeldRun },
  { status, from = ["running"], receipt, problem, pause, answer }: RunEnd,
): Promise<EndedRun | null> {
  const added = receipt === undefined ? null : await storableJsonInSlices(receipt);
  const error = problem === undefined ? null : storableText(problem);
  const waiting = pause === undefined ? null : storableJson(pause);
  const message = answer ? await messageJson(answer) : null;
  try {
    const [ended] = await sql<EndedRun[]>`
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

function isConflict(error: unknown): boolean {
  return isRefusal(error) && postgresFailure(error)?.code !== "GR001";
}

async function messageJson({ message, place }: NonNullable<RunEnd["answer"]>): Promise<string> {
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

import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { planOf } from "@/lib/chat/runs/summary-plan";
import type { AnswerStatus } from "@/lib/chat/wire/messages";
import type { ModelErrorDescription } from "@/lib/llm";

const serverStopped =
  "Nothing was summarized: the server stopped while the summary was being written.";

/** @param problem `null`: its process has ended. */
export function interruption(
  problem: ModelErrorDescription | null,
): Pick<RunRecord, "status" | "problem"> & { readonly status: AnswerStatus } {
  return { status: "interrupted", problem: problem?.message ?? serverStopped };
}

/**
 * Ends the summary of a dead process: complete if it was stored, otherwise interrupted.
 *
 * @returns the ended run; `null` when another process has ended it.
 */
export async function recoverSummary(
  owner: OwnerData,
  run: RunRecord,
  problem: ModelErrorDescription | null = null,
): Promise<RunRecord | null> {
  const { toMessageId } = planOf(run);
  const compactions = await owner.store.messages(run.sessionId).getCompactions();
  const isThere = compactions.some(
    (compaction) => compaction.toMessageId === toMessageId && compaction.createdAt >= run.startedAt,
  );
  const end = isThere ? ({ status: "complete", problem: null } as const) : interruption(problem);
  const { status } = end;
  const ended = await owner.runs.end(run, { status, problem: end.problem ?? undefined });
  return ended && { ...run, ...end };
}

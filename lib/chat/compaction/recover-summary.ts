import type { RunRecord } from "@/lib/chat/answering/run-store";
import type { OwnerData } from "@/lib/chat/owner-data";
import { planOf } from "./summary-plan";

export const summaryInterrupted = {
  status: "interrupted",
  problem: "Nothing was summarized: the server stopped while the summary was being written.",
} as const;

/**
 * Ends the summary of a dead process: complete if it was stored, otherwise interrupted. @returns the ended run.
 */
export async function recoverSummary(owner: OwnerData, run: RunRecord): Promise<RunRecord> {
  const { toMessageId } = planOf(run);
  const compactions = await owner.store.messages(run.sessionId).getCompactions();
  const isThere = compactions.some(
    (compaction) => compaction.toMessageId === toMessageId && compaction.createdAt >= run.startedAt,
  );
  const end = isThere ? ({ status: "complete", problem: null } as const) : summaryInterrupted;
  await owner.runs.finish(run.id, end.status, { problem: end.problem ?? undefined });
  return { ...run, ...end };
}

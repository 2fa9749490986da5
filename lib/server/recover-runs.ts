import { leaseMs } from "@/lib/chat/answering/lease";
import { claimExpiredRuns } from "@/lib/postgres/internal";
import { logFailure } from "./log";
import type { Services } from "./services";

/** Ends the runs of dead processes. One that fails is retried later and does not block others. */
export async function recoverRuns({
  sql,
  runner,
  owner,
}: Pick<Services, "sql" | "runner" | "owner">): Promise<void> {
  for (const { ownerId, run } of await claimExpiredRuns(sql, { leaseMs })) {
    // A live run of this process that could not reach the database for a while.
    if (runner.live.get(ownerId, run.id)) continue;
    try {
      await runner.recover(owner(ownerId), run);
    } catch (error) {
      logFailure("Ending what was interrupted", error);
    }
  }
  await runner.recoverSpooled(owner);
}

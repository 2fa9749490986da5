import { logFailure } from "./log";
import type { Services } from "./services";

/** Ends the runs of dead processes. One that fails is retried later and does not block others. */
export async function recoverRuns({
  claims,
  runner,
  dataOf,
}: Pick<Services, "claims" | "runner" | "dataOf">): Promise<void> {
  for (let claimed = await claims.claim(); claimed.length > 0; claimed = await claims.claim())
    for (const { ownerId, run } of claimed) {
      // A live run of this process that could not reach the database for a while.
      if (runner.live.get(ownerId, run.id)) continue;
      try {
        await runner.recover(dataOf(ownerId), run);
      } catch (error) {
        logFailure("Ending what was interrupted", error);
      }
    }
  await runner.recoverSpooled(dataOf);
}

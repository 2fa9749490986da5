import { logFailure } from "./log";
import type { Services } from "./services";

/** Ends the runs of dead processes. One that fails is retried later and does not block others. */
export async function recoverRuns({
  claims,
  runner,
  dataOf,
}: Pick<Services, "claims" | "runner" | "dataOf">): Promise<void> {
  for (let claimed = await claims.claim(); claimed.length > 0; claimed = await claims.claim()) {
    // At once, so that none waits until its new lease is over.
    const ending = claimed.map(async ({ ownerId, run }) => {
      // A live run of this process that could not reach the database for a while.
      if (runner.live.get(ownerId, run.id)) return;
      try {
        await runner.recover(dataOf(ownerId), run);
      } catch (error) {
        logFailure("Ending what was interrupted", error);
      }
    });
    await Promise.all(ending);
  }
  await runner.recoverSpooled(dataOf);
}

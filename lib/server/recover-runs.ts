import { logFailure } from "./log";
import type { Services } from "./services";

export async function recoverRuns({
  claims,
  runner,
  dataOf,
}: Pick<Services, "claims" | "runner" | "dataOf">): Promise<void> {
  // Live runs of this process whose database was away for longer than their lease go on.
  const claim = () => claims.claim(runner.live.addresses);
  for (let claimed = await claim(); claimed.length > 0; claimed = await claim()) {
    // All end at once, so that none waits until its new lease is over.
    const ending = claimed.map(async ({ ownerId, run }) => {
      try {
        await runner.recover(dataOf(ownerId, run.personId), run);
      } catch (error) {
        logFailure("Ending what was interrupted", error);
      }
    });
    await Promise.all(ending);
  }
  await runner.recoverSpooled(dataOf);
}

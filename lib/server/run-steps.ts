import { isDatabaseAway } from "@/lib/chat/core/database-away";
import { logFailure } from "./log";

/** A sentence's beginning, such as "Removing files", and the work. */
export type Step = readonly [what: string, act: () => Promise<unknown>];

/** Runs every step: one that fails is logged and keeps none of the others, unless the database is away from all. */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  for (const [what, act] of steps) {
    try {
      await act();
    } catch (error) {
      logFailure(what, error);
      if (isDatabaseAway(error)) return;
    }
  }
}

import { isDatabaseAway } from "@/lib/chat/database-away";
import { SessionError } from "@/lib/session";

const tries = 12;
const firstPauseMs = 100;
const longestPauseMs = 2_000;

/**
 * Retries for as long as the database is away, since the end of an answer exists only in memory, and other failures for
 * about 20 seconds. Library errors are thrown at once.
 */
export async function retry<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let failed = 1; ; failed++) {
    try {
      return await act();
    } catch (error) {
      const isHopeless = error instanceof SessionError || failed >= tries;
      if (isHopeless && !isDatabaseAway(error)) throw error;
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failed - 1, 10));
      await new Promise((wake) => setTimeout(wake, pauseMs));
    }
  }
}

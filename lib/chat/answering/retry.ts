import { SessionError } from "@/lib/session";

const tries = 12;
const firstPauseMs = 100;
const longestPauseMs = 8_000;

/**
 * Retries for about a minute with growing pauses: the end of an answer exists only in memory, so it waits for a
 * restarting database. Library errors are thrown at once.
 */
export async function retry<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let failed = 1; ; failed++) {
    try {
      return await act();
    } catch (error) {
      if (error instanceof SessionError || failed === tries) throw error;
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failed - 1));
      await new Promise((wake) => setTimeout(wake, pauseMs));
    }
  }
}

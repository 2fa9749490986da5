import { SessionError } from "@/lib/session";

const tries = 12;
const firstPauseMs = 100;
const longestPauseMs = 8_000;

/**
 * Does something again when it fails, for about a minute: the end of an answer is worth waiting for a database that
 * restarts, since the only whole copy of it is in memory. What the library refuses is refused at once.
 */
export async function persistently<Result>(act: () => Promise<Result>): Promise<Result> {
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

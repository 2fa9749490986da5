import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseAway } from "@/lib/chat/database-away";
import { SessionError } from "@/lib/session";

const firstPauseMs = 100;
const longestPauseMs = 2_000;

export interface RetryOptions {
  /** Of failures other than an absent database; the default takes about 20 seconds. */
  readonly tries?: number;
  /** Ends the retries: the last failure is thrown. */
  readonly signal?: AbortSignal;
  readonly onFailure?: () => void;
}

/** Retries for as long as the database is away, other failures a few times. Library errors are thrown at once. */
export async function retry<Result>(
  act: () => Promise<Result>,
  { tries = 12, signal, onFailure }: RetryOptions = {},
): Promise<Result> {
  for (let failed = 1; ; failed++) {
    try {
      return await act();
    } catch (error) {
      onFailure?.();
      const isHopeless = error instanceof SessionError || failed >= tries;
      if (isHopeless && !isDatabaseAway(error)) throw error;
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failed - 1, 10));
      await delay(pauseMs, undefined, signal && { signal }).catch(() => undefined);
      if (signal?.aborted) throw error;
    }
  }
}

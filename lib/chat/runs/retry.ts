import { setTimeout as delay } from "node:timers/promises";
import { SessionError } from "grove-session";
import { isDatabaseAway, isRefusedForGood } from "@/lib/chat/core/database-away";

const firstPauseMs = 100;
const longestPauseMs = 2_000;

export interface RetryOptions {
  readonly tries?: number;
  readonly waits?: boolean | undefined;
  readonly signal?: AbortSignal;
  readonly onFailure?: (() => void) | undefined;
  /** Ends early, without an error, when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * Retries while the database is away, other failures a few times. Library errors and refused values are thrown at once.
 */
export async function retry<Result>(
  act: () => Promise<Result>,
  { tries = 12, waits = true, signal, onFailure, pause = pauseFor }: RetryOptions = {},
): Promise<Result> {
  for (let failed = 1; ; failed++) {
    try {
      return await act();
    } catch (error) {
      onFailure?.();
      const isHopeless =
        error instanceof SessionError || isRefusedForGood(error) || failed >= tries;
      if (isDatabaseAway(error) ? !waits : isHopeless) throw error;
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failed - 1, 10));
      await pause(pauseMs, signal);
      if (signal?.aborted) throw error;
    }
  }
}

function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return delay(ms, undefined, signal && { signal }).catch(() => undefined);
}

/**
 * Bookkeeping neither holds nor fails an answer: after a few tries this reports the failure and returns `without`.
 * @throws when the database is away and not waited for.
 */
export async function ifPossible<Result, Without>(
  act: () => Promise<Result>,
  without: Without,
  { failed, ...options }: RetryOptions & { readonly failed: (error: unknown) => void },
): Promise<Result | Without> {
  try {
    return await retry(act, { tries: 3, ...options });
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    failed(error);
    return without;
  }
}

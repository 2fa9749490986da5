import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseAway, isRefusedForGood } from "@/lib/chat/core/database-away";
import { SessionError } from "@/lib/session";

const firstPauseMs = 100;
const longestPauseMs = 2_000;

export interface RetryOptions {
  /** Of failures other than an absent database; the default takes about 20 seconds. */
  readonly tries?: number;
  /** False: an absent database is not waited for. */
  readonly waits?: boolean | undefined;
  /** Ends the retries: the last failure is thrown. */
  readonly signal?: AbortSignal;
  readonly onFailure?: (() => void) | undefined;
}

/**
 * Retries for as long as the database is away, other failures a few times. Errors of the library, and values that the
 * database refuses, are thrown at once.
 */
export async function retry<Result>(
  act: () => Promise<Result>,
  { tries = 12, waits = true, signal, onFailure }: RetryOptions = {},
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
      await delay(pauseMs, undefined, signal && { signal }).catch(() => undefined);
      if (signal?.aborted) throw error;
    }
  }
}

/**
 * For bookkeeping, which neither holds nor fails an answer: after a few tries the failure is reported and `without`
 * returned. @throws when the database is away and not waited for.
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

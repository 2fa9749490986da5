import { z } from "zod";

/** Limits of one call of a model, in milliseconds and bytes. */
export interface ModelLimits {
  /** Longest wait for the first byte of an answer. */
  readonly firstByteMs: number;
  /** Longest wait between two bytes. */
  readonly nextByteMs: number;
  readonly maxBytes: number;
  /** After a fault before the first part of an answer. */
  readonly retries: number;
  /** Doubles with each retry. */
  readonly retryPauseMs: number;
}

// Node's `fetch` gives up after 300 seconds of silence.
const longestSeconds = 290;
/** Models that reason may be silent while they do, and local servers while they load a model. */
const slowFactor = 4;

const seconds = z.coerce.number().positive().max(longestSeconds).catch(60);

/** From `GROVE_MODEL_FIRST_BYTE_SECONDS` and `GROVE_MODEL_NEXT_BYTE_SECONDS`; invalid values count as unset. */
export function modelLimits(
  environment: Readonly<Record<string, string | undefined>>,
): ModelLimits {
  return {
    firstByteMs: seconds.parse(environment.GROVE_MODEL_FIRST_BYTE_SECONDS) * 1_000,
    nextByteMs: seconds.parse(environment.GROVE_MODEL_NEXT_BYTE_SECONDS) * 1_000,
    maxBytes: 64 * 1024 * 1024,
    retries: 2,
    retryPauseMs: 500,
  };
}

export function limitsOfSlowModels(limits: ModelLimits): ModelLimits {
  const slow = (ms: number) => Math.min(longestSeconds * 1_000, ms * slowFactor);
  return {
    ...limits,
    firstByteMs: slow(limits.firstByteMs),
    nextByteMs: slow(limits.nextByteMs),
  };
}

import { z } from "zod";

export interface ModelLimits {
  readonly firstByteMs: number;
  readonly nextByteMs: number;
  readonly maxBytes: number;
  readonly retries: number;
  readonly retryPauseMs: number;
}

// Node's `fetch` gives up after 300 seconds of silence.
const longestSeconds = 290;
/** Reasoning models, and local servers that load a model, are silent for long. */
const slowFactor = 4;

const seconds = z.coerce.number().positive().max(longestSeconds).catch(60);

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
  return { ...limits, firstByteMs: slow(limits.firstByteMs), nextByteMs: slow(limits.nextByteMs) };
}

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface Operation {
  name: string;
  /** `null` for the floor. */
  messages: number | null;
  every?: number;
  prepare?(): void;
  run(round: number): Promise<unknown>;
}

export interface Timing {
  name: string;
  messages: number | null;
  p50: number;
  p95: number;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as (options: { type: "minor" | "major" }) => void;

/** Milliseconds of an operation whose garbage outlives a minor collection. */
const longOperation = 50;

/**
 * Takes turns, so that other load affects all alike. Milliseconds. Discards the first rounds: prepared statements
 * settle on a plan after five executions. No operation pays for what the one before has left in memory.
 */
export async function interleave(
  operations: readonly Operation[],
  { rounds, signal }: { rounds: number; signal: AbortSignal },
): Promise<Timing[]> {
  const samples = operations.map((): number[] => []);
  const warmUpRounds = 10;
  let took = 0;
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    for (const [index, operation] of operations.entries()) {
      signal.throwIfAborted();
      if (round % (operation.every ?? 1) !== 0) continue;
      operation.prepare?.();
      collectGarbage({ type: took > longOperation ? "major" : "minor" });
      const startedAt = performance.now();
      await operation.run(round);
      took = performance.now() - startedAt;
      if (round >= warmUpRounds) samples[index]?.push(took);
    }
  }
  return operations.map(({ name, messages }, index) => ({
    name,
    messages,
    p50: percentile(samples[index] ?? [], 0.5),
    p95: percentile(samples[index] ?? [], 0.95),
  }));
}

/** `NaN` without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Exponent of time over size: 0 is flat, 1 proportional. */
export function growthExponent(
  small: { size: number; time: number },
  large: { size: number; time: number },
): number {
  return Math.log(large.time / small.time) / Math.log(large.size / small.size);
}

/** Something that is timed again and again. */
export interface Operation {
  name: string;
  /** Messages in the session it works on; `null` for the floor. */
  messages: number | null;
  /** Timed in every so many rounds, 1 unless told. */
  every?: number;
  /** What has to be there before the clock starts. */
  prepare?(): void;
  run(round: number): Promise<unknown>;
}

export interface Timing {
  name: string;
  messages: number | null;
  p50: number;
  p95: number;
}

/**
 * Times operations in turns, so that whatever else the machine does meets all of them alike. Milliseconds.
 *
 * The first rounds are not counted: prepared statements settle on a plan after five executions.
 */
export async function interleave(
  operations: readonly Operation[],
  { rounds, signal }: { rounds: number; signal: AbortSignal },
): Promise<Timing[]> {
  const samples = operations.map((): number[] => []);
  const warmUpRounds = 10;
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    for (const [index, operation] of operations.entries()) {
      signal.throwIfAborted();
      if (round % (operation.every ?? 1) !== 0) continue;
      operation.prepare?.();
      const startedAt = performance.now();
      await operation.run(round);
      const took = performance.now() - startedAt;
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

/** `NaN` without a value. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The power of the size that a time grows with between two sizes: 0 for not at all, 1 for in proportion. */
export function growthExponent(
  small: { size: number; time: number },
  large: { size: number; time: number },
): number {
  return Math.log(large.time / small.time) / Math.log(large.size / small.size);
}

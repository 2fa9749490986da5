import { percentile } from "@/lab/bench/interleave";
import type { DrillResult } from "./drill";

const sampleEveryMs = 500;
const recentSamples = 20;
/** A slower machine breaks the promise all the same. */
const mostAllowed = 4;
/** Some milliseconds, longer than a scheduler lets one process run while others wait. */
const rounds = 4_000_000;

/**
 * Times a fixed piece of work again and again, to tell a slow answer from a busy machine: budgets of time are stretched
 * by its median of the last ten seconds over its best.
 */
export class Slowdown {
  readonly #timer = setInterval(() => this.#sample(), sampleEveryMs).unref();
  #best = Number.POSITIVE_INFINITY;
  #recent: number[] = [];
  #most = 1;

  constructor() {
    this.#sample();
  }

  /** Factor for times of seconds. */
  get now(): number {
    return slowdownOf(this.#recent, this.#best);
  }

  /** Factor for the longest of many times. */
  get most(): number {
    return this.#most;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const startedAt = performance.now();
    // Never 0; asked for so that no compiler leaves the work out.
    if (spin() === 0) return;
    const tookMs = performance.now() - startedAt;
    this.#best = Math.min(this.#best, tookMs);
    this.#recent = [...this.#recent, tookMs].slice(-recentSamples);
    if (this.#recent.length === recentSamples) this.#most = Math.max(this.#most, this.now);
  }
}

export function slowdownOf(tookMs: readonly number[], bestMs: number): number {
  return Math.min(mostAllowed, Math.max(1, percentile(tookMs, 0.5) / bestMs));
}

function spin(): number {
  let mixed = 1;
  for (let round = 0; round < rounds; round++) mixed = Math.imul(mixed ^ round, 0x9e3779b1) | 1;
  return mixed;
}

export async function whileMeasuring(
  act: (slowdown: Slowdown) => Promise<DrillResult>,
): Promise<DrillResult> {
  const slowdown = new Slowdown();
  try {
    const { broken, figures } = await act(slowdown);
    return { broken, figures: { ...figures, "times slower than at its best": slowdown.most } };
  } finally {
    slowdown.end();
  }
}

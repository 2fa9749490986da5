const firstPauseMs = 500;
const longestPauseMs = 30_000;
const forgottenAfterMs = 60_000;

export class Backoff {
  #pauseMs = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** Milliseconds. */
  next(): number {
    const isOld = performance.now() - this.#lastAt > forgottenAfterMs + this.#pauseMs;
    this.#pauseMs = isOld ? 0 : Math.min(longestPauseMs, this.#pauseMs * 2 || firstPauseMs);
    this.#lastAt = performance.now();
    return this.#pauseMs;
  }
}

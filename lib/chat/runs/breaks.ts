import { setImmediate } from "node:timers/promises";

const longestMs = 10;

/** Yields every 10 ms. */
export class Breaks {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since >= longestMs;
  }

  async take(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}

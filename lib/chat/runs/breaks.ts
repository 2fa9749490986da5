import { setImmediate } from "node:timers/promises";

const longestMs = 10;

/** For long loops: lets other work run once 10 ms have passed since it last did. */
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

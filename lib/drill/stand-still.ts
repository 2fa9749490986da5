const tickMs = 50;
/** Shorter ones are of a process at work. */
const shortestMs = 100;

/** Adds up the times in which this process did not run, as others did. Its own work is none. */
export class StandStill {
  #totalMs = 0;
  #tickedAt = performance.now();
  #worked = process.cpuUsage();
  readonly #timer = setInterval(() => this.#note(), tickMs).unref();

  get totalMs(): number {
    this.#note();
    return this.#totalMs;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #note(): void {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.#worked);
    const idleMs = now - this.#tickedAt - tickMs - (user + system) / 1_000;
    if (idleMs >= shortestMs) this.#totalMs += idleMs;
    this.#tickedAt = now;
    this.#worked = process.cpuUsage();
  }
}

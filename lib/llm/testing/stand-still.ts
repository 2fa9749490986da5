const tickMs = 50;

/** Adds up the times in which this process was due to run, and others did. Its own work is none. */
export class StandStill {
  #endedMs = 0;
  #tickedAt = performance.now();
  #worked = process.cpuUsage();
  readonly #timer = setInterval(() => this.#tick(), tickMs).unref();

  get totalMs(): number {
    return this.#endedMs + this.#sinceTickMs();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    this.#endedMs += this.#sinceTickMs();
    this.#tickedAt = performance.now();
    this.#worked = process.cpuUsage();
  }

  #sinceTickMs(): number {
    const passedMs = performance.now() - this.#tickedAt;
    const { user, system } = process.cpuUsage(this.#worked);
    return Math.max(0, Math.min(passedMs - tickMs, passedMs - (user + system) / 1_000));
  }
}

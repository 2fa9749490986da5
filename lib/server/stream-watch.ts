/** Signals that end open streams, by what lets them go on: a device's session, or a membership. */
export class StreamWatch {
  readonly #open = new Map<string, AbortController>();

  signalOf(key: string): AbortSignal {
    const known = this.#open.get(key) ?? new AbortController();
    this.#open.set(key, known);
    return known.signal;
  }

  end(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#open.get(key)?.abort();
      this.#open.delete(key);
    }
  }

  /** A session or membership may end in another process, or by time. */
  async endThoseGone(
    liveOf: (keys: readonly string[]) => Promise<readonly string[]>,
    isAsked: (key: string) => boolean = () => true,
  ): Promise<void> {
    const keys = [...this.#open.keys()].filter(isAsked);
    if (keys.length === 0) return;
    const live = new Set(await liveOf(keys));
    this.end(keys.filter((key) => !live.has(key)));
  }
}

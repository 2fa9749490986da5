export class DeviceWatch {
  readonly #open = new Map<string, AbortController>();

  signalOf(sessionId: string): AbortSignal {
    const known = this.#open.get(sessionId) ?? new AbortController();
    this.#open.set(sessionId, known);
    return known.signal;
  }

  end(sessionIds: Iterable<string>): void {
    for (const id of sessionIds) {
      this.#open.get(id)?.abort();
      this.#open.delete(id);
    }
  }

  /** Sessions may end in another process, or by time. */
  async endThoseGone(
    liveOf: (sessionIds: readonly string[]) => Promise<readonly string[]>,
  ): Promise<void> {
    const ids = [...this.#open.keys()];
    if (ids.length === 0) return;
    const live = new Set(await liveOf(ids));
    this.end(ids.filter((id) => !live.has(id)));
  }
}

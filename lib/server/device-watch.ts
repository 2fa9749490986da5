/** Ends what is open for a device, such as an answer being read, once it is signed out. */
export class DeviceWatch {
  readonly #open = new Map<string, AbortController>();

  /** Aborted when the session ends. */
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

import { ChatError } from "./chat-error";

/** The summaries that are being written in this process at a person's wish, so that they can be stopped. */
export class RunningCompactions {
  readonly #running = new Map<string, Set<AbortController>>();

  /** Does `work` with a signal that `stop` aborts, for as long as it takes. */
  async run<Result>(
    place: CompactionPlace,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const key = keyOf(place);
    const controller = new AbortController();
    const others = this.#running.get(key) ?? new Set();
    this.#running.set(key, others.add(controller));
    try {
      return await work(controller.signal);
    } finally {
      others.delete(controller);
      if (others.size === 0) this.#running.delete(key);
    }
  }

  /** Stops what is being written in a session; says whether anything was. */
  stop(place: CompactionPlace): boolean {
    const running = this.#running.get(keyOf(place)) ?? new Set();
    for (const controller of running) {
      controller.abort(
        new ChatError("compaction-stopped", "The summary was stopped. Nothing was changed."),
      );
    }
    return running.size > 0;
  }
}

export interface CompactionPlace {
  readonly ownerId: string;
  readonly sessionId: string;
}

function keyOf({ ownerId, sessionId }: CompactionPlace): string {
  return JSON.stringify([ownerId, sessionId]);
}

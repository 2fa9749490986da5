import type { NewSessionEvent } from "@/lib/session/events";

/** Collects what the calls of a session write, and reports it once per call. */
export class SaveTracker {
  readonly #onSaved: (messageIds: string[]) => void;
  #callsUnderWay = 0;
  /** `null` while nothing was written. */
  #saved: Set<string> | null = null;

  constructor(onSaved: (messageIds: string[]) => void) {
    this.#onSaved = onSaved;
  }

  /** Notes a write for the report that follows. */
  note(event: NewSessionEvent): void {
    this.#saved ??= new Set();
    if ("messageId" in event) this.#saved.add(event.messageId);
  }

  /** Runs a call that writes. Calls within calls, and calls at the same time, share one report at their end. */
  async run<Result>(write: () => Promise<Result>): Promise<Result> {
    this.#callsUnderWay++;
    try {
      return await write();
    } finally {
      this.#callsUnderWay--;
      if (this.#callsUnderWay === 0) this.#report();
    }
  }

  #report(): void {
    if (this.#saved === null) return;
    const messageIds = [...this.#saved];
    this.#saved = null;
    this.#onSaved(messageIds);
  }
}

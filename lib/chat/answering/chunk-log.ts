import type { UIMessageChunk } from "ai";
import type { RunStore } from "./run-store";

const flushMs = 80;
const batchChunks = 1_000;

/**
 * Writes in order, one batch at a time. A failed batch is retried with the next: the log must not stop the answer,
 * whose end is stored separately.
 */
export class ChunkLog {
  readonly #runs: RunStore;
  readonly #runId: string;
  #written = 0;
  #pending: UIMessageChunk[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(runs: RunStore, runId: string) {
    this.#runs = runs;
    this.#runId = runId;
  }

  add(chunk: UIMessageChunk): void {
    this.#pending.push(chunk);
    this.#timer ??= setTimeout(() => this.#flush(), flushMs);
  }

  /** Writes the rest. @returns false when the log is incomplete. */
  async close(): Promise<boolean> {
    this.#flush();
    await this.#writing;
    return this.#pending.length === 0;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        const batch = this.#pending.slice(0, batchChunks);
        await this.#runs.appendChunks(this.#runId, this.#written, batch);
        this.#pending.splice(0, batch.length);
        this.#written += batch.length;
      }
    } catch {
      // Kept for the next write.
    }
  }
}

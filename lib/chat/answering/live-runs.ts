import type { UIMessageChunk } from "ai";
import type { RunRecord } from "./run-store";

/** The chunks a run of this process has written so far, and how to hear of more. */
export class LiveRun {
  readonly chunks: UIMessageChunk[] = [];
  readonly #stop = new AbortController();
  #ended = false;
  #wake: (() => void)[] = [];

  /** Aborted when somebody asks for an end. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  stop(): void {
    this.#stop.abort();
  }

  push(chunk: UIMessageChunk): void {
    this.chunks.push(chunk);
    this.#notify();
  }

  end(): void {
    this.#ended = true;
    this.#notify();
  }

  /** Resolves when there is a chunk after the first `count`, or none will come. */
  async moreThan(count: number): Promise<void> {
    if (this.#ended || this.chunks.length > count) return;
    await new Promise<void>((wake) => this.#wake.push(wake));
  }

  #notify(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}

interface OwnedRun {
  readonly ownerId: string;
  readonly run: RunRecord;
}

/** The runs that this process is writing. */
export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>();
  readonly #records = new Map<string, OwnedRun>();

  get(runId: string): LiveRun | undefined {
    return this.#runs.get(runId);
  }

  /** What a run of an owner began as; `null` when this process does not write it. */
  runOf(ownerId: string, runId: string): RunRecord | null {
    const known = this.#records.get(runId);
    return known?.ownerId === ownerId ? known.run : null;
  }

  add(live: LiveRun, owned: OwnedRun): void {
    this.#runs.set(owned.run.id, live);
    this.#records.set(owned.run.id, owned);
  }

  close(runId: string): void {
    this.#runs.get(runId)?.end();
    this.#runs.delete(runId);
    this.#records.delete(runId);
  }

  /** Ends every run, as when the process is asked to go. */
  stopAll(): void {
    for (const run of this.#runs.values()) run.stop();
  }

  get count(): number {
    return this.#runs.size;
  }
}

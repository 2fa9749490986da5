import type { UIMessageChunk } from "ai";
import type { SpaceId } from "@/lib/chat/core/person-in-space";
import type { RunRecord, RunStore } from "@/lib/chat/core/run-store";
import type { ModelErrorDescription } from "@/lib/llm";
import type { RunAddress } from "./answer-spool";
import { Breaks } from "./breaks";
import { partOf } from "./pause";

export class LiveRun {
  readonly chunks: UIMessageChunk[] = [];
  readonly #stop = new AbortController();
  #endsAs: "stopped" | "interrupted" = "stopped";
  #problem: ModelErrorDescription | null = null;
  #ended = false;
  #isLost = false;
  #progressedAt = performance.now();
  readonly #viewers = new Set<() => void>();

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  get endsAs(): "stopped" | "interrupted" {
    return this.#endsAs;
  }

  stop(): void {
    this.#stop.abort();
  }

  get problem(): ModelErrorDescription | null {
    return this.#problem;
  }

  interrupt(problem: ModelErrorDescription | null = null): void {
    if (!this.signal.aborted) {
      this.#endsAs = "interrupted";
      this.#problem = problem;
    }
    this.#stop.abort();
  }

  /** Another process has taken the run over: this writer must not end it. */
  get isLost(): boolean {
    return this.#isLost;
  }

  lose(): void {
    this.#isLost = true;
    this.interrupt();
  }

  get stalledMs(): number {
    return performance.now() - this.#progressedAt;
  }

  noteProgress(): void {
    this.#progressedAt = performance.now();
  }

  push(chunk: UIMessageChunk): void {
    this.noteProgress();
    this.chunks.push(chunk);
    this.#notify();
  }

  end(): void {
    this.#ended = true;
    this.#notify();
  }

  subscribe(wake: () => void): () => void {
    this.#viewers.add(wake);
    return () => void this.#viewers.delete(wake);
  }

  get viewerCount(): number {
    return this.#viewers.size;
  }

  #notify(): void {
    for (const wake of this.#viewers) wake();
  }
}

interface KnownRun {
  readonly live: LiveRun;
  readonly record: RunRecord;
}

/** Runs are found by owner and id, because clients choose ids. */
export class LiveRuns {
  readonly #runs = new Map<string, KnownRun & { readonly ownerId: SpaceId }>();
  #onEmpty: (() => void)[] = [];

  get(spaceId: SpaceId, runId: string): LiveRun | undefined {
    return this.#runs.get(keyOf(spaceId, runId))?.live;
  }

  recordOf(spaceId: SpaceId, runId: string): RunRecord | null {
    return this.#runs.get(keyOf(spaceId, runId))?.record ?? null;
  }

  add(spaceId: SpaceId, run: KnownRun): void {
    this.#runs.set(keyOf(spaceId, run.record.id), { ...run, ownerId: spaceId });
  }

  /** Leaves a newer live run of the same id, as after a pause. */
  close(spaceId: SpaceId, runId: string, live: LiveRun): void {
    live.end();
    const key = keyOf(spaceId, runId);
    if (this.#runs.get(key)?.live === live) this.#runs.delete(key);
    if (this.#runs.size > 0) return;
    for (const resolve of this.#onEmpty.splice(0)) resolve();
  }

  interruptAll(): void {
    for (const { live } of this.#runs.values()) live.interrupt();
  }

  async emptied(): Promise<void> {
    if (this.#runs.size > 0) await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }

  get addresses(): RunAddress[] {
    return [...this.#runs.values()].map(({ ownerId, record }) => ({ ownerId, runId: record.id }));
  }

  get count(): number {
    return this.#runs.size;
  }
}

function keyOf(spaceId: SpaceId, runId: string): string {
  return JSON.stringify([spaceId, runId]);
}

interface FollowOptions {
  readonly runs: RunStore;
  readonly live: LiveRun | undefined;
  readonly runId: string;
  readonly part: number;
  readonly after: number;
  readonly signal: AbortSignal;
}

const pollMs = 150;

const batchChunks = 100;

/** Leaving does not affect the run. */
export async function* followRun(
  options: FollowOptions,
): AsyncGenerator<readonly UIMessageChunk[]> {
  if (options.live) yield* followLive(options.live, options);
  else yield* followStored(options);
}

async function* followLive(
  run: LiveRun,
  { after, signal }: FollowOptions,
): AsyncGenerator<readonly UIMessageChunk[]> {
  let seen = after;
  let wake = () => {};
  const wakeUp = () => wake();
  const unsubscribe = run.subscribe(wakeUp);
  signal.addEventListener("abort", wakeUp);
  const breaks = new Breaks();
  try {
    while (!signal.aborted) {
      if (seen < run.chunks.length) {
        const chunks = run.chunks.slice(seen, seen + batchChunks);
        seen += chunks.length;
        yield chunks;
        if (breaks.isDue && seen < run.chunks.length) await breaks.take();
      } else if (run.isEnded) {
        return;
      } else {
        await new Promise<void>((resume) => {
          wake = resume;
        });
      }
    }
  } finally {
    unsubscribe();
    signal.removeEventListener("abort", wakeUp);
  }
}

async function* followStored({
  runs,
  runId,
  part,
  after,
  signal,
}: FollowOptions): AsyncGenerator<readonly UIMessageChunk[]> {
  let seen = after;
  while (!signal.aborted) {
    // Before the chunks: an ended run has written all of them.
    const run = await runs.get(runId);
    if (run && partOf(run) !== part && run.status === "running") return;
    const chunks = (await runs.readChunks(runId, seen)) as UIMessageChunk[];
    seen += chunks.length;
    for (let from = 0; from < chunks.length; from += batchChunks)
      yield chunks.slice(from, from + batchChunks);
    if (run?.status !== "running") return;
    await new Promise((wake) => setTimeout(wake, pollMs));
  }
}

import type { UIMessageChunk } from "ai";
import type { LiveRun } from "./live-runs";
import type { RunStore } from "./run-store";

export interface FollowOptions {
  readonly runs: RunStore;
  /** When this process writes it. */
  readonly live: LiveRun | undefined;
  readonly runId: string;
  readonly after: number;
  readonly signal: AbortSignal;
}

const pollMs = 150;

/** From memory or the database. Leaving does not affect the run. */
export async function* followRun(options: FollowOptions): AsyncGenerator<UIMessageChunk> {
  const { live: run, signal } = options;
  if (!run) return yield* followStored(options);
  let seen = options.after;
  const left = new Promise<void>((leave) =>
    signal.addEventListener("abort", () => leave(), { once: true }),
  );
  while (!signal.aborted) {
    while (seen < run.chunks.length) {
      const chunk = run.chunks[seen++];
      if (chunk) yield chunk;
    }
    if (run.isEnded) return;
    await Promise.race([run.moreThan(seen), left]);
  }
}

async function* followStored({
  runs,
  runId,
  after,
  signal,
}: FollowOptions): AsyncGenerator<UIMessageChunk> {
  let seen = after;
  while (!signal.aborted) {
    // Before the chunks: an ended run has written all of them.
    const run = await runs.get(runId);
    for (const chunk of await runs.readChunks(runId, seen)) {
      seen++;
      yield chunk as UIMessageChunk;
    }
    if (run?.status !== "running") return;
    await new Promise((wake) => setTimeout(wake, pollMs));
  }
}

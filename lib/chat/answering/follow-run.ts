import type { UIMessageChunk } from "ai";
import { Breaks } from "./breaks";
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
  if (options.live) yield* followLive(options.live, options);
  else yield* followStored(options);
}

async function* followLive(
  run: LiveRun,
  { after, signal }: FollowOptions,
): AsyncGenerator<UIMessageChunk> {
  let seen = after;
  let wake = () => {};
  const wakeUp = () => wake();
  const unsubscribe = run.subscribe(wakeUp);
  signal.addEventListener("abort", wakeUp);
  const breaks = new Breaks();
  try {
    while (!signal.aborted) {
      const chunk = run.chunks[seen];
      if (chunk) {
        seen++;
        yield chunk;
        if (breaks.isDue) await breaks.take();
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

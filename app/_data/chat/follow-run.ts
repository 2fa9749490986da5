import type { UIMessageChunk } from "ai";

export interface FollowRunOptions {
  /** `after` 0 means from the first chunk; `null` when the run is over and its chunks are gone. */
  readonly open: (after: number) => Promise<ReadableStream<UIMessageChunk> | null>;
  /** `attempt` counts from 1 since the last chunk. */
  readonly pause: (attempt: number) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onReconnecting?: (reconnecting: boolean) => void;
}

/**
 * Streams every chunk of an answer once and in order across reconnections. Ends with the final chunk, when the server
 * no longer knows the run, or when a new connection closes without anything new.
 */
export async function* followRun(options: FollowRunOptions): AsyncGenerator<UIMessageChunk, void> {
  let received = 0;
  let attempt = 0;
  while (!options.signal.aborted) {
    const before = received;
    let dropped = false;
    try {
      const connection = await options.open(received);
      if (!connection) return;
      options.onReconnecting?.(false);
      for await (const chunk of readable(connection)) {
        received += 1;
        attempt = 0;
        yield chunk;
        if (endsAnswer(chunk)) return;
      }
    } catch (error) {
      if (options.signal.aborted) return;
      if (!isPassing(error)) throw error;
      dropped = true;
    }
    if (!dropped && received === before) return;
    attempt += 1;
    options.onReconnecting?.(true);
    await options.pause(attempt);
  }
}

// Safari has no async iteration over streams.
async function* readable<T>(stream: ReadableStream<T>): AsyncGenerator<T, void> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function endsAnswer(chunk: UIMessageChunk): boolean {
  return chunk.type === "finish" || chunk.type === "abort" || chunk.type === "error";
}

/** Includes server errors that may pass. */
function isPassing(error: unknown): boolean {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  return typeof status !== "number" || status >= 500 || status === 408 || status === 429;
}

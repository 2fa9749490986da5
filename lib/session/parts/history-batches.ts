import type { StoredMessage } from "../message";
import type { IterateOptions, SessionTreeProvider, WindowOptions } from "../session-provider";
import { jsonBytes } from "../text";

export interface HistoryBatches extends IterateOptions {
  /** Default `"oldest-first"`. */
  readonly order?: "oldest-first" | "newest-first" | undefined;
  readonly signal?: AbortSignal | undefined;
  /** JSON in UTF-8; a larger message is a batch of its own. Default: no limit. */
  readonly maxBatchBytes?: number | undefined;
}

export async function* historyBatches(
  tree: SessionTreeProvider,
  {
    order = "oldest-first",
    signal,
    maxBatchBytes = Number.POSITIVE_INFINITY,
    ...options
  }: HistoryBatches = {},
): AsyncIterable<StoredMessage[]> {
  const { leafId, batchSize: limit } = options;
  const read =
    order === "oldest-first"
      ? tree.iterateHistory(options)
      : historyBackwards(tree, { leafId, limit });
  signal?.throwIfAborted();
  for await (const messages of read) {
    for (const batch of batchesWithin(messages, maxBatchBytes)) {
      signal?.throwIfAborted();
      yield batch;
      signal?.throwIfAborted();
    }
  }
}

export async function* historyBackwards(
  tree: SessionTreeProvider,
  { limit = 200, ...options }: Pick<WindowOptions, "leafId" | "limit" | "overlays">,
): AsyncIterable<StoredMessage[]> {
  let beforePosition: number | undefined;
  for (;;) {
    const { entries, hasMore } = await tree.getWindow({ ...options, beforePosition, limit });
    if (entries.length > 0) yield entries.map(({ message }) => message).reverse();
    beforePosition = entries[0]?.position;
    if (!hasMore || beforePosition === undefined) return;
  }
}

function* batchesWithin(
  messages: StoredMessage[],
  maxBytes: number,
): Generator<StoredMessage[], void> {
  let batch: StoredMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = maxBytes === Number.POSITIVE_INFINITY ? 0 : jsonBytes(message);
    if (batch.length > 0 && bytes + size > maxBytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

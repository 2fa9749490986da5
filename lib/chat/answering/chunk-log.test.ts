import type { UIMessageChunk } from "ai";
import { describe, expect, test } from "vitest";
import { ChunkLog } from "./chunk-log";
import type { RunStore } from "./run-store";

const delta = (n: number): UIMessageChunk => ({ type: "text-delta", id: "t", delta: `${n}` });
const deltas = (count: number) => Array.from({ length: count }, (_, n) => delta(n));

/** A log whose first writes fail. */
function logged({ failures = 0 } = {}) {
  const stored: unknown[] = [];
  const sizes: number[] = [];
  let left = failures;
  const appendChunks: RunStore["appendChunks"] = async (_, from, chunks) => {
    if (left-- > 0) throw new Error("CONNECTION_CLOSED");
    expect(from).toBe(stored.length);
    sizes.push(chunks.length);
    stored.push(...chunks);
  };
  return { log: new ChunkLog({ appendChunks } as RunStore, "run"), stored, sizes };
}

describe("ChunkLog", () => {
  test("stores every chunk in order, in batches", async () => {
    const { log, stored, sizes } = logged();
    for (const chunk of deltas(2_500)) log.add(chunk);
    expect(await log.close()).toBe(true);
    expect(stored).toEqual(deltas(2_500));
    expect(sizes).toEqual([1_000, 1_000, 500]);
  });

  test("leaves no gap where a write failed", async () => {
    const { log, stored } = logged({ failures: 2 });
    log.add(delta(0));
    expect(await log.close()).toBe(false);
    log.add(delta(1));
    expect(await log.close()).toBe(false);
    expect(stored).toEqual([]);
    log.add(delta(2));
    expect(await log.close()).toBe(true);
    expect(stored).toEqual(deltas(3));
  });

  test("writes nothing when there is nothing", async () => {
    const { log, sizes } = logged();
    expect(await log.close()).toBe(true);
    expect(sizes).toEqual([]);
  });
});

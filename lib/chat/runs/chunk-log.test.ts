import type { UIMessageChunk } from "ai";
import { describe, expect, test, vi } from "vitest";
import { asSpace } from "@/lib/chat/core/person-in-space";
import type { RunStore } from "@/lib/chat/core/run-store";
import { temporarySpool } from "@/lib/chat/testing/run-fixture";
import type { AnswerSpool } from "./answer-spool";
import { ChunkLog, flushMsFor } from "./chunk-log";

const delta = (n: number): UIMessageChunk => ({ type: "text-delta", id: "t", delta: `${n}` });
const deltas = (count: number) => Array.from({ length: count }, (_, n) => delta(n));
const address = { ownerId: asSpace("owner"), runId: "run" };

/** A log whose first writes fail. */
function logged({
  failures = 0,
  isStoredAllTheSame = false,
  spool = null as AnswerSpool | null,
} = {}) {
  const stored: unknown[] = [];
  const sizes: number[] = [];
  const failing = { left: failures };
  const runs: Pick<RunStore, "appendChunks" | "readChunks"> = {
    appendChunks: async (_, from, chunks) => {
      const fails = failing.left-- > 0;
      if (!fails || isStoredAllTheSame) {
        expect(from).toBe(stored.length);
        sizes.push(chunks.length);
        stored.push(...chunks);
      }
      if (fails) throw new Error("CONNECTION_CLOSED");
    },
    readChunks: async (_, from) => stored.slice(from),
  };
  const log = new ChunkLog({ spaceId: address.ownerId, runs: runs as RunStore }, "run", { spool });
  return { log, stored, sizes, failing };
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

  test("stores no chunk twice whose write was stored and reported as failed", async () => {
    const { log, stored } = logged({ failures: 1, isStoredAllTheSame: true });
    log.add(delta(0));
    expect(await log.close()).toBe(false);
    log.add(delta(1));
    expect(await log.close()).toBe(true);
    expect(stored).toEqual(deltas(2));
  });

  test("catches up once the database is back, also when the model is silent", async () => {
    const { log, stored, failing } = logged({ failures: Number.POSITIVE_INFINITY });
    log.add(delta(0));
    await vi.waitFor(() => expect(failing.left).toBe(Number.POSITIVE_INFINITY));
    failing.left = 0;
    await vi.waitFor(() => expect(stored).toEqual(deltas(1)), { timeout: 5_000 });
  });

  test("keeps the whole answer in the spool while the database is away", async () => {
    const spool = await temporarySpool();
    const { log, failing } = logged({ spool });
    log.add(delta(0));
    expect(await log.close()).toBe(true);
    expect(await spool.runs()).toEqual([]);
    failing.left = 2;
    for (const chunk of deltas(3).slice(1)) {
      log.add(chunk);
      expect(await log.close()).toBe(false);
    }
    expect(await spool.read({ ...address, part: 0 })).toEqual(deltas(3));
    await log.removeSpooled();
    expect(await spool.runs()).toEqual([]);
  });

  test("writes nothing when there is nothing", async () => {
    const { log, sizes } = logged();
    expect(await log.close()).toBe(true);
    expect(sizes).toEqual([]);
  });
});

test("Many answers write less often, and none waits longer than half a second", () => {
  expect([1, 8, 20, 200].map(flushMsFor)).toEqual([80, 80, 200, 500]);
});

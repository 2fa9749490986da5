import { expect, test } from "vitest";
import { timedCache } from "./timed-cache";

function counted(ttlMs = 100) {
  let now = 0;
  let loads = 0;
  const cache = timedCache(async () => ++loads, { ttlMs: () => ttlMs, now: () => now });
  return { cache, pass: (ms: number) => (now += ms) };
}

test("loads once until the time is up", async () => {
  const { cache, pass } = counted(100);
  expect([await cache.get(), await cache.get()]).toEqual([1, 1]);
  pass(99);
  expect(await cache.get()).toBe(1);
  pass(1);
  expect(await cache.get()).toBe(2);
});

test("shares one load between askers at the same time", async () => {
  const { cache } = counted();
  expect(await Promise.all([cache.get(), cache.get(), cache.refresh()])).toEqual([1, 1, 1]);
});

test("loads again on refresh", async () => {
  const { cache } = counted();
  await cache.get();
  expect(await cache.refresh()).toBe(2);
  expect(await cache.get()).toBe(2);
});

test("does not keep a failure", async () => {
  let fails = true;
  const cache = timedCache(
    async () => {
      if (fails) throw new Error("down");
      return "up";
    },
    { ttlMs: () => 100, now: () => 0 },
  );
  await expect(cache.get()).rejects.toThrow("down");
  fails = false;
  expect(await cache.get()).toBe("up");
});

import { beforeEach, expect, test, vi } from "vitest";
import { Backoff } from "./backoff";

beforeEach(() => void vi.useFakeTimers());

test("The first restart waits for nothing, and each one soon after it longer, up to 30 seconds", () => {
  const backoff = new Backoff();
  const pauses = Array.from({ length: 9 }, () => backoff.next());
  expect(pauses).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test("A restart after a healthy minute waits for nothing again", () => {
  const backoff = new Backoff();
  backoff.next();
  expect(backoff.next()).toBe(500);
  vi.advanceTimersByTime(61_000);
  expect(backoff.next()).toBe(0);
});

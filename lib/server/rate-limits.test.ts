import { describe, expect, test, vi } from "vitest";
import { limitUse, RateLimits } from "./rate-limits";

describe("limits", () => {
  test("refuse a key that used its own up, and no other, until the time is over", () => {
    vi.useFakeTimers();
    const limits = new RateLimits();
    const limit = { most: 2, perMs: 60_000 };
    const take = (key: string) => () => limits.take(key, limit);
    take("a")();
    take("a")();
    expect(take("a")).toThrow("Too many requests. Try again in 60 seconds.");
    expect(take("b")).not.toThrow();
    vi.advanceTimersByTime(60_001);
    expect(take("a")).not.toThrow();
  });

  test("keep a bounded number of keys", () => {
    const limits = new RateLimits();
    for (let n = 0; n < 25_000; n++) limits.take(String(n), { most: 1, perMs: 1_000 });
    expect(limits.size).toBe(20_000);
  });

  test("of sending are counted per person, whatever the chat", () => {
    const limits = new RateLimits();
    const send = (userId: string, n: number) =>
      limitUse(
        limits,
        userId,
        new Request(`http://x/api/sessions/s${n}/messages`, { method: "POST" }),
      );
    for (let n = 0; n < 120; n++) send("a", n);
    expect(() => send("a", 0)).toThrow("Too many requests");
    expect(() => send("b", 0)).not.toThrow();
  });
});

import { SessionNotFoundError } from "grove-session";
import { expect, test } from "vitest";
import { retry } from "./retry";

/** Time that passes by pauses alone. */
class Clock {
  now = 0;
  pause = async (ms: number) => {
    this.now += ms;
  };

  failing(error: Error, forMs: number) {
    return async () => {
      if (this.now < forMs) throw error;
      return "stored";
    };
  }
}

const away = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });

test("A database that is away for an hour is waited for, and found within two seconds", async () => {
  const clock = new Clock();
  expect(await retry(clock.failing(away, 3_600_000), clock)).toBe("stored");
  expect(clock.now).toBeLessThanOrEqual(3_602_000);
});

test("A failure of another kind is given up after some seconds", async () => {
  const clock = new Clock();
  const stored = retry(clock.failing(new TypeError("A fault"), 3_600_000), clock);
  await expect(stored).rejects.toThrow("A fault");
  expect(clock.now).toBeGreaterThan(10_000);
  expect(clock.now).toBeLessThan(30_000);
});

test("A refusal of the library is thrown at once", async () => {
  await expect(retry(new Clock().failing(new SessionNotFoundError("s"), 1))).rejects.toThrow();
});

import { beforeEach, expect, test, vi } from "vitest";
import { SessionNotFoundError } from "@/lib/session";
import { retry } from "./retry";

beforeEach(() => void vi.useFakeTimers());

/** Fails until `forMs` have passed. */
function failing(error: Error, forMs: number) {
  const until = Date.now() + forMs;
  return async () => {
    if (Date.now() < until) throw error;
    return "stored";
  };
}

const away = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });

test("A database that is away for an hour is waited for, and found within two seconds", async () => {
  const stored = retry(failing(away, 3_600_000));
  await vi.advanceTimersByTimeAsync(3_602_000);
  expect(await stored).toBe("stored");
});

test("A failure of another kind is given up after some seconds", async () => {
  const stored = retry(failing(new TypeError("A fault"), 3_600_000));
  const outcome = expect(stored).rejects.toThrow("A fault");
  await vi.advanceTimersByTimeAsync(30_000);
  await outcome;
});

test("A refusal of the library is thrown at once", async () => {
  await expect(retry(failing(new SessionNotFoundError("s"), 1))).rejects.toThrow();
});

import { expect, test } from "vitest";
import { leftWords, limitWords } from "./limit-words";

test("limits are named, and those that are absent are not", () => {
  expect(limitWords({ monthlyDollars: 5, messagesPerDay: 20 })).toBe(
    "$5 a month, 20 messages a day",
  );
  expect(limitWords({ monthlyDollars: null, messagesPerDay: 20 })).toBe("20 messages a day");
  expect(limitWords({ monthlyDollars: null, messagesPerDay: null })).toBe("no limits");
});

test("says what is left, never less than nothing", () => {
  const limits = { monthlyDollars: 5, messagesPerDay: 20 };
  const spent = { dollars: 5.2, messages: 3 };
  expect(leftWords({ limits, spent, startsAgainAt: "2026-12-01T00:00:00.000Z" })).toEqual([
    "$0.00 of $5 left this month",
    "17 of 20 messages left today",
  ]);
});

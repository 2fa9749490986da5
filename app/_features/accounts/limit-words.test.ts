import { expect, test } from "vitest";
import { leftWords, limitWords } from "./limit-words";

const none = { monthlyDollars: null, messagesPerDay: null, storedMegabytes: null };

test("limits are named, and those that are absent are not", () => {
  expect(limitWords({ monthlyDollars: 5, messagesPerDay: 20, storedMegabytes: 1_500 })).toBe(
    "$5 a month, 20 messages a day, 1.5 GB of files",
  );
  expect(limitWords({ ...none, messagesPerDay: 20 })).toBe("20 messages a day");
  expect(limitWords({ ...none, storedMegabytes: 0 })).toBe("0 B of files");
  expect(limitWords(none)).toBe("no limits");
});

test("says what is left, never less than nothing, and how much is stored", () => {
  const limits = { monthlyDollars: 5, messagesPerDay: 20, storedMegabytes: 100 };
  const spent = { dollars: 5.2, messages: 3, storedBytes: 12_300_000 };
  expect(leftWords({ limits, spent, startsAgainAt: "2026-12-01T00:00:00.000Z" })).toEqual([
    "$0.00 of $5 left this month",
    "17 of 20 messages left today",
    "12 MB of 100 MB of files stored",
  ]);
});

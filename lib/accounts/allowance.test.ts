import { expect, test } from "vitest";
import { refusal } from "./allowance";

const now = new Date("2026-12-31T23:00:00Z");
const limits = { monthlyDollars: 5, messagesPerDay: 20, storedMegabytes: null };

test.each([
  [{ dollars: 4.99, messages: 19 }, null],
  [
    { dollars: 5.021, messages: 0 },
    "You have used $5.02 of your $5 for December, so nothing was sent. It starts again on January 1 (UTC). Ask Ada for more.",
  ],
  [
    { dollars: 0, messages: 20 },
    "You have sent your 20 messages of today, so nothing was sent. You can go on at midnight UTC. Ask Ada for more.",
  ],
])("with %o used says %s", (spent, sentence) => {
  expect(refusal({ limits, spent, now }, ["Ada"])).toBe(sentence);
});

test("no limit refuses nothing, and a limit of zero everything", () => {
  const spent = { dollars: 900, messages: 900 };
  const none = { monthlyDollars: null, messagesPerDay: null, storedMegabytes: null };
  expect(refusal({ limits: none, spent, now }, [])).toBeNull();
  const zero = { monthlyDollars: 0, messagesPerDay: null, storedMegabytes: null };
  expect(refusal({ limits: zero, spent: { dollars: 0, messages: 0 }, now }, [])).toContain(
    "Ask an administrator for more.",
  );
});

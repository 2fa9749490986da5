import { expect, test } from "vitest";
import { newSummary, nextSummary } from "./summary-writing";

const wish = { sessionId: "s", leafId: "a9", focus: "", upTo: "a3", replaces: null };

test("grows with what is written, and begins anew with the next piece of a long conversation", () => {
  const heard = [
    { type: "started" },
    { type: "text", text: "Half a " },
    { type: "text", text: "word" },
    { type: "started" },
    { type: "text", text: "Whole" },
  ] as const;
  const texts = heard.map((_, n) =>
    heard.slice(0, n + 1).reduce(nextSummary, newSummary("w", wish, 0)),
  );
  expect(texts.map(({ text }) => text)).toEqual(["", "Half a ", "Half a word", "", "Whole"]);
});

test("that failed says why and keeps what was written in sight", () => {
  const written = nextSummary(newSummary("w", wish, 0), { type: "text", text: "Half" });
  const error = { code: "compaction-failed", message: "The provider has a fault." };
  expect(nextSummary(written, { type: "failed", error })).toMatchObject({
    text: "Half",
    state: { kind: "failed", reason: "The provider has a fault." },
  });
});

import { expect, test } from "vitest";
import { meantMessage, meantPart, meantParts } from "./meant-parts";

test("turns text that its end calls a thought into one", () => {
  const providerMetadata = { grove: { meant: "reasoning" }, other: { a: 1 } };
  expect(meantPart({ type: "text", text: "Hm.", state: "done", providerMetadata })).toEqual({
    type: "reasoning",
    text: "Hm.",
    state: "done",
    providerMetadata: { other: { a: 1 } },
  });
});

test("turns a thought that never closed into text with its tag", () => {
  const providerMetadata = { grove: { meant: "text", opening: "<think>" } };
  expect(meantPart({ type: "reasoning", text: "Hm.", providerMetadata })).toEqual({
    type: "text",
    text: "<think>Hm.",
  });
});

test("leaves a message alone in which nothing was meant otherwise", () => {
  const message = {
    parts: [{ type: "text", text: "a", providerMetadata: { grove: { meant: 1 } } }],
  };
  expect(meantMessage(message)).toBe(message);
});

test("takes a thought out of the text that holds it", () => {
  const providerMetadata = { grove: { thought: [3, 6] }, other: { a: 1 } };
  expect(
    meantParts({ type: "text", text: "So Hm.it is.", state: "done", providerMetadata }),
  ).toEqual([
    { type: "text", text: "So it is.", state: "done", providerMetadata: { other: { a: 1 } } },
    { type: "reasoning", text: "Hm.", state: "done" },
  ]);
});

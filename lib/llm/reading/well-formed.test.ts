import { expect, it } from "vitest";
import { wellFormedJson } from "./well-formed";

it("replaces halves of characters and NUL wherever they are", () => {
  const body = { a: "x\ud83d", b: ["\ude00y", { "\udfff": "a\0b" }], c: "\ud83d\ude00 \\ud83d é" };
  expect(JSON.parse(wellFormedJson(JSON.stringify(body)))).toEqual({
    a: "x\ufffd",
    b: ["\ufffdy", { "\ufffd": "a\ufffdb" }],
    c: "\ud83d\ude00 \\ud83d é",
  });
});

it("leaves a text alone that shows such an escape", () => {
  const json = JSON.stringify({ text: String.raw`\ud83d and \\u0000 and \u0000` });
  expect(wellFormedJson(json)).toBe(json);
});

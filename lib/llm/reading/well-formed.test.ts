import { expect, it } from "vitest";
import { wellFormedBody, wellFormedJson } from "./well-formed";

const readers = [wellFormedJson, wellFormedBody];

it.each(readers)("%o replaces halves of characters and NUL wherever they are", (read) => {
  const body = { a: "x\ud83d", b: ["\ude00y", { "\udfff": "a\0b" }], c: "\ud83d\ude00 \\ud83d é" };
  expect(JSON.parse(read(JSON.stringify(body)))).toEqual({
    a: "x\ufffd",
    b: ["\ufffdy", { "\ufffd": "a\ufffdb" }],
    c: "\ud83d\ude00 \\ud83d é",
  });
});

it.each(readers)("%o leaves a text alone that shows such an escape", (read) => {
  const json = JSON.stringify({ text: String.raw`\ud83d and \\u0000 and \u0000` });
  expect(read(json)).toBe(json);
});

it("reads a body without such an escape no further", () => {
  for (const text of ["plain", "\u001b[1m", "😀 é", String.raw`a\b`]) {
    const body = JSON.stringify({ text });
    expect(wellFormedBody(body)).toBe(body);
  }
});

it("replaces raw halves in JSON that a model wrote", () => {
  expect(wellFormedJson('{"a":"x\ud83d"}')).toBe('{"a":"x\ufffd"}');
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { codeIn, codeOfVersion, withCode } from "./answer-code";

const answer =
  "Look:\n\n```html title=x\n<p>\n```\n\n~~~py\na = 1\n\nb = 2\n~~~\n\n```js\nnever closed";

test("finds the closed blocks of code of an answer, in its order", () => {
  const found = codeIn([answer, "```svg\n```"]).map(({ textAt, language, code }) => [
    textAt,
    language,
    code,
  ]);
  expect(found).toEqual([
    [0, "html", "<p>"],
    [0, "py", "a = 1\n\nb = 2"],
    [1, "svg", ""],
  ]);
});

test("an edit replaces one block, and leaves all around it as it was", () => {
  const [html, py] = codeIn([answer]);
  if (!html || !py) throw new Error("The blocks are missing.");
  expect(withCode(answer, html, "<b>\n")).toBe(answer.replace("<p>", "<b>\n"));
  expect(withCode(answer, py, "")).toBe(answer.replace("a = 1\n\nb = 2", ""));
});

test("any code that is written into a block is found there again", () => {
  const piece = fc.constantFrom("```", "~~~~", "`````html", "text", " ", "\n", "a = 1");
  const property = fc.property(fc.array(piece), (pieces) => {
    const code = pieces.join("");
    const [html, py] = codeIn([answer]);
    if (!html || !py) throw new Error("The blocks are missing.");
    const changed = codeIn([withCode(answer, html, code)]);
    expect(changed.map((place) => place.code)).toEqual([code, py.code]);
  });
  fc.assert(property);
});

test("another version shows the block at the same place, or the first in its language", () => {
  const places = codeIn(["```js\n1\n```\n```html\n2\n```\n```html\n3\n```"]);
  const shown = (at: number, language: string) => codeOfVersion({ at, language }, places);
  expect([shown(2, "html"), shown(0, "html"), shown(0, "svg"), shown(-1, "html")]).toEqual([
    2, 1, -1, -1,
  ]);
});

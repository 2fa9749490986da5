import fc from "fast-check";
import { expect, test } from "vitest";
import { entry, path } from "@/app/_data/testing/wire-builders";
import { codeIn, codeOfVersion, openedPreview, shownVersion, withCode } from "./answer-code";

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

test("an answer beside those of other models stays, until one of them is kept", () => {
  const [question, chosen] = path("q1", "a1");
  if (!question || !chosen) throw new Error("The entries are missing.");
  const other = entry("a2", "q1");
  const shown = (isOneOfSeveral: boolean, metadata = {}) => {
    const asking = { ...question, message: { ...question.message, metadata } };
    return shownVersion({ entry: other, isOneOfSeveral }, { entries: [asking, chosen] });
  };
  expect(shown(true)).toBe(other);
  expect(shown(true, { kept: "a1" })).toBe(chosen);
  expect(shown(false)).toBe(chosen);
});

test("opens the block at its place on the page, and none of several equal ones without it", () => {
  const twice = "```js\n1\n```\n";
  const text = `${twice}${twice}\n~~~py\n2\n~~~`;
  const holding = entry("a1", "q1", {
    message: { id: "a1", role: "assistant", parts: [{ type: "text", text }] },
  });
  const opened = (code: string, language: string, place: number, count: number) =>
    openedPreview(holding, { code, language, place, count }).at;
  expect([opened("1", "js", 0, 3), opened("1", "js", 1, 3), opened("1", "js", 2, 4)]).toEqual([
    0, 1, -1,
  ]);
  expect([opened("2", "py", 3, 4), opened("2", "py", -1, 3)]).toEqual([2, -1]);
});

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

const nested =
  "1. First:\n\n   ```html\n   <p>\n\n   ```\n   - ~~~js\n     if (a) {\n       b();\n     ~~~\n\n> Quoted:\n> ```\n> c\n>\n> d\n> ```\nEnd.\n\n    ```\n    no block\n    ```\n";

test("finds code in lists and quotes without their marks, and an edit keeps these", () => {
  const places = codeIn([nested]);
  expect(places.map(({ code }) => code)).toEqual(["<p>\n", "if (a) {\n  b();", "c\n\nd"]);
  const [html, js, quoted] = places;
  if (!html || !js || !quoted) throw new Error("The blocks are missing.");
  expect(withCode(nested, html, "<b>\n\n<i>")).toBe(
    nested.replace("   <p>\n\n", "   <b>\n\n   <i>\n"),
  );
  expect(withCode(nested, js, "b();")).toBe(nested.replace("if (a) {\n       b();", "b();"));
  expect(withCode(nested, quoted, "\nd")).toBe(nested.replace("> c\n>\n", ">\n"));
});

test("finds no code whose list or quote ends before its fence does", () => {
  expect(codeIn(["- ```js\n  a\nb\n```\n", "> ```\n> a\nb\n> ```\n"])).toEqual([]);
});

test.each([
  ["beside other text", answer],
  ["in lists and quotes", nested],
])("any code that is written into a block %s is found there again", (_, text) => {
  const piece = fc.constantFrom("```", "~~~~", "`````html", "> ", "- ", "text", " ", "\n", "a = 1");
  const places = codeIn([text]);
  const at = fc.nat({ max: places.length - 1 });
  const property = fc.property(fc.array(piece), at, (pieces, at) => {
    const place = places[at];
    if (!place) throw new Error("The block is missing.");
    const expected = places.map(({ code }) => code).with(at, pieces.join(""));
    const changed = codeIn([withCode(text, place, pieces.join(""))]);
    expect(changed.map(({ code }) => code)).toEqual(expected);
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
  expect([opened("2", "py", 3, 4), opened("3", "py", 2, 3)]).toEqual([2, -1]);
});

import { expect, it } from "vitest";
import { nextField } from "./use-prompts";

const text = "Translate {{text}} to {{language}}.";
const first = { start: 10, end: 18 };
const second = { start: 22, end: 34 };

it("finds the field after a place, and the first one again after the last", () => {
  expect(nextField(text, 0)).toEqual(first);
  expect(nextField(text, 18)).toEqual(second);
  expect(nextField(text, 34)).toEqual(first);
});

it("finds the field before a place, and the last one again before the first", () => {
  expect(nextField(text, 34, { backwards: true })).toEqual(first);
  expect(nextField(text, 18, { backwards: true })).toEqual(second);
});

it("finds none in a text without fields, nor across lines", () => {
  expect(nextField("No fields {here} {{}}", 0)).toBeNull();
  expect(nextField("{{a\nb}}", 0)).toBeNull();
});

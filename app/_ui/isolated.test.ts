import { expect, it } from "vitest";
import { directionOf, isolated } from "./isolated";

it("leaves a name that is written from the left as it is", () => {
  expect(isolated("Zürich 森 – 42")).toBe("Zürich 森 – 42");
});

it("encloses a name that is written from the right", () => {
  expect(isolated("שלום")).toBe("\u2068שלום\u2069");
});

it("drops marks that would reach the words around it", () => {
  expect(isolated("a\u202egpj.exe\u2069")).toBe("agpj.exe");
});

it.each([
  ["1. שלום world", "rtl"],
  ["“Hello” سلام", "ltr"],
  ["42 – 7", null],
] as const)("the first letter of %j says %s", (text, direction) => {
  expect(directionOf(text)).toBe(direction);
});

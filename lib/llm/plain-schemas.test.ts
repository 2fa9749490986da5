import { expect, test } from "vitest";
import { withoutPatterns } from "./plain-schemas";

test("a schema loses its patterns, but no field that is called so", () => {
  const words = { type: "string", minLength: 1 } as const;
  expect(
    withoutPatterns({
      type: "object",
      properties: {
        pattern: { ...words, pattern: "\\S" },
        list: { type: "array", items: { anyOf: [{ ...words, pattern: "^a" }, { type: "null" }] } },
      },
      patternProperties: { "^x": words },
      default: { pattern: "kept" },
      required: ["pattern"],
    }),
  ).toEqual({
    type: "object",
    properties: {
      pattern: words,
      list: { type: "array", items: { anyOf: [words, { type: "null" }] } },
    },
    default: { pattern: "kept" },
    required: ["pattern"],
  });
});

test("a schema without patterns stays the same object, and another is read once", () => {
  const plain = { type: "object", properties: { a: { enum: ["x"] }, pattern: {} } } as const;
  expect(withoutPatterns(plain)).toBe(plain);
  const patterned = { type: "object", properties: { a: plain, b: { pattern: "x" } } } as const;
  expect(withoutPatterns(patterned)).toBe(withoutPatterns(patterned));
  expect(withoutPatterns(patterned).properties?.a).toBe(plain);
});

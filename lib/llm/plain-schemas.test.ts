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

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearestWord, typingErrors } from "./correct-query";

describe("typing errors", () => {
  test("are counted by letters missed, added, mixed up and swapped", () => {
    expect(typingErrors("pepers", "peppers")).toBe(1);
    expect(typingErrors("frok", "fork")).toBe(1);
    expect(typingErrors("deplxyment", "deployment")).toBe(1);
    expect(typingErrors("", "ab")).toBe(2);
  });

  test("are none for equal words, the same both ways, and at most the longer length", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (first, second) => {
        const errors = typingErrors(first, second);
        expect(errors === 0).toBe(first === second);
        expect(typingErrors(second, first)).toBe(errors);
        expect(errors).toBeLessThanOrEqual(Math.max([...first].length, [...second].length));
      }),
    );
  });
});

describe("the word that was meant", () => {
  test("is the one with the fewest errors", () => {
    expect(nearestWord("pepers", ["per", "pepper", "peppers"])).toBe("peppers");
    expect(nearestWord("frok", ["form", "fork"])).toBe("fork");
  });

  test("is none when every candidate is too far away", () => {
    expect(nearestWord("zebra", ["garden", "z"])).toBeNull();
    expect(nearestWord("tea", ["pen"])).toBeNull();
  });
});

import { expect, it } from "vitest";
import { countFormulas, hasMath, isInFormula, normalizeMath } from "./math-text";

it("rewrites the forms models use", () => {
  expect(normalizeMath("so \\(a+b\\) is")).toBe("so $$a+b$$ is");
  expect(normalizeMath("\\[ E = mc^2 \\]")).toBe("\n$$\nE = mc^2\n$$\n");
});

it("leaves code and money alone", () => {
  expect(normalizeMath("`\\(a\\)` and $5")).toBe("`\\(a\\)` and $5");
  expect(normalizeMath("```\n\\[ x \\]\n```")).toBe("```\n\\[ x \\]\n```");
  expect(hasMath("it costs $5 and $6")).toBe(false);
});

it("counts formulas in all their forms", () => {
  expect(countFormulas("$5 and $6")).toBe(0);
  expect(countFormulas("$$a$$ and \\(b\\) and \\[c\\]")).toBe(3);
});

it("knows whether a formula goes on after a line", () => {
  expect(isInFormula("$$", false)).toBe(true);
  expect(isInFormula("$$", true)).toBe(false);
  expect(isInFormula("x + y", true)).toBe(true);
  expect(isInFormula("a $$b$$ c", false)).toBe(false);
  expect(isInFormula("\\[", false)).toBe(true);
  expect(isInFormula("\\] done", true)).toBe(false);
});

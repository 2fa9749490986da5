import { expect, it } from "vitest";
import { hasMath, normalizeMath } from "./math-text";

it("rewrites the forms models use", () => {
  expect(normalizeMath("so \\(a+b\\) is")).toBe("so $$a+b$$ is");
  expect(normalizeMath("\\[ E = mc^2 \\]")).toBe("\n$$\nE = mc^2\n$$\n");
});

it("leaves code and money alone", () => {
  expect(normalizeMath("`\\(a\\)` and $5")).toBe("`\\(a\\)` and $5");
  expect(normalizeMath("```\n\\[ x \\]\n```")).toBe("```\n\\[ x \\]\n```");
  expect(hasMath("it costs $5 and $6")).toBe(false);
});

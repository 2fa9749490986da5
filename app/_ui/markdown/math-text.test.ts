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

it("takes single dollars for a formula when they hold one", () => {
  expect(normalizeMath("Euler: $e^{i\\pi}+1=0$, so")).toBe("Euler: $$e^{i\\pi}+1=0$$, so");
  expect(normalizeMath("let $x$ and $y'$ be")).toBe("let $$x$$ and $$y'$$ be");
  expect(normalizeMath("$$\na_1 = $b_2$\n$$")).toContain("$$\na_1");
  expect(hasMath("where $a = b$")).toBe(true);
  expect(countFormulas("$x$ and $y_1$")).toBe(2);
});

it("leaves amounts, variables of a shell and single dollars in code alone", () => {
  for (const text of [
    "it costs $5 and $10",
    "$5-$10, US$20 or $1,000=$1k",
    "between $3/month and $4/month",
    "export PATH=$HOME/bin:$PATH",
    "$a and $b are variables",
    "`$x^2$` and \\$x^2\\$",
  ]) {
    expect(normalizeMath(text)).toBe(text);
  }
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

import { expect, it } from "vitest";
import { formulaHtml } from "./formulas";

it("escapes what is in a formula, and makes no links, pictures or classes", () => {
  const html = formulaHtml("\\text{<img src=x onerror=alert(1)>}", { isDisplay: false });
  expect(html).toContain("&lt;img");
  expect(html).not.toContain("<img");
  for (const command of [
    "\\href{javascript:alert(1)}{x}",
    "\\includegraphics{https://a.example/x}",
  ]) {
    const refused = formulaHtml(command, { isDisplay: false });
    expect(refused).not.toMatch(/<a |<img|href=|src=/);
  }
});

it("shows a mistake in a formula in the place of the formula", () => {
  const html = formulaHtml("\\frac{a", { isDisplay: false });
  expect(html).toContain("var(--danger)");
  expect(html).toContain("\\frac{a");
});

it("tells a formula in a line from one on a line of its own", () => {
  expect(formulaHtml("x", { isDisplay: false })).not.toContain("katex-display");
  expect(formulaHtml("x", { isDisplay: true })).toContain("katex-display");
});

it("stays finite for a formula that calls itself", () => {
  expect(formulaHtml("\\def\\a{\\a\\a}\\a", { isDisplay: false })).toContain("katex-error");
});

/** Whether `text` may hold formulas, so that the maths renderer is worth loading. */
export function hasMath(text: string): boolean {
  return text.includes("$$") || text.includes("\\(") || text.includes("\\[");
}

/** How many formulas `text` may hold; one whose beginning and end are in different texts counts half in each. */
export function countFormulas(text: string): number {
  if (!hasMath(text)) return 0;
  return (text.split("$$").length - 1) / 2 + text.split(/\\[([]/).length - 1;
}

/** Whether a formula is open after `line`, given whether one was before it. */
export function isInFormula(line: string, isOpen: boolean): boolean {
  if (line.lastIndexOf("\\]") > line.lastIndexOf("\\[")) return false;
  if (line.includes("\\[")) return true;
  return line.split("$$").length % 2 === 0 ? !isOpen : isOpen;
}

/**
 * Rewrites `\( … \)` and `\[ … \]`, which many models write and Markdown would unescape, as the `$$` form. Code is left
 * alone.
 */
export function normalizeMath(markdown: string): string {
  if (!markdown.includes("\\(") && !markdown.includes("\\[")) return markdown;
  return markdown
    .split(/(`+[^`]*`+)/)
    .map((piece, index) => (index % 2 === 1 ? piece : withDollars(piece)))
    .join("");
}

function withDollars(text: string): string {
  return text
    .replace(/\\\[([\s\S]{1,4000}?)\\\]/g, (_, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
    .replace(/\\\(([^\n]{1,1000}?)\\\)/g, (_, formula: string) => `$$${formula.trim()}$$`);
}

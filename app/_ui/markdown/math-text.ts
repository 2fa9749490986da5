/**
 * A formula between single dollars, distinguished from money as in Pandoc (no space inside the dollars, no digit after
 * them; https://pandoc.org/MANUAL.html#math) and by containing something only formulas have.
 */
const betweenDollars =
  /(?<![\\$\w])\$(?![\s$])((?=[^$\n]*[\\^_={}<>+*/]|[A-Za-z]'?\$)[^$\n]{1,300}?)(?<![\s\\])\$(?![\w$])/g;

export function hasMath(text: string): boolean {
  if (text.includes("$$") || text.includes("\\(") || text.includes("\\[")) return true;
  return text.search(betweenDollars) >= 0;
}

/** A formula that spans two texts counts half in each. */
export function countFormulas(text: string): number {
  if (!hasMath(text)) return 0;
  const single = text.match(betweenDollars)?.length ?? 0;
  return (text.split("$$").length - 1) / 2 + text.split(/\\[([]/).length - 1 + single;
}

export function isInFormula(line: string, isOpen: boolean): boolean {
  if (line.lastIndexOf("\\]") > line.lastIndexOf("\\[")) return false;
  if (line.includes("\\[")) return true;
  return line.split("$$").length % 2 === 0 ? !isOpen : isOpen;
}

/** Markdown would unescape `\( … \)` and `\[ … \]`, so they become `$$`, as `$ … $` does. Code is left alone. */
export function normalizeMath(markdown: string): string {
  if (!/\$|\\[([]/.test(markdown)) return markdown;
  return markdown
    .split(/(`+[^`]*`+)/)
    .map((piece, index) => (index % 2 === 1 ? piece : withDollars(piece)))
    .join("");
}

function withDollars(text: string): string {
  return text
    .replace(/\\\[([\s\S]{1,4000}?)\\\]/g, (_, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
    .replace(/\\\(([^\n]{1,1000}?)\\\)/g, (_, formula: string) => `$$${formula.trim()}$$`)
    .replace(betweenDollars, (_, formula: string) => `$$${formula}$$`);
}

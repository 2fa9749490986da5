const MAX_LENGTH = 50_000;
const MAX_LINES = 5_000;
const MAX_MARKS = 6_400;
const MAX_MARKS_OF_RUN = 1_600;
const MAX_NESTING = 50;

const marks = /[*_~[\]!<>`|&@\\]/g;
/** Lines whose marks cannot pair with those of the lines before. */
const beginsRun = /^\s*(?:$|\||[-*+>]|#{1,6}\s|\d{1,9}[.)]\s|`{3}|~{3})/;

/**
 * Inline parsing is quadratic in the marks of one run of lines (12 KB of `**a` took 245 ms) and recursive in nesting
 * (10,000 `>` overflow the stack).
 */
export function isTooHeavy(block: string): boolean {
  if (block.length > MAX_LENGTH) return true;
  let all = 0;
  let ofRun = 0;
  let lines = 0;
  for (const line of block.split("\n")) {
    lines += 1;
    if (beginsRun.test(line)) ofRun = 0;
    const count = line.match(marks)?.length ?? 0;
    all += count;
    ofRun += count;
    if (ofRun > MAX_MARKS_OF_RUN || all > MAX_MARKS || lines > MAX_LINES) return true;
    if (nestingOf(line) > MAX_NESTING) return true;
  }
  return false;
}

function nestingOf(line: string): number {
  const lead = /^[\s>*+-]*/.exec(line)?.[0] ?? "";
  const quotes = lead.split(">").length - 1;
  const bullets = lead.split(/[*+-]/).length - 1;
  const indent = Math.floor((lead.length - lead.trimStart().length) / 2);
  return Math.max(quotes + bullets, indent);
}

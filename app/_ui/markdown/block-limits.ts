const MAX_BLOCK_LENGTH = 12_000;
const MAX_LINES = 1_200;
const MAX_MARKS = 1_600;
const MAX_NESTING = 50;

const mark = /[*_~[\]!<>`|&@\\]/;

/**
 * Inline parsing is quadratic in the marks of one block (12 KB of `**a**` took 245 ms, 12 KB of table cells 310 ms) and
 * recursive in its nesting (10,000 `>` overflow the stack), so each is bounded.
 */
export function isTooHeavy(block: string): boolean {
  if (block.length > MAX_BLOCK_LENGTH) return true;
  let marks = 0;
  let lines = 1;
  for (const character of block) {
    if (character === "\n") lines += 1;
    else if (mark.test(character)) marks += 1;
  }
  return marks > MAX_MARKS || lines > MAX_LINES || deepestNesting(block) > MAX_NESTING;
}

function deepestNesting(block: string): number {
  let deepest = 0;
  for (const line of block.split("\n")) {
    const lead = /^[\s>*+-]*/.exec(line)?.[0] ?? "";
    const quotes = lead.split(">").length - 1;
    const bullets = lead.split(/[*+-]/).length - 1;
    const indent = Math.floor((lead.length - lead.trimStart().length) / 2);
    deepest = Math.max(deepest, quotes + bullets, indent);
  }
  return deepest;
}

/** Deeper than anything people write, shallower than what overflows recursive readers. */
const deepest = 100;

/**
 * True for JSON nested more than 100 deep; for other text the answer is harmless. A regular expression for strings
 * would take quadratic time on hostile text.
 */
export function isNestedTooDeeply(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const sign = text[index];
    if (sign === '"') quoted = !quoted;
    else if (quoted && sign === "\\") index++;
    else if (!quoted && (sign === "[" || sign === "{")) depth++;
    else if (!quoted && (sign === "]" || sign === "}")) depth--;
    if (depth > deepest) return true;
  }
  return false;
}

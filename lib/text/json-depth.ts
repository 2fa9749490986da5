/** Deeper than anything people write, shallower than what overflows recursive readers. */
const deepest = 100;

/**
 * A regular expression for strings would take quadratic time on hostile text. Text that is not JSON gets a harmless
 * answer.
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

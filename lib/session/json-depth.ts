/** Deeper than anything people write; deeper still overflows the stack of recursive readers. */
const deepest = 100;

/**
 * Returns true for a JSON text whose brackets are nested more than 100 deep. The answer for any other text is harmless.
 *
 * A regular expression for quoted strings would take quadratic time on hostile text.
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

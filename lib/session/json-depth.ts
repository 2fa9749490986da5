/**
 * Returns how deeply the brackets of a JSON text are nested. The answer for any other text is harmless.
 *
 * A regular expression for quoted strings would take quadratic time on hostile text.
 */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const sign = text[index];
    if (sign === '"') quoted = !quoted;
    else if (quoted && sign === "\\") index++;
    else if (!quoted && (sign === "[" || sign === "{")) deepest = Math.max(deepest, ++depth);
    else if (!quoted && (sign === "]" || sign === "}")) depth--;
  }
  return deepest;
}

/**
 * How deep brackets are nested outside strings. Meaningless, but harmless, for what is no JSON.
 *
 * One pass by hand: an expression for quoted strings takes quadratic time on text made to hurt it.
 */
export function nesting(text: string): number {
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

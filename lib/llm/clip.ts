/**
 * `text` on one line and at most `limit` characters long, cut at a word where one ends in the second half.
 *
 * Counts whole characters, so an emoji is never cut in two.
 */
export function clip(text: string, limit: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  if (characters.length <= limit) return line;
  const kept = characters.slice(0, limit - 1).join("");
  const space = kept.lastIndexOf(" ");
  return `${space > kept.length / 2 ? kept.slice(0, space) : kept}…`;
}

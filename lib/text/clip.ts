const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Cuts to `maxChars` UTF-16 units with an ellipsis, after a word where one ends in the second half, and never inside a
 * grapheme that fits.
 */
export function clip(text: string, maxChars: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= maxChars) return line;
  const near = graphemes.segment(line.slice(0, 2 * maxChars));
  const end = near.containing(maxChars - 1)?.index || maxChars - 1;
  const space = line.lastIndexOf(" ", end);
  const cut = line.slice(0, space > maxChars / 2 ? space : end);
  return `${cut.trimEnd().replace(/[\ud800-\udbff]$/, "")}…`;
}

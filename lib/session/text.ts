/** The first `maxChars` UTF-16 units of a text, without splitting a surrogate pair. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? maxChars - 1 : maxChars);
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * `text` on one line, cut to `maxChars` UTF-16 units with an ellipsis, after a word where one ends in the second half,
 * and never inside a grapheme that fits.
 */
export function clip(text: string, maxChars: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= maxChars) return line;
  const near = graphemes.segment(line.slice(0, 2 * maxChars));
  const end = near.containing(maxChars - 1)?.index || cutText(line, maxChars - 1).length;
  const space = line.lastIndexOf(" ", end);
  return `${line.slice(0, space > maxChars / 2 ? space : end).trimEnd()}…`;
}

/** Makes characters visible that storage and models refuse: U+0000 becomes U+2400, a lone surrogate U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\u2400");
}

/** Length as JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

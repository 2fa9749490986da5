/** `tags` with one more; spelled as it was first, and never twice whatever its case. */
export function addTag(tags: readonly string[], text: string): readonly string[] {
  const tag = text.trim().replace(/^#+/, "");
  const isKnown = tags.some((other) => other.toLowerCase() === tag.toLowerCase());
  return tag === "" || isKnown ? tags : [...tags, tag];
}

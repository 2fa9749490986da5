/** Adds a tag unless it is there in any case, keeping the first spelling. */
export function addTag(tags: readonly string[], text: string): readonly string[] {
  const tag = text.trim().replace(/^#+/, "");
  const isKnown = tags.some((other) => other.toLowerCase() === tag.toLowerCase());
  return tag === "" || isKnown ? tags : [...tags, tag];
}

/** `active` lines belong to the active path. */
export type TreeGuideTone = "none" | "line" | "active";

/** Line segments of one column: from above to the middle, down, and to the right. */
export interface TreeGuide {
  readonly up: TreeGuideTone;
  readonly down: TreeGuideTone;
  readonly right: TreeGuideTone;
}

/**
 * Guides of a column of sibling branches beside branch `index` of `count`: at its first row, and at later rows. The
 * active path runs down to `activeIndex`, or -1.
 */
export function branchGuides({
  index,
  count,
  activeIndex,
}: {
  index: number;
  count: number;
  activeIndex: number;
}): { head: TreeGuide; inner: TreeGuide } {
  const up = activeIndex >= index ? "active" : "line";
  const down = index === count - 1 ? "none" : activeIndex > index ? "active" : "line";
  const right = activeIndex === index ? "active" : "line";
  return { head: { up, down, right }, inner: { up: down, down, right: "none" } };
}

/** Whether a line is drawn, and whether it belongs to the active path. */
export type TreeGuideTone = "none" | "line" | "active";

/** The lines in one column left of a row: from above to its middle, from there down, and from there to the right. */
export interface TreeGuide {
  readonly up: TreeGuideTone;
  readonly down: TreeGuideTone;
  readonly right: TreeGuideTone;
}

/**
 * The column in which branches hang under the row they leave, beside branch `index` of `count`: at its first row, and at
 * the rows after it. The active path runs down the column as far as the branch it takes; `activeIndex` is -1 when it
 * takes none.
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

/** Position of a summary on one path. `from` and `to` are inclusive; a higher `order` is newer. */
export interface PlacedOverlay {
  readonly from: number;
  readonly to: number;
  readonly order: number;
}

/**
 * The visible summaries of a path, in order of position and disjoint. A summary supersedes another when it contains
 * it (of equal ranges the newer), or when they partly overlap and it is newer. Superseded ones stay in place:
 * removing the upper one uncovers them. Overlays without surviving messages must be excluded by the caller.
 */
export function shownOverlays<T extends PlacedOverlay>(overlays: readonly T[]): T[] {
  return overlays
    .filter((overlay) => !overlays.some((other) => other !== overlay && supersedes(other, overlay)))
    .sort((first, second) => first.from - second.from);
}

function supersedes(upper: PlacedOverlay, lower: PlacedOverlay): boolean {
  if (upper.from > lower.to || lower.from > upper.to) return false;
  const contains = upper.from <= lower.from && lower.to <= upper.to;
  const contained = lower.from <= upper.from && upper.to <= lower.to;
  return contains === contained ? upper.order > lower.order : contains;
}

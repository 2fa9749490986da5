/** A summary's inclusive positions on one path; a higher `order` is newer. */
export interface PlacedOverlay {
  readonly from: number;
  readonly to: number;
  readonly order: number;
}

/**
 * The visible summaries of a path, in order and disjoint. A summary supersedes those it contains and older ones it
 * partly overlaps. The caller excludes overlays without surviving messages.
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

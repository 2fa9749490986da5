/** Where a summary lies on one path. `from` and `to` are positions, both included; a later `order` is newer. */
export interface PlacedOverlay {
  readonly from: number;
  readonly to: number;
  readonly order: number;
}

/**
 * The summaries a path shows, in order of position: those that no other one supersedes, so they are disjoint.
 *
 * A summary supersedes another when it contains it (of equal ranges the newer), or when they partly overlap and it is
 * newer. Superseded ones stay in place: taking the upper one away uncovers them. Overlays that stand for no surviving
 * message are to be left out before.
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

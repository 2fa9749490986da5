/** Within this distance the reader counts as being at the end. */
export const atEndPx = 64;

/** Last known scroll state. */
export interface ScrollPlace {
  readonly offset: number;
  /** Height of the content. */
  readonly contentPx: number;
  /** Height of the viewport. */
  readonly viewportPx: number;
}

export interface ScrollStep {
  readonly before: ScrollPlace;
  readonly now: ScrollPlace;
  /** The reader just used wheel, touch or keys. */
  readonly isByReader: boolean;
  readonly isSticking: boolean;
}

export function distanceToEnd({ offset, contentPx, viewportPx }: ScrollPlace): number {
  return contentPx - viewportPx - offset;
}

/**
 * Returns true while the view should follow the end. Only the reader stops that: resized content moves the offset,
 * too, but then the sizes differ.
 */
export function sticksAfter({ before, now, isByReader, isSticking }: ScrollStep): boolean {
  if (distanceToEnd(now) < atEndPx) return true;
  if (now.offset >= before.offset - 2) return isSticking;
  const isSameLayout = now.contentPx === before.contentPx && now.viewportPx === before.viewportPx;
  return isSticking && !isByReader && !isSameLayout;
}

/** Within this distance the reader counts as being at the end. */
export const atEndPx = 64;

/** What a scroller looked like when it was last heard of. */
export interface ScrollPlace {
  readonly offset: number;
  /** Height of the content. */
  readonly contentPx: number;
  /** Height of what shows of it. */
  readonly viewportPx: number;
}

export interface ScrollStep {
  readonly before: ScrollPlace;
  readonly now: ScrollPlace;
  /** The reader has just used wheel, finger or keys. */
  readonly isByReader: boolean;
  readonly isSticking: boolean;
}

export function distanceToEnd({ offset, contentPx, viewportPx }: ScrollPlace): number {
  return contentPx - viewportPx - offset;
}

/**
 * Whether the end is held after a scroll. Only the reader lets go of it: content that was measured anew or became
 * shorter moves the offset as well, and then both sizes and offset are others.
 */
export function sticksAfter({ before, now, isByReader, isSticking }: ScrollStep): boolean {
  if (distanceToEnd(now) < atEndPx) return true;
  if (now.offset >= before.offset - 2) return isSticking;
  const isSameLayout = now.contentPx === before.contentPx && now.viewportPx === before.viewportPx;
  return isSticking && !isByReader && !isSameLayout;
}

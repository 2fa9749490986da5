const leastPx = 64;
/** Higher content scrolls in its frame. */
export const mostPx = 384;

/**
 * The height of a preview whose content is `reported` pixels high, and which has been `shown` pixels high so far.
 *
 * It never shrinks: content that is a part of its frame's height would follow it down.
 */
export function previewHeight(reported: number, shown: number | null): number {
  return Math.max(Math.min(Math.max(Math.ceil(reported), leastPx), mostPx), shown ?? 0);
}

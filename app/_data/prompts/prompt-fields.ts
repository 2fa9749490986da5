export interface FieldPlace {
  readonly start: number;
  readonly end: number;
}

/** The next `{{field}}` after `from`, or before it, beginning again at the other end; `null` without any. */
export function nextField(
  text: string,
  from: number,
  { backwards = false }: { readonly backwards?: boolean } = {},
): FieldPlace | null {
  const places = [...text.matchAll(/\{\{[^{}\n]{1,60}\}\}/g)].map(({ index, 0: field }) => ({
    start: index,
    end: index + field.length,
  }));
  if (backwards) return places.findLast(({ end }) => end < from) ?? places.at(-1) ?? null;
  return places.find(({ start }) => start >= from) ?? places[0] ?? null;
}

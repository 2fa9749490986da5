import { countFormulas } from "./math-text";

/** In characters of plain words. */
const FORMULA_WEIGHT = 800;

/** Heavier texts are formatted in slices. */
export const SLICED_WEIGHT = 24_000;

/** Estimates the time to format `text`, in characters of plain words. */
export function weightOf(text: string): number {
  return text.length + FORMULA_WEIGHT * countFormulas(text);
}

import { countFormulas } from "./math-text";

/** In characters of plain words. */
const FORMULA_WEIGHT = 800;

export const SLICED_WEIGHT = 24_000;

/** In characters of plain words. */
export function weightOf(text: string): number {
  return text.length + FORMULA_WEIGHT * countFormulas(text);
}

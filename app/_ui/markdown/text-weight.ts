import { countFormulas } from "./math-text";

/** A formula takes as long to show as so many characters. */
const FORMULA_WEIGHT = 800;

/** Texts heavier than this are formatted in slices between other work. */
export const SLICED_WEIGHT = 24_000;

/** How long it takes to format `text`, measured in characters of plain words. */
export function weightOf(text: string): number {
  return text.length + FORMULA_WEIGHT * countFormulas(text);
}

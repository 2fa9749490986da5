import { countFormulas } from "./math-text";

/** A formula takes as long to show as so many characters. */
const FORMULA_WEIGHT = 800;

/** How long it takes to format `text`, measured in characters of plain words. */
export function weightOf(text: string): number {
  return text.length + FORMULA_WEIGHT * countFormulas(text);
}

import { countFormulas } from "./math-text";

/** Characters that cost as much as a formula. */
const FORMULA_WEIGHT = 800;

export const SLICED_WEIGHT = 24_000;

export function weightOf(text: string): number {
  return text.length + FORMULA_WEIGHT * countFormulas(text);
}

const CHARACTERS_OF_LINE = 85;

export function linesOf(text: string): number {
  return text
    .trimEnd()
    .split("\n")
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARACTERS_OF_LINE)), 0);
}

const CHARACTERS_OF_LINE = 85;

/** Estimates the lines `text` fills unformatted. */
export function linesOf(text: string): number {
  return text
    .trimEnd()
    .split("\n")
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARACTERS_OF_LINE)), 0);
}

const wellFormed = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-_][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u;

/**
 * What is wrong with a label, as a sentence; `null` for a good one. It stands in capitals at the head of its block in the
 * prompt, and must be the same again in small letters.
 */
export function labelProblem(label: string): string | null {
  if (label === "") return "Enter a name.";
  if (label !== label.normalize("NFC").toUpperCase().toLowerCase() || !wellFormed.test(label)) {
    return "A block's name is small letters and digits, with single hyphens between words.";
  }
  return null;
}

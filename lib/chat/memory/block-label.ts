const wellFormed = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[-_][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$/u;

/**
 * A sentence about an invalid label; `null` for a valid one. The prompt shows it in capitals, so it must survive the
 * round trip to lower case.
 */
export function labelProblem(label: string): string | null {
  if (label === "") return "Enter a name.";
  if (label !== label.normalize("NFC").toUpperCase().toLowerCase() || !wellFormed.test(label)) {
    return "A block's name is small letters and digits, with single hyphens between words.";
  }
  return null;
}

import { InvalidArgumentError } from "./errors";

/** In characters: more would not fit on a line of the tree. */
const maxLabelLength = 80;

/** Normalizes a label: one trimmed line; `null` for none. @throws {InvalidArgumentError} when too long. */
export function storableLabel(label: string | null): string | null {
  const line = (label ?? "").replace(/\s+/gu, " ").trim();
  if ([...line].length > maxLabelLength) {
    throw new InvalidArgumentError(`A label has at most ${maxLabelLength} characters.`);
  }
  return line === "" ? null : line;
}

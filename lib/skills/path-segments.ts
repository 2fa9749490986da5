/**
 * The parts of a relative path with `/` between them; `null` for one that is empty, hidden, absolute, or could be read
 * as leading elsewhere.
 */
export function pathSegments(path: string): string[] | null {
  const segments = path.split("/");
  return segments.every(isPlain) ? segments : null;
}

/** `.` and `..` are hidden names too. */
function isPlain(segment: string): boolean {
  return segment !== "" && !segment.startsWith(".") && !/[\\:\p{Cc}]/u.test(segment);
}

/** Segments of a relative path with `/`; `null` when it is empty, hidden, absolute or ambiguous. */
export function pathSegments(path: string): string[] | null {
  const segments = path.split("/");
  return segments.every(isPlain) ? segments : null;
}

/** `.` and `..` are hidden names too. */
function isPlain(segment: string): boolean {
  return segment !== "" && !segment.startsWith(".") && !/[\\:\p{Cc}]/u.test(segment);
}

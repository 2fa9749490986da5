/** `null` for a path that is empty, hidden, absolute or ambiguous. */
export function pathSegments(path: string): string[] | null {
  const segments = path.split("/");
  return segments.every(isPlain) ? segments : null;
}

function isPlain(segment: string): boolean {
  return segment !== "" && !segment.startsWith(".") && !/[\\:\p{Cc}]/u.test(segment);
}

/** Skills that may be listed, loaded and written. Omitted: all. */
export type AllowedKeys = readonly string[] | undefined;

export function isAllowed(keys: AllowedKeys, key: string): boolean {
  return keys?.some((allowed) => key === allowed || key.startsWith(`${allowed}/`)) ?? true;
}

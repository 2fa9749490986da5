/** The project that the address is in; `null` in the person's own space. */
export function spaceIn(pathname: string): string | null {
  const [, space] = /^\/p\/([^/]+)/.exec(pathname) ?? [];
  return space === undefined ? null : decodeURIComponent(space);
}

/**
 * The project of this document, or `null`. Another space is always another document, so that nothing of one lies in the
 * caches, drafts and streams of another.
 */
export const pageSpace = typeof location === "undefined" ? null : spaceIn(location.pathname);

/** The address of a page or a request in a space, from that in the person's own. */
export function inSpace(path: string, space: string | null = pageSpace): string {
  if (space === null) return path;
  return `/p/${encodeURIComponent(space)}${path.replace(/^\/(?=$|\?)/, "")}`;
}

/** The name under which the browser stores something of this space. */
export function storedInSpace(name: string, space: string | null = pageSpace): string {
  return space === null ? name : `${space}:${name}`;
}

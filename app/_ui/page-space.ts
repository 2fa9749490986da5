/** `null` in the person's own space. */
export function spaceIn(pathname: string): string | null {
  const [, space] = /^\/p\/([^/]+)/.exec(pathname) ?? [];
  return space === undefined ? null : decodeURIComponent(space);
}

/** Another space is always another document, so that caches, drafts and streams hold nothing of it. */
export const pageSpace = typeof location === "undefined" ? null : spaceIn(location.pathname);

export function inSpace(path: string, space: string | null = pageSpace): string {
  if (space === null) return path;
  return `/p/${encodeURIComponent(space)}${path.replace(/^\/(?=$|\?)/, "")}`;
}

export function storedInSpace(name: string, space: string | null = pageSpace): string {
  return space === null ? name : `${space}:${name}`;
}

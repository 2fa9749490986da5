const allowed = new Set(["http:", "https:", "mailto:"]);

/** The address a link from a model may lead to; `null` for relative ones and for every other scheme. */
export function safeHref(href: unknown): string | null {
  if (typeof href !== "string" || !URL.canParse(href)) return null;
  const url = new URL(href);
  return allowed.has(url.protocol) ? url.href : null;
}

/** What to call the place a remote picture would have come from. */
export function hostOf(source: unknown): string | null {
  if (typeof source !== "string" || !URL.canParse(source)) return null;
  return new URL(source).host || null;
}

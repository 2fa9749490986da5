const allowed = new Set(["http:", "https:", "mailto:"]);

/** Returns the URL if a model's link may lead there; `null` for relative ones and every other scheme. */
export function safeHref(href: unknown): string | null {
  if (typeof href !== "string" || !URL.canParse(href)) return null;
  const url = new URL(href);
  return allowed.has(url.protocol) ? url.href : null;
}

/** Host a remote image would have been loaded from. */
export function hostOf(source: unknown): string | null {
  if (typeof source !== "string" || !URL.canParse(source)) return null;
  return new URL(source).host || null;
}

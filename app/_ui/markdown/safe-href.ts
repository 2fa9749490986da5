const allowed = new Set(["http:", "https:", "mailto:"]);

/** Only the web and mail; `null` for relative links and every other scheme. */
export function safeHref(href: unknown): string | null {
  if (typeof href !== "string" || !URL.canParse(href)) return null;
  const url = new URL(href);
  return allowed.has(url.protocol) ? url.href : null;
}

/** The host a remote image would have been loaded from. */
export function hostOf(source: unknown): string | null {
  if (typeof source !== "string" || !URL.canParse(source)) return null;
  return new URL(source).host || null;
}

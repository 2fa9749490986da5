const allowed = new Set(["http:", "https:", "mailto:"]);

/** Web and mail alone, without user name and password; `null` for others. */
export function safeHref(href: unknown): string | null {
  const url = urlOf(href);
  if (!url || !allowed.has(url.protocol)) return null;
  url.username = "";
  url.password = "";
  return url.href;
}

export function hostOf(source: unknown): string | null {
  return urlOf(source)?.host || null;
}

const lookedAt = 500;
const addressInText = /(?:https?:\/\/|www\.)[^\s]{1,400}/iu;
const domain = /^(?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,24}(?:[/:?#]\S{0,400})?$/u;

/** The host to show beside a link: `null` unless its text names another, or a user name could pass for it. */
export function hostToShow(text: string, href: unknown): string | null {
  const url = urlOf(href);
  if (!url?.host) return null;
  const said = hostSaid(text);
  const isOther = said !== null && bare(said) !== bare(url.host);
  return isOther || url.username !== "" || url.password !== "" ? url.host : null;
}

function hostSaid(text: string): string | null {
  const words = text
    .slice(0, lookedAt)
    .replace(/\p{Cf}/gu, "")
    .trim();
  const found = addressInText.exec(words)?.[0] ?? domain.exec(words)?.[0];
  if (found === undefined) return null;
  return hostOf(/^https?:/i.test(found) ? found : `https://${found}`);
}

function bare(host: string): string {
  return host.replace(/^www\./, "");
}

function urlOf(address: unknown): URL | null {
  if (typeof address !== "string") return null;
  try {
    return new URL(address);
  } catch {
    // `URL.canParse` accepts some hosts that the constructor refuses.
    return null;
  }
}

/** Header names and values, in the shape both the proxy and the Next configuration take. */
export type Headers = ReadonlyArray<{ key: string; value: string }>;

/** On every answer. No `Strict-Transport-Security`: on this machine Grove speaks plain HTTP. */
export const commonHeaders: Headers = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "no-referrer" },
  { key: "X-DNS-Prefetch-Control", value: "off" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
  {
    key: "Permissions-Policy",
    value: "camera=(), geolocation=(), payment=(), usb=(), microphone=(self)",
  },
  { key: "X-Robots-Tag", value: "noindex, nofollow" },
];

/** On every answer of the HTTP API: nothing in it may run, be framed or be kept by a cache. */
export const apiHeaders: Headers = [
  {
    key: "Content-Security-Policy",
    value: "default-src 'none'; frame-ancestors 'none'; sandbox",
  },
  { key: "Cache-Control", value: "private, no-store" },
];

// Inline styles stay allowed: highlighters and React write style attributes, which no nonce covers. Images come from
// this origin alone, because a picture's address can carry what was said to whoever serves it.
const base = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "frame-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "style-src 'self' 'unsafe-inline'",
];

/** The policy of a page: scripts run only with this request's nonce, or when such a script loads them. */
export function pagePolicy(nonce: string, mode: "production" | "development"): string {
  // React's development build rebuilds server stacks with eval.
  const evaluation = mode === "development" ? " 'unsafe-eval'" : "";
  return [...base, `script-src 'nonce-${nonce}' 'strict-dynamic'${evaluation}`].join("; ");
}

/** The policy of whatever the proxy did not see: no script at all. */
export const fallbackPolicy = [...base, "script-src 'none'"].join("; ");

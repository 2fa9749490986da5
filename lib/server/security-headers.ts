export type Headers = ReadonlyArray<{ key: string; value: string }>;

/** `Strict-Transport-Security` is left out: locally Grove speaks plain HTTP. */
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

export const apiHeaders: Headers = [
  { key: "Content-Security-Policy", value: "default-src 'none'; frame-ancestors 'none'; sandbox" },
  { key: "Cache-Control", value: "private, no-store, no-transform" },
];

// Highlighters and React write inline styles, which no nonce covers. Images come from this origin alone, because an
// image URL can leak the conversation.
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

export function pagePolicy(nonce: string, mode: "production" | "development"): string {
  // React's development build rebuilds server stacks with eval.
  const evaluation = mode === "development" ? " 'unsafe-eval'" : "";
  return [...base, `script-src 'nonce-${nonce}' 'strict-dynamic'${evaluation}`].join("; ");
}

export const fallbackPolicy = [...base, "script-src 'none'"].join("; ");

/** A worker reads files of other products and talks to nobody. */
export const workerPolicy = "default-src 'none'; script-src 'self'";

/**
 * Binds the frame that shows a model's output: an origin of its own, no network, only scripts with its nonce.
 *
 * @see https://wicg.github.io/connection-allowlists/ for gaps of a content policy, such as WebRTC.
 */
export function previewHeaders(nonce: string): Headers {
  const policy = [
    "sandbox allow-scripts allow-forms",
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'unsafe-eval'`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "media-src data: blob:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ];
  return [
    { key: "Content-Security-Policy", value: policy.join("; ") },
    { key: "Connection-Allowlist", value: "()" },
    { key: "Cache-Control", value: "private, no-store" },
  ];
}

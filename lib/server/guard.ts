export interface RequestFacts {
  method: string;
  path: string;
  host: string | null;
  origin: string | null;
  fetchSite: string | null;
  contentType: string | null;
  contentLength: string | null;
}

export type GuardDecision = "allow" | RequestRefusal;

export interface RequestRefusal {
  status: 403 | 413 | 415;
  code: "forbidden-host" | "cross-site" | "unsupported-media-type" | "too-large";
  message: string;
}

export const bodyLimitBytes = 1_000_000;

/** Uploads are counted and checked while reading. No other site can send these types without a preflight. */
const uploads: ReadonlyMap<string, string> = new Map([
  ["/api/import", "application/x-ndjson"],
  ["/api/files", "application/octet-stream"],
]);

/** The one page with a form that works without scripts. */
export function isSharedLink(path: string): boolean {
  return /^\/shared\/[^/]+$/.test(path);
}

const formType = "application/x-www-form-urlencoded";

export interface Site {
  readonly port: number;
  readonly origin?: string | null;
}

export function ownSite(): Site {
  const { PORT, GROVE_ORIGIN } = process.env;
  const origin = GROVE_ORIGIN?.trim() ? new URL(GROVE_ORIGIN.trim()).origin : null;
  return { port: Number(PORT ?? 3000), origin };
}

const names = ["localhost", "127.0.0.1", "[::1]"];
const safeMethods = ["GET", "HEAD"];

/**
 * A hostile page can make a browser send requests here, even under its own name pointing at 127.0.0.1: so `Host` must
 * be ours, and a mutating request JSON from our own origin. @see
 * https://developer.mozilla.org/docs/Glossary/Fetch_metadata_request_header
 */
export function guard(facts: RequestFacts, site: Site): GuardDecision {
  const decision = guardOrigin(facts, site);
  if (decision !== "allow") return decision;
  if (safeMethods.includes(facts.method)) return "allow";
  const upload = uploads.get(facts.path);
  if (upload) return mediaType(facts.contentType) === upload ? "allow" : unsupportedUpload(upload);
  const isForm = isSharedLink(facts.path) && mediaType(facts.contentType) === formType;
  if (!isForm && mediaType(facts.contentType) !== "application/json") return unsupportedMediaType;
  if (Number(facts.contentLength ?? 0) > bodyLimitBytes) return tooLarge;
  return "allow";
}

export function guardOrigin(facts: RequestFacts, site: Site): GuardDecision {
  const host = facts.host?.toLowerCase() ?? "";
  const isChecked = site.origin && isHealthCheck(facts);
  if (!allowedHosts(site).includes(host) && !isChecked) return forbiddenHost(site);
  return isCrossSite(facts, site.origin ?? `http://${host}`) ? crossSite : "allow";
}

export function factsOf(request: Request): RequestFacts {
  const { headers, method, url } = request;
  return {
    method,
    path: new URL(url).pathname,
    host: headers.get("host"),
    origin: headers.get("origin"),
    fetchSite: headers.get("sec-fetch-site"),
    contentType: headers.get("content-type"),
    contentLength: headers.get("content-length"),
  };
}

function allowedHosts({ port, origin }: Site): string[] {
  if (origin) return [new URL(origin).host];
  const withPort = names.map((name) => `${name}:${port}`);
  // Browsers omit the default port.
  return port === 80 ? [...withPort, ...names] : withPort;
}

/** The launcher and containers ask by address, to which no other site's name points. */
function isHealthCheck({ method, path, host }: RequestFacts): boolean {
  if (!safeMethods.includes(method) || path !== "/api/health" || host === null) return false;
  return /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:]+\]|localhost)(:\d+)?$/i.test(host);
}

function isCrossSite({ method, path, origin, fetchSite }: RequestFacts, own: string): boolean {
  // Only links to pages may be followed from another site.
  if (safeMethods.includes(method) && !isApi(path)) return false;
  if (fetchSite && fetchSite !== "same-origin" && fetchSite !== "none") return true;
  return origin !== null && origin.toLowerCase() !== own;
}

function isApi(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

function mediaType(contentType: string | null): string | undefined {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase();
}

function forbiddenHost({ origin }: Site): RequestRefusal {
  const message = !origin
    ? "Grove answers only on this machine, at localhost, 127.0.0.1 or [::1] and its own port, because it has no accounts. GROVE_ORIGIN switches them on."
    : "Grove answers at the address of GROVE_ORIGIN alone. A proxy in front must pass the Host header on.";
  return { status: 403, code: "forbidden-host", message };
}

const crossSite: RequestRefusal = {
  status: 403,
  code: "cross-site",
  message: "This request comes from another site. Only Grove's own pages may send it.",
};

const unsupportedMediaType: RequestRefusal = {
  status: 415,
  code: "unsupported-media-type",
  message: "Send the body as JSON, with the content type application/json.",
};

function unsupportedUpload(type: string): RequestRefusal {
  const message = `Send the file with the content type ${type}.`;
  return { status: 415, code: "unsupported-media-type", message };
}

const tooLarge: RequestRefusal = {
  status: 413,
  code: "too-large",
  message: "The request is larger than 1 MB.",
};

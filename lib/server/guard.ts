export interface RequestFacts {
  method: string;
  path: string;
  host: string | null;
  origin: string | null;
  fetchSite: string | null;
  contentType: string | null;
  contentLength: string | null;
}

export type GuardDecision = "allow" | Refusal;

export interface Refusal {
  status: 403 | 413 | 415;
  code: "forbidden-host" | "cross-site" | "unsupported-media-type" | "too-large";
  message: string;
}

/** In bytes, except for uploads. */
export const bodyLimitBytes = 1_000_000;

/**
 * Larger bodies, counted and checked while reading. Like JSON, no other site can send this type without a preflight.
 */
const uploads: ReadonlyMap<string, string> = new Map([
  ["/api/import", "application/x-ndjson"],
  ["/api/files", "application/octet-stream"],
]);

export function ownPort(): number {
  return Number(process.env.PORT ?? 3000);
}

const names = ["localhost", "127.0.0.1", "[::1]"];
const safeMethods = ["GET", "HEAD"];

/**
 * A server without a login answers only this machine's own pages. A hostile page can make a browser send requests here,
 * even under its own name pointing at 127.0.0.1: so `Host` must be one of three names with our port, and a mutating
 * request must be JSON from our own origin.
 *
 * @see https://developer.mozilla.org/docs/Glossary/Fetch_metadata_request_header
 */
export function guard(facts: RequestFacts, { port }: { port: number }): GuardDecision {
  const decision = guardOrigin(facts, { port });
  if (decision !== "allow") return decision;
  if (safeMethods.includes(facts.method)) return "allow";
  const upload = uploads.get(facts.path);
  if (upload) return mediaType(facts.contentType) === upload ? "allow" : unsupportedUpload(upload);
  if (mediaType(facts.contentType) !== "application/json") return unsupportedMediaType;
  if (Number(facts.contentLength ?? 0) > bodyLimitBytes) return tooLarge;
  return "allow";
}

/** The part of the guard that a program with a key passes, too. */
export function guardOrigin(facts: RequestFacts, { port }: { port: number }): GuardDecision {
  if (!facts.host || !allowedHosts(port).includes(facts.host.toLowerCase())) return forbiddenHost;
  return isCrossSite(facts) ? crossSite : "allow";
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

function allowedHosts(port: number): string[] {
  const withPort = names.map((name) => `${name}:${port}`);
  // Browsers omit the default port.
  return port === 80 ? [...withPort, ...names] : withPort;
}

function isCrossSite({ method, path, host, origin, fetchSite }: RequestFacts): boolean {
  // Only links to pages may be followed from another site.
  if (safeMethods.includes(method) && !isApi(path)) return false;
  if (fetchSite && fetchSite !== "same-origin" && fetchSite !== "none") return true;
  return origin !== null && origin.toLowerCase() !== `http://${host?.toLowerCase()}`;
}

function isApi(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

function mediaType(contentType: string | null): string | undefined {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase();
}

const forbiddenHost: Refusal = {
  status: 403,
  code: "forbidden-host",
  message:
    "Grove answers only on this machine, at localhost, 127.0.0.1 or [::1] and its own port, because it has no login yet.",
};

const crossSite: Refusal = {
  status: 403,
  code: "cross-site",
  message: "This request comes from another site. Only Grove's own pages may send it.",
};

const unsupportedMediaType: Refusal = {
  status: 415,
  code: "unsupported-media-type",
  message: "Send the body as JSON, with the content type application/json.",
};

function unsupportedUpload(type: string): Refusal {
  const message = `Send the file with the content type ${type}.`;
  return { status: 415, code: "unsupported-media-type", message };
}

const tooLarge: Refusal = {
  status: 413,
  code: "too-large",
  message: "The request is larger than 1 MB.",
};

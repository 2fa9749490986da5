import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { addressHeader } from "@/lib/accounts/address-header";
import { addressInSpace, spaceHeader } from "./access";
import { guard, ownSite, type Site } from "./guard";
import { logEvent } from "./log";
import { withReader } from "./reader-of";
import { refusalLog } from "./refusal-log";
import { apiHeaders, commonHeaders } from "./security-headers";
import type { StaticFiles } from "./static-files";

export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface HeadRefusal {
  readonly status: 400 | 403 | 405 | 413 | 415;
  readonly code: string;
  readonly message: string;
}

/** Next would answer these itself. The guard comes first, so that a foreign page learns nothing. */
export function headRefusal(
  { method, target, headers }: RequestHead,
  { isUpgrade, ...site }: Site & { isUpgrade: boolean },
): HeadRefusal | null {
  const refusal = isUpgrade
    ? noUpgrades
    : isDecodable(target)
      ? methods.has(method)
        ? null
        : unknownMethod
      : brokenAddress;
  if (refusal === null) return null;
  const decision = guard(
    {
      method: "GET",
      path: "/api",
      host: single(headers.host),
      origin: single(headers.origin),
      fetchSite: single(headers["sec-fetch-site"]),
      contentType: null,
      contentLength: null,
    },
    site,
  );
  return decision === "allow" ? refusal : decision;
}

// The web's `Request` cannot have TRACE, TRACK and CONNECT, and Next answers OPTIONS itself.
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

function isDecodable(target: string): boolean {
  if (!target.startsWith("/")) return false;
  try {
    decodeURIComponent(target.split("?", 1)[0] ?? "");
    return true;
  } catch {
    return false;
  }
}

function single(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? value : (value?.[0] ?? null);
}

const unknownMethod: HeadRefusal = {
  status: 405,
  code: "method-not-allowed",
  message: "Grove does not take this method.",
};

const brokenAddress: HeadRefusal = {
  status: 400,
  code: "invalid-address",
  message: "The address cannot be decoded.",
};

const noUpgrades: HeadRefusal = {
  status: 400,
  code: "no-upgrade",
  message: "Grove has no WebSockets.",
};

/** Browsers send all cookies of a host to each of its ports. */
const tooManyCookies = {
  status: 431,
  message:
    "The headers of this request are larger than 16 kB. Delete the cookies of this address in your browser and try again.",
};

/**
 * Proxies append to `X-Forwarded-For`, so a client's own entries are further left than the outermost trusted proxy's.
 */
export function clientAddress({
  remoteAddress = "unknown",
  headers,
  trustedProxies,
}: {
  remoteAddress: string | undefined;
  headers: RequestHead["headers"];
  trustedProxies: number;
}): string {
  if (trustedProxies === 0) return remoteAddress;
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const seen = forwarded.map((each) => each.trim()).filter(Boolean);
  const address = seen[seen.length - trustedProxies] ?? remoteAddress;
  return /^[\da-f.:]{2,45}$/i.test(address) ? address : remoteAddress;
}

let hasNotedForwarding = false;

function noteForwarding(headers: RequestHead["headers"], trustedProxies: number): void {
  if (hasNotedForwarding || !isForwardingIgnored(headers, { trustedProxies, ...ownSite() })) return;
  hasNotedForwarding = true;
  logEvent(
    "A proxy sends X-Forwarded-For, which is ignored because GROVE_TRUSTED_PROXIES is 0: everybody counts as the proxy's address, in the limits of sign-in attempts and in the log. Set it to the number of proxies in front.",
  );
}

export function isForwardingIgnored(
  headers: RequestHead["headers"],
  { trustedProxies, origin }: { trustedProxies: number; origin?: string | null },
): boolean {
  const isForwarded = ["x-forwarded-for", "forwarded", "x-real-ip"].some((name) => headers[name]);
  return Boolean(origin) && trustedProxies === 0 && isForwarded;
}

/** Development needs WebSockets for its reloads. */
export function closeFrontDoor({
  allowsUpgrades,
  trustedProxies = 0,
  sendStatic = () => false,
}: {
  allowsUpgrades: boolean;
  trustedProxies?: number;
  sendStatic?: StaticFiles;
}): void {
  const emit = Server.prototype.emit;
  Server.prototype.emit = function guarded(event: string | symbol, ...given: unknown[]): boolean {
    if (event === "clientError" && isOverflow(given[0])) {
      refuseSocket(given[1] as Duplex, tooManyCookies);
      return true;
    }
    const isUpgrade = event === "upgrade";
    if (event !== "request" && (!isUpgrade || allowsUpgrades))
      return Reflect.apply(emit, this, [event, ...given]);
    const [request, answer] = given as [IncomingMessage, ServerResponse | Duplex];
    const { method = "", headers } = request;
    const { target: url, space } = addressInSpace(request.url ?? "");
    request.url = url;
    delete headers[spaceHeader];
    if (space !== null) headers[spaceHeader] = space;
    const { remoteAddress } = request.socket;
    noteForwarding(headers, trustedProxies);
    headers[addressHeader] = clientAddress({ remoteAddress, headers, trustedProxies });
    const head = { method, target: url, headers };
    const refusal = headRefusal(head, { ...ownSite(), isUpgrade });
    if (refusal === null) {
      if (!isUpgrade) {
        endWithoutBody(request, answer as ServerResponse);
        if (sendStatic(request, answer as ServerResponse)) return true;
      }
      return withReader(headers, () => Reflect.apply(emit, this, [event, ...given]));
    }
    refusalLog.note(refusal);
    if (isUpgrade) refuseSocket(answer as Duplex, refusal);
    else refuse(answer as ServerResponse, refusal);
    return true;
  };
}

/** The connection's next request would wait for ever behind the unread rest of a body. */
export function endWithoutBody(request: IncomingMessage, response: ServerResponse): void {
  const { headers } = request;
  const hasBody =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;
  if (!hasBody) return;
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  const closing = (...given: unknown[]) => {
    if (!request.complete) {
      response.shouldKeepAlive = false;
      response.setHeader("Connection", "close");
    }
    return writeHead(...given);
  };
  response.writeHead = closing;
}

function isOverflow(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "HPE_HEADER_OVERFLOW";
}

function refuse(response: ServerResponse, { status, code, message }: HeadRefusal): void {
  for (const { key, value } of [...commonHeaders, ...apiHeaders]) response.setHeader(key, value);
  response.writeHead(status, { "Content-Type": "application/json", Connection: "close" });
  response.end(JSON.stringify({ error: { code, message } }));
}

function refuseSocket(
  socket: Duplex,
  { status, message }: Pick<HeadRefusal, "message"> & { status: number },
): void {
  // The sender may be gone already.
  socket.on("error", () => undefined);
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
  );
}

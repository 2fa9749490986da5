import { lookup as resolveName } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { isPublicAddress } from "./public-address";
import { WebError } from "./web-error";

export interface Network {
  readonly resolve: (name: string) => Promise<readonly string[]>;
  readonly dial: (address: string, port: number) => { address: string; port: number };
}

export const internet: Network = {
  resolve: async (name) => (await resolveName(name, { all: true })).map(({ address }) => address),
  dial: (address, port) => ({ address, port }),
};

export interface WebPage {
  readonly url: string;
  readonly mediaType: string;
  readonly text: string;
}

export interface PageRequest {
  readonly network?: Network | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxBytes?: number | undefined;
}

const maxRedirects = 5;
const readable = /^(text\/|application\/(xhtml\+xml|xml|json|ld\+json|rss\+xml|atom\+xml)$)/;

/**
 * All addresses of a name must be public, at each redirect again; connecting to a checked one prevents a change in
 * between. Sends no cookies. @throws {WebError}
 */
export async function requestPage(
  address: string,
  { network = internet, signal, timeoutMs = 15_000, maxBytes = 2_000_000 }: PageRequest = {},
): Promise<WebPage> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const ending = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    let url = webAddress(address);
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await send(url, { network, signal: ending });
      const location = redirectOf(response);
      if (location === null) return await pageOf(url, response, { maxBytes, signal: ending });
      response.destroy();
      url = webAddress(location, url);
    }
    throw new WebError(`${hostOf(address)} redirects more than ${maxRedirects} times.`);
  } catch (error) {
    if (error instanceof WebError || signal?.aborted) throw error;
    const why = timeout.aborted
      ? `did not answer within ${timeoutMs / 1_000} seconds`
      : "cannot be reached";
    throw new WebError(`${hostOf(address)} ${why}.`, { cause: error });
  }
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "The page";
}

function webAddress(address: string, base?: URL): URL {
  if (!URL.canParse(address, base)) throw new WebError(`“${address}” is not a web address.`);
  const url = new URL(address, base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new WebError("Only http and https addresses can be read.");
  if (url.username !== "" || url.password !== "")
    throw new WebError("An address must not hold a name or password.");
  url.hash = "";
  return url;
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | null {
  return statusCode >= 300 && statusCode < 400 && headers.location ? headers.location : null;
}

async function checkedAddress(
  url: URL,
  { network, signal }: { network: Network; signal: AbortSignal },
): Promise<string> {
  const name = bare(url);
  const addresses = isIP(name) === 0 ? await inTime(network.resolve(name), signal) : [name];
  const [first] = addresses;
  if (first === undefined) throw new WebError(`${name} has no address.`);
  if (!addresses.every(isPublicAddress))
    throw new WebError(`${name} is not on the public internet, so it was not asked.`);
  return first;
}

function send(
  url: URL,
  { network, signal }: { network: Network; signal: AbortSignal },
): Promise<IncomingMessage> {
  const headers = {
    accept: "text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.8",
    "accept-encoding": "gzip, deflate, br",
    "user-agent": "Grove (reads a page for its person)",
  };
  return sendPinned(url, { network, signal, headers });
}

/** `address` was checked as public just now. @throws {WebError} before anything is sent. */
export async function sendPinned(
  url: URL,
  {
    network,
    signal,
    headers,
    method = "GET",
    body,
  }: {
    network: Network;
    signal: AbortSignal;
    headers: Readonly<Record<string, string>>;
    method?: string;
    body?: Uint8Array | undefined;
  },
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const isSecure = url.protocol === "https:";
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  const place = network.dial(await checkedAddress(url, { network, signal }), port);
  const pinned: LookupFunction = (_name, { all }, callback) => {
    const { address } = place;
    const family = isIP(address);
    if (all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
  return new Promise((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)({
      // An agent could reuse the connection of an earlier request.
      agent: false,
      method,
      host: isIP(place.address) > 0 && isIP(bare(url)) > 0 ? place.address : bare(url),
      port: place.port,
      path: `${url.pathname}${url.search}`,
      lookup: pinned,
      signal,
      headers: { ...headers, host: url.host, ...(body && { "content-length": body.byteLength }) },
    });
    request.once("response", resolve);
    request.once("error", reject);
    request.end(body);
  });
}

/** A lookup cannot be cancelled. */
function inTime<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

function bare({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

async function pageOf(
  url: URL,
  response: IncomingMessage,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<WebPage> {
  try {
    const { statusCode = 0, headers } = response;
    if (statusCode < 200 || statusCode > 299)
      throw new WebError(`${url.host} answered ${statusCode}.`);
    const contentType = headers["content-type"] ?? "text/html";
    const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (!readable.test(mediaType))
      throw new WebError(`${url.href} is ${mediaType}, which cannot be read as text.`);
    const bytes = await bytesOf(response, { maxBytes, signal });
    if (!bytes) {
      const limit = `${maxBytes / 1_000_000} MB`;
      throw new WebError(`${url.href} is larger than ${limit}, so it was not read.`);
    }
    return { url: url.href, mediaType, text: decoded(bytes, contentType) };
  } finally {
    response.destroy();
  }
}

async function bytesOf(
  response: IncomingMessage,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of unpacked(response)) {
    signal.throwIfAborted();
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function unpacked(response: IncomingMessage): AsyncIterable<Buffer> {
  const encoding = (response.headers["content-encoding"] ?? "identity").toLowerCase();
  if (encoding === "identity") return response;
  const makers = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };
  if (!Object.hasOwn(makers, encoding)) throw new WebError("The page is packed in an unknown way.");
  const unpacking = makers[encoding as keyof typeof makers]();
  response.once("error", (error) => unpacking.destroy(error));
  return response.pipe(unpacking);
}

function decoded(bytes: Buffer, contentType: string): string {
  const named =
    /charset="?([\w-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]+charset="?'?([\w-]+)/i.exec(bytes.subarray(0, 2_048).toString("latin1"))?.[1];
  try {
    return new TextDecoder(named ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

import { Readable } from "node:stream";
import { internet, type Network, sendPinned, unpacked } from "./request-page";
import { WebError } from "./web-error";

const withoutBody = new Set([204, 205, 304]);

/**
 * Each request checks all addresses of a name and connects to a checked one. Follows no redirect. @throws {WebError}
 * before anything is sent.
 */
export function publicFetch(network: Network = internet): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, signal, redirect } = request;
    const url = new URL(request.url);
    if (url.protocol !== "http:" && url.protocol !== "https:")
      throw new WebError("Only http and https addresses can be asked.");
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
    const answer = await sendPinned(url, {
      network,
      signal,
      method,
      body,
      headers: { ...Object.fromEntries(request.headers), "accept-encoding": "identity" },
    });
    const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = answer;
    if (redirect !== "manual" && status >= 300 && status < 400 && status !== 304) {
      answer.destroy();
      throw new TypeError("fetch failed", { cause: new Error("unexpected redirect") });
    }
    const headers = new Headers();
    for (let at = 0; at < rawHeaders.length; at += 2)
      headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    headers.delete("content-encoding");
    if (withoutBody.has(status) || method === "HEAD") {
      answer.destroy();
      return new Response(null, { status, statusText, headers });
    }
    return new Response(bytesOf(unpacked(answer)), { status, statusText, headers });
  };
}

function bytesOf(chunks: AsyncIterable<Buffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return Readable.toWeb(Readable.from(chunks, { objectMode: false })) as ReadableStream<
    Uint8Array<ArrayBuffer>
  >;
}

import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPublicAddress } from "@/lib/chat/web/public-address";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const maxBytes = 20_000_000;

/**
 * Fetches for one server. The person typed its address, which may be in their own network; any other host must be
 * public, as that of an authorization server which it names. No redirect is followed, and a body ends at 20 MB.
 */
export function guardedFetch(typedUrl: string, fetch: Fetch = globalThis.fetch): Fetch {
  const typed = new URL(typedUrl);
  return async (input, init) => {
    const url = new URL(input);
    if (url.hostname !== typed.hostname) await assertPublic(url);
    const response = await fetch(url, { ...init, redirect: "manual" });
    if (response.status >= 300 && response.status < 400 && response.status !== 304) {
      await response.body?.cancel();
      throw new Error(`The server at ${typed.host} redirects elsewhere. Enter its final address.`);
    }
    return limited(response);
  };
}

/** @throws {Error} for an address in a private network. */
export async function assertPublic(url: URL): Promise<void> {
  if (url.protocol !== "https:") throw refused(url);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host)
    ? [host]
    : (await lookup(host, { all: true })).map((each) => each.address);
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) throw refused(url);
}

function refused({ host }: URL): Error {
  return new Error(`Grove does not go to ${host}: it is not a public address.`);
}

function limited(response: Response): Response {
  if (!response.body) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new Error("The server sent more than 20 MB."));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
}

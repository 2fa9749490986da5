import type { FetchLike } from "@modelcontextprotocol/client";
import { publicFetch } from "@/lib/chat/web/public-fetch";

const elsewhere = publicFetch();

const maxBytes = 20_000_000;

/**
 * The typed address may be in the person's own network; any other host it names must be public. Follows no redirect; a
 * body ends at 20 MB.
 */
export function guardedFetch(typedUrl: string, fetch: FetchLike = globalThis.fetch): FetchLike {
  const typed = new URL(typedUrl);
  return async (input, init) => {
    const url = new URL(input);
    const isTyped = url.hostname === typed.hostname;
    if (!isTyped && url.protocol !== "https:")
      throw new Error(`Grove does not go to ${url.host}: only https is safe there.`);
    const response = await (isTyped ? fetch : elsewhere)(url, { ...init, redirect: "manual" });
    if (response.status >= 300 && response.status < 400 && response.status !== 304) {
      await response.body?.cancel();
      throw new Error(`The server at ${typed.host} redirects elsewhere. Enter its final address.`);
    }
    return limited(response);
  };
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

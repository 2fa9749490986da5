import { APICallError } from "ai";
import type { z } from "zod";

// The longest known list is under 1 MB.
const maxBytes = 8 * 1024 * 1024;

export async function fetchJson<Output>(
  url: string,
  schema: z.ZodType<Output>,
  options: {
    fetch: typeof globalThis.fetch;
    timeoutMs: number;
    headers?: Record<string, string>;
    body?: unknown;
  },
): Promise<Output> {
  const { body } = options;
  const response = await refuseRedirects(options.fetch)(url, {
    headers: { accept: "application/json", ...options.headers },
    signal: AbortSignal.timeout(options.timeoutMs),
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await boundedText(response);
  if (!response.ok) {
    throw new APICallError({
      message: `The server answered with status ${response.status}.`,
      url,
      requestBodyValues: undefined,
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: text,
    });
  }
  return schema.parse(JSON.parse(text));
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      throw new Error("The server's answer is too long to be a list of models.");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** On a redirect to another host `fetch` drops `Authorization`, but keeps `x-api-key` and `x-goog-api-key`. */
export function refuseRedirects(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => fetch(input, { ...init, redirect: "error" });
}

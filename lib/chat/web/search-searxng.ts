import { z } from "zod";
import { WebError } from "./web-error";

export interface WebResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

export interface WebSearchOptions {
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const maxResults = 8;
const timeoutMs = 10_000;
const maxCharacters = 1_000_000;

const answerSchema = z.object({
  results: z.array(
    z.object({
      title: z.string().catch(""),
      url: z.url({ protocol: /^https?$/ }),
      content: z.string().nullish().catch(""),
    }),
  ),
});

/**
 * The server may be on this machine: its address is the person's own.
 *
 * @throws {WebError}
 * @see https://docs.searxng.org/dev/search_api.html
 */
export async function searchSearxng(
  server: string,
  query: string,
  { signal, fetch = globalThis.fetch }: WebSearchOptions = {},
): Promise<WebResult[]> {
  const url = new URL(`${server.replace(/\/+$/, "")}/search`);
  url.search = new URLSearchParams({ q: query, format: "json" }).toString();
  const text = await ask(url, { signal, fetch });
  const answer = answerSchema.safeParse(jsonOf(text));
  if (!answer.success) throw new WebError(`${url.host} did not answer as SearXNG does.`);
  return answer.data.results.slice(0, maxResults).map(({ title, url, content }) => {
    return { title: title || url, url, snippet: content ?? "" };
  });
}

async function ask(
  url: URL,
  { signal, fetch = globalThis.fetch }: WebSearchOptions,
): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      redirect: "error",
      headers: { accept: "application/json" },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (response.ok) return await textOf(response);
    await response.body?.cancel();
    throw new WebError(
      response.status === 403
        ? `${url.host} refuses JSON. Add “json” to search.formats in its settings.yml.`
        : `${url.host} answered ${response.status}.`,
    );
  } catch (error) {
    if (error instanceof WebError || signal?.aborted) throw error;
    throw new WebError(`The search server at ${url.host} cannot be reached.`, { cause: error });
  }
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxCharacters) throw new WebError("The search server answers too much.");
  }
  return text;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

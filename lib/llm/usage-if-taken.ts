type Fetch = typeof globalThis.fetch;

const refusing = new Set<string>();
const mostRemembered = 200;
const named = /stream_options|include_usage/;

/**
 * Asks once more without `stream_options` where a server refuses the request for it, as Mistral's has, and leaves it out
 * there from then on. Usage is then estimated.
 *
 * @see https://github.com/avante-corp/avante.nvim/issues/2347
 */
export function usageIfTaken(fetch: Fetch): Fetch {
  return async (input, init) => {
    const { body } = init ?? {};
    if (typeof body !== "string" || !body.includes('"stream_options"')) return fetch(input, init);
    const address = String(input instanceof Request ? input.url : input);
    const without = () => fetch(input, { ...init, body: withoutOptions(body) });
    if (refusing.has(address)) return without();
    const response = await fetch(input, init);
    if (response.status !== 400 && response.status !== 422) return response;
    const words = await response.text();
    if (!named.test(words)) return new Response(words, response);
    if (refusing.size >= mostRemembered) refusing.clear();
    refusing.add(address);
    return without();
  };
}

function withoutOptions(body: string): string {
  const { stream_options: _, ...rest } = JSON.parse(body);
  return JSON.stringify(rest);
}

import type { Fetch } from "./checked-fetch";

const refusing = new Set<string>();
const mostRemembered = 200;
const named = /stream_options|include_usage/;
/** The providers' packages write this field last. Texts have their quotation marks escaped. */
const options = ',"stream_options":{"include_usage":true}}';

/**
 * Mistral's server refuses `stream_options`. The field is left out once that helped: a refusal may merely repeat the
 * request. @see https://github.com/avante-corp/avante.nvim/issues/2347
 */
export function usageIfTaken(fetch: Fetch): Fetch {
  return async (input, init) => {
    const { body } = init ?? {};
    if (typeof body !== "string" || !body.endsWith(options)) return fetch(input, init);
    const address = String(input instanceof Request ? input.url : input);
    const without = () => fetch(input, { ...init, body: `${body.slice(0, -options.length)}}` });
    if (refusing.has(address)) return without();
    const response = await fetch(input, init);
    if (response.status !== 400 && response.status !== 422) return response;
    const words = await response.text();
    const refusal = new Response(words, response);
    if (!named.test(words)) return refusal;
    const second = await without().catch(() => null);
    init?.signal?.throwIfAborted();
    if (!second) return refusal;
    if (second.ok) remember(address);
    return second;
  };
}

function remember(address: string): void {
  if (refusing.size >= mostRemembered) refusing.clear();
  refusing.add(address);
}

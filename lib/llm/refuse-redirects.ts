/**
 * A `fetch` that fails on a redirect.
 *
 * On a redirect to another host `fetch` drops `Authorization`, but sends `x-api-key` and `x-goog-api-key` along:
 * a provider's address could hand the key, and the conversation, to anyone.
 */
export function refuseRedirects(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => fetch(input, { ...init, redirect: "error" });
}

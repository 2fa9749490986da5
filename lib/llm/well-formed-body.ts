type Fetch = typeof globalThis.fetch;

/** An escaped half of a character or NUL; an escaped backslash before it makes it plain text. */
const broken = /\\(?:u(?:d[89a-f][0-9a-f]{2}|0000)|[\s\S])/gi;

/**
 * Replaces halves of characters and NUL in a JSON body: many servers refuse a whole request for one. `JSON.stringify`
 * writes exactly these as escapes, wherever they are.
 */
export function wellFormedBody(fetch: Fetch): Fetch {
  return (input, init) => {
    const { body } = init ?? {};
    return fetch(input, typeof body === "string" ? { ...init, body: wellFormedJson(body) } : init);
  };
}

export function wellFormedJson(json: string): string {
  if (!json.includes("\\ud") && !json.includes("\\u0000")) return json;
  return json.replace(broken, (escaped) => {
    if (escaped === "\\u0000") return "\u2400";
    return escaped.length === 6 ? "\ufffd" : escaped;
  });
}

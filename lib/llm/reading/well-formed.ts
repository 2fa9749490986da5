const lastIsHalf = /[\ud800-\udbff]$/;
const unfit = /[\0\ud800-\udfff]/;
const escaped = /\\u(?:d[89a-f]|0000)/i;

/** Replaces half characters and U+0000 by U+FFFD, which a person sees. */
export function wellFormed(text: string): string {
  return unfit.test(text) ? text.toWellFormed().replaceAll("\0", "\ufffd") : text;
}

export class CharacterJoiner {
  #half = "";

  take(delta: string): string {
    const text = this.#half + delta;
    this.#half = lastIsHalf.test(text) ? text.slice(-1) : "";
    return wellFormed(this.#half === "" ? text : text.slice(0, -1));
  }

  end(): string {
    const half = this.#half;
    this.#half = "";
    return wellFormed(half);
  }
}

export function wellFormedJson(json: string): string {
  if (!escaped.test(json)) return wellFormed(json);
  try {
    return JSON.stringify(wellFormedValue(JSON.parse(json)));
  } catch {
    return wellFormed(json);
  }
}

export function wellFormedBody(body: string): string {
  return body.includes("\\u") && escaped.test(body) ? wellFormedJson(body) : body;
}

export function wellFormedValue(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [wellFormed(name), wellFormedValue(inner)]),
  );
}

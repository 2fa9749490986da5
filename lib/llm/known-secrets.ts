/** Shorter values would hide ordinary words. */
const leastLength = 8;
const mostKnown = 1_000;
const hidden = "[hidden]";

// Routes are bundled separately, each with its own copy of this module.
const shared = globalThis as typeof globalThis & { groveKnownSecrets?: Map<string, RegExp> };

function known(): Map<string, RegExp> {
  shared.groveKnownSecrets ??= new Map();
  return shared.groveKnownSecrets;
}

export function knowSecret(value: string | null): void {
  const secrets = known();
  if (value === null || value.length < leastLength || secrets.has(value)) return;
  const [oldest] = secrets.keys();
  if (secrets.size >= mostKnown && oldest !== undefined) secrets.delete(oldest);
  secrets.set(value, patternOf(formsOf(value)));
}

export function secretHiding(values: readonly string[]): (text: string) => string {
  const filters = values.map((value) => new SecretFilter(value));
  return (text) => filters.reduce((shown, filter) => filter.whole(shown), text);
}

/** Finds keys also in addresses, JSON, Base64 or hexadecimal. */
export function hideKnownSecrets(text: string): string {
  let shown = text;
  for (const forms of known().values()) shown = shown.replace(forms, hidden);
  return shown;
}

export class SecretFilter {
  readonly #pattern: RegExp;
  readonly #forms: readonly string[];
  readonly #longest: number;
  #held = "";

  constructor(value: string) {
    const forms = formsOf(value);
    this.#pattern = patternOf(forms);
    this.#forms = forms.map((form) => form.toLowerCase());
    this.#longest = Math.max(0, ...forms.map(({ length }) => length));
  }

  take(piece: string): string {
    const text = this.whole(this.#held + piece);
    const heldFrom = this.#possibleStart(text);
    this.#held = text.slice(heldFrom);
    return text.slice(0, heldFrom);
  }

  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  whole(text: string): string {
    return this.#forms.length === 0 ? text : text.replace(this.#pattern, hidden);
  }

  #possibleStart(text: string): number {
    const from = Math.max(0, text.length - this.#longest + 1);
    const end = text.slice(from).toLowerCase();
    for (let at = 0; at < end.length; at++)
      if (this.#forms.some((form) => form[0] === end[at] && form.startsWith(end.slice(at))))
        return from + at;
    return text.length;
  }
}

function patternOf(forms: readonly string[]): RegExp {
  const longestFirst = forms.toSorted((one, other) => other.length - one.length);
  return new RegExp(longestFirst.map(escaped).join("|"), "gi");
}

function formsOf(value: string): string[] {
  if (value.length < leastLength) return [];
  const bytes = Buffer.from(value);
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const base64 = [0, 1, 2].map((offset) => innerBase64(bytes, offset));
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    percent,
    bytes.toString("hex"),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
  return [...new Set(forms)].filter((form) => form.length >= leastLength);
}

/** Characters that depend on the neighbouring bytes are left out. */
function innerBase64(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor((whole.length * 8) / 6);
  return whole.toString("base64").slice(first, last);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

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

/** Has `hideKnownSecrets` remove a key from now on. */
export function knowSecret(value: string | null): void {
  const secrets = known();
  if (value === null || value.length < leastLength || secrets.has(value)) return;
  const [oldest] = secrets.keys();
  if (secrets.size >= mostKnown && oldest !== undefined) secrets.delete(oldest);
  const forms = [...new Set(formsOf(value))].toSorted((one, other) => other.length - one.length);
  secrets.set(value, new RegExp(forms.map(escaped).join("|"), "gi"));
}

/** Replaces every known key, also as part of an address, in JSON, base64 or hexadecimal. */
export function hideKnownSecrets(text: string): string {
  let shown = text;
  for (const forms of known().values()) shown = shown.replace(forms, hidden);
  return shown;
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const base64 = [0, 1, 2].map((offset) => innerBase64(bytes, offset));
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    percent,
    bytes.toString("hex"),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ].filter((form) => form.length >= leastLength);
}

/** Base64 of bytes that follow `offset` others and precede any: without the characters that depend on those. */
function innerBase64(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor((whole.length * 8) / 6);
  return whole.toString("base64").slice(first, last);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

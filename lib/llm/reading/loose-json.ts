/** Keeps every object and whole string, in linear time, of broken or truncated JSON. */
export function looseJson(text: string): unknown[] {
  const reader = new LooseReader(text);
  const values: unknown[] = [];
  while (reader.skipTo(/[{[]/g)) values.push(reader.value());
  return values;
}

const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
]);
const escapes = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
]);
const deepest = 100;

class LooseReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  skipTo(sign: RegExp): boolean {
    sign.lastIndex = this.#at;
    const found = sign.exec(this.#text);
    this.#at = found?.index ?? this.#text.length;
    return found !== null;
  }

  value(): unknown {
    const sign = this.#text[this.#at];
    if (sign === "{" || sign === "[") return this.#nested(sign);
    if (sign === '"' || sign === "'") return this.#string(sign);
    const word = this.#matched(/[^\s,:{}[\]"']+/y);
    if (constants.has(word)) return constants.get(word);
    const number = word === "" ? Number.NaN : Number(word);
    return Number.isFinite(number) ? number : undefined;
  }

  #nested(sign: "{" | "["): unknown {
    this.#at += 1;
    if (this.#depth === deepest) return undefined;
    this.#depth += 1;
    const value = sign === "{" ? this.#object() : this.#list();
    this.#depth -= 1;
    return value;
  }

  #object(): Record<string, unknown> {
    const fields: [string, unknown][] = [];
    while (this.skipTo(/[^\s,:]/g)) {
      if (this.#isPast("}]")) break;
      const name = this.value();
      this.#matched(/\s*/y);
      if (this.#text[this.#at] !== ":") continue;
      this.#matched(/[\s:]*/y);
      const value = this.#valueBefore();
      if (typeof name === "string" && value !== undefined) fields.push([name, value]);
    }
    return Object.fromEntries(fields);
  }

  #list(): unknown[] {
    const items: unknown[] = [];
    while (this.skipTo(/[^\s,:]/g)) {
      if (this.#isPast("]}")) break;
      const value = this.#valueBefore();
      if (value !== undefined) items.push(value);
    }
    return items;
  }

  #valueBefore(): unknown {
    const value = this.value();
    this.#matched(/[^,{}[\]"']*/y);
    return value;
  }

  #isPast([own, other]: string): boolean {
    const sign = this.#text[this.#at];
    if (sign === own) this.#at += 1;
    return sign === own || sign === other;
  }

  #string(quote: string): string {
    let text = "";
    this.#at += 1;
    for (;;) {
      text += this.#matched(quote === '"' ? /[^"\\]*/y : /[^'\\]*/y);
      const sign = this.#text[this.#at];
      this.#at += 1;
      if (sign !== "\\") return text;
      text += this.#escaped();
    }
  }

  #escaped(): string {
    const code = this.#matched(/u[\da-fA-F]{4}/y);
    if (code !== "") return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    const sign = this.#text[this.#at] ?? "";
    this.#at += 1;
    if (sign === "u" && /^[\da-fA-F]{0,3}$/.test(this.#text.slice(this.#at, this.#at + 4)))
      this.#at = this.#text.length;
    return sign === "u" ? "" : (escapes.get(sign) ?? sign);
  }

  #matched(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}

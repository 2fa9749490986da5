export interface Setting<Value> {
  readonly about: string;
  readonly fallback: Value;
  readonly usual: string;
  /** Completes the sentence "NAME must …". */
  readonly rule: string;
  readonly isSecret: boolean;
  readonly isPath?: boolean;
  parse(text: string): Value | null;
}

export interface NumberLimits {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  readonly isWhole?: boolean;
}

export function number(about: string, limits: NumberLimits): Setting<number> {
  const { fallback, min, max, isWhole = true } = limits;
  return {
    about,
    fallback,
    usual: String(fallback),
    rule: `be a ${isWhole ? "whole " : ""}number from ${min} to ${max}`,
    isSecret: false,
    parse(text) {
      const value = Number(text);
      const fits = value >= min && value <= max && (!isWhole || Number.isInteger(value));
      return fits ? value : null;
    },
  };
}

export function text(about: string, usual = ""): Setting<string | null> {
  return {
    about,
    fallback: null,
    usual,
    rule: "be a text",
    isSecret: false,
    parse: (given) => given,
  };
}

export function path(about: string, usual = ""): Setting<string | null> {
  return { ...text(about, usual), isPath: true };
}

export function secret(about: string, { minLength = 1 } = {}): Setting<string | null> {
  return {
    ...text(about),
    rule: `have at least ${minLength} characters`,
    isSecret: true,
    parse: (given) => (given.length >= minLength ? given : null),
  };
}

export function flag(about: string, fallback: boolean): Setting<boolean> {
  return {
    about,
    fallback,
    usual: fallback ? "1" : "0",
    rule: "be 0 or 1",
    isSecret: false,
    parse: (given) => (given === "1" ? true : given === "0" ? false : null),
  };
}

/** The address may hold a password. */
export function address(
  about: string,
  { protocols, example, usual = "" }: { protocols: RegExp; example: string; usual?: string },
): Setting<string | null> {
  return {
    ...text(about, usual),
    rule: `look like ${example}`,
    isSecret: true,
    parse: (given) =>
      protocols.test(URL.parse(withFirstHost(given))?.protocol ?? "") ? given : null,
  };
}

export function shaped(
  about: string,
  { shape, rule, usual = "" }: { shape: RegExp; rule: string; usual?: string },
): Setting<string | null> {
  return { ...text(about, usual), rule, parse: (given) => (shape.test(given) ? given : null) };
}

export function choice<const Value extends string>(
  about: string,
  { values, usual }: { values: readonly Value[]; usual: string },
): Setting<Value | null> {
  return {
    about,
    fallback: null,
    usual,
    rule: `be ${values.join(" or ")}`,
    isSecret: false,
    parse: (given) => values.find((value) => value === given) ?? null,
  };
}

/** The address with the first of its servers alone: `URL` takes no list of them. */
export function withFirstHost(url: string): string {
  return url.replace(/^([a-z]+:\/\/(?:[^/?#]*@)?[^/?#,]*),[^/?#]*/i, "$1");
}

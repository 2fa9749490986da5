export type JsonFields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): JsonFields {
  return isFields(value) ? value : {};
}

export function isFields(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Some servers send numbers as ids. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : undefined;
}

export function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

export function firstText(...values: readonly unknown[]): string | undefined {
  return values.map(textOf).find((text) => text !== undefined && text !== "");
}

const mostTokens = 2 ** 53;

/** A whole number from 0 to 2^53, also in digits; anything else counts as not reported. */
export function countOf(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number)) return undefined;
  return number >= 0 && number <= mostTokens ? number : undefined;
}

export function partOfCount(value: unknown, whole: number | undefined): number | undefined {
  const part = countOf(value);
  return part !== undefined && whole !== undefined && part <= whole ? part : undefined;
}

export function jsonOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}

export function given(fields: JsonFields): JsonFields {
  const some: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) if (fields[name] !== undefined) some[name] = fields[name];
  return some;
}

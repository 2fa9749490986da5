import { z } from "zod";
import { isList, isObject, type JsonValue } from "./stored-value";

export type Difference =
  | { readonly is: JsonValue }
  | { readonly slice: readonly [number, number] }
  | {
      readonly keys: Readonly<Record<string, Difference>>;
      readonly without?: readonly string[] | undefined;
    }
  | { readonly entries: Readonly<Record<string, Difference>> };

const jsonSchema = z.json();

export const differenceSchema: z.ZodType<Difference> = z.lazy(() =>
  z.union([
    z.strictObject({ is: jsonSchema }),
    z.strictObject({ slice: z.tuple([z.number(), z.number()]) }),
    z.strictObject({
      keys: z.record(z.string(), differenceSchema),
      without: z.array(z.string()).optional(),
    }),
    z.strictObject({ entries: z.record(z.string(), differenceSchema) }),
  ]),
);

const minSliceLength = 32;

/** `null` for equal values, in any order of keys. */
export function differenceBetween(
  base: JsonValue | undefined,
  value: JsonValue,
): Difference | null {
  if (isObject(base) && isObject(value)) return objectDifference(base, value);
  if (isList(base) && isList(value) && base.length === value.length) {
    const entries = differencesOf(value.map((each, at) => [String(at), base[at], each]));
    return entries && { entries };
  }
  if (base === value) return null;
  if (typeof base === "string" && typeof value === "string" && value.length >= minSliceLength) {
    const from = base.indexOf(value);
    if (from !== -1) return { slice: [from, from + value.length] };
  }
  return isList(base) && isList(value) && base.length + value.length === 0 ? null : { is: value };
}

export function applyDifference(base: JsonValue, difference: Difference | null): JsonValue {
  if (difference === null) return base;
  if ("is" in difference) return difference.is;
  if ("slice" in difference)
    return typeof base === "string" ? base.slice(...difference.slice) : base;
  if ("entries" in difference) {
    const { entries } = difference;
    return isList(base)
      ? base.map((each, at) => applyDifference(each, entries[String(at)] ?? null))
      : base;
  }
  const { keys, without = [] } = difference;
  const known = new Map(isObject(base) ? Object.entries(base) : []);
  for (const key of without) known.delete(key);
  for (const [key, change] of Object.entries(keys)) {
    known.set(key, applyDifference(known.get(key) ?? null, change));
  }
  return Object.fromEntries(known);
}

function objectDifference(
  base: { readonly [key: string]: JsonValue },
  value: { readonly [key: string]: JsonValue },
): Difference | null {
  const known = new Map(Object.entries(base));
  const keys = differencesOf(
    Object.entries(value).map(([key, each]) => [key, known.get(key), each]),
  );
  const without = [...known.keys()].filter((key) => !Object.hasOwn(value, key));
  if (!keys && without.length === 0) return null;
  return { keys: keys ?? {}, ...(without.length > 0 && { without }) };
}

function differencesOf(
  pairs: readonly (readonly [string, JsonValue | undefined, JsonValue])[],
): Record<string, Difference> | null {
  const changed = pairs.flatMap(([key, base, value]) => {
    const difference = base === undefined ? { is: value } : differenceBetween(base, value);
    return difference ? [[key, difference] as const] : [];
  });
  return changed.length > 0 ? Object.fromEntries(changed) : null;
}

import { storableText } from "@/lib/session/internal";

/** `storableText` of every text in objects and arrays. */
export function cleanText<Value>(value: Value): Value {
  return mapTexts(value, storableText);
}

/** Changes every text in objects and arrays, except the names of fields. */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  const map = (each: unknown): unknown => {
    if (typeof each === "string") return change(each);
    if (Array.isArray(each)) return each.map(map);
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, map(inner)]));
  };
  return map(value) as Value;
}

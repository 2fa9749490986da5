/**
 * Makes characters visible that storage and models refuse: U+0000 becomes U+2400, a lone surrogate U+FFFD. Recurses
 * into objects and arrays.
 */
export function cleanText<Value>(value: Value): Value {
  return clean(value) as Value;
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\u0000", "\u2400");
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, clean(each)]));
}

/**
 * Text as people may send it, with what storage and models refuse made visible: U+0000 becomes its symbol U+2400, half
 * a character becomes U+FFFD. Goes through objects and arrays; everything else stays.
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

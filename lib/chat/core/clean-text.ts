/** Makes characters visible that storage and models refuse: U+0000 and lone surrogates. */
export function cleanText<Value>(value: Value): Value {
  return mapTexts(value, (text) => text.toWellFormed().replaceAll("\u0000", "\u2400"));
}

export function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  const map = (each: unknown): unknown => {
    if (typeof each === "string") return change(each);
    if (Array.isArray(each)) return each.map(map);
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, map(inner)]));
  };
  return map(value) as Value;
}

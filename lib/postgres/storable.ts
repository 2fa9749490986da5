/** Makes text storable: U+0000 becomes its symbol, lone surrogates U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\u2400");
}

export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === "string") return storableText(each);
    if (typeof each !== "object" || each === null || Array.isArray(each)) return each;
    const entries = Object.entries(each);
    if (entries.every(([key]) => storableText(key) === key)) return each;
    return Object.fromEntries(entries.map(([key, inner]) => [storableText(key), inner]));
  });
}

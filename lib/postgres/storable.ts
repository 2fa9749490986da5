/** Text that a `text` column takes as it is: U+0000 shown as its symbol, half characters as U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\u2400");
}

/** JSON that `jsonb` takes: the texts and keys in it are storable. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === "string") return storableText(each);
    if (typeof each !== "object" || each === null || Array.isArray(each)) return each;
    const entries = Object.entries(each);
    if (entries.every(([key]) => storableText(key) === key)) return each;
    return Object.fromEntries(entries.map(([key, inner]) => [storableText(key), inner]));
  });
}

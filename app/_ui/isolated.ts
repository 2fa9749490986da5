// Embeddings, overrides and isolates; then the letters that are written from the right.
const controls = /[\u202a-\u202e\u2066-\u2069]/g;
const rightToLeft =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A foreign name within a sentence, so that its direction reorders no other words. In elements of its own, such as a
 * list's, a name needs none of it; `<bdi>` does the same for elements.
 */
export function isolated(name: string): string {
  const plain = name.replace(controls, "");
  return rightToLeft.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/** Of the first letter; `null` without one. */
export function directionOf(text: string): "ltr" | "rtl" | null {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return null;
  return rightToLeft.test(letter) ? "rtl" : "ltr";
}

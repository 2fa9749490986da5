const controls = /[\u202a-\u202e\u2066-\u2069]/g;
const rightToLeft =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Isolates a foreign name in a sentence, so that its direction reorders no other words, as `<bdi>` does. */
export function isolated(name: string): string {
  const plain = name.replace(controls, "");
  return rightToLeft.test(plain) ? `\u2068${plain}\u2069` : plain;
}

export function directionOf(text: string): "ltr" | "rtl" | null {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return null;
  return rightToLeft.test(letter) ? "rtl" : "ltr";
}

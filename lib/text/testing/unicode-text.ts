import type { Random } from "./random";

/** First and last code of a range; lone surrogates and NUL among them. */
const ranges = [
  [0x0000, 0x001f],
  [0x0020, 0x007e],
  [0x007f, 0x02ff],
  [0x0300, 0x036f],
  [0x0400, 0x077f],
  [0x0900, 0x0e7f],
  [0x1100, 0x11ff],
  [0x200b, 0x206f],
  [0x3040, 0x9fff],
  [0xd800, 0xdfff],
  [0xe000, 0xf8ff],
  [0xfb00, 0xffff],
  [0x1_0000, 0x1_f9ff],
  [0xe_0000, 0xe_01ef],
  [0x10_0000, 0x10_ffff],
] as const;

/** Returns a text of up to 40 characters. */
export function unicodeText(random: Random): string {
  const codes = Array.from({ length: 1 + random.below(40) }, () => {
    const [first, last] = random.of<readonly [number, number]>(ranges);
    return first + random.below(last - first + 1);
  });
  return String.fromCodePoint(...codes);
}

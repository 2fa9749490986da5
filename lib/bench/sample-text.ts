/** Numbers between 0 and 1 that are the same in every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const syllables = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti"];
const vocabularySize = 5_000;

/** The word of a rank, 1 for the most frequent. */
export function wordOf(rank: number): string {
  let rest = rank + syllables.length;
  let word = "";
  while (rest > 0) {
    word += syllables[rest % syllables.length] ?? "";
    rest = Math.floor(rest / syllables.length);
  }
  return word;
}

/** About `bytes` of text in which, as in a language, a word is about as frequent as its rank is low. */
export function sampleText(random: () => number, bytes: number): string {
  let text = "";
  while (text.length < bytes) {
    text += `${wordOf(Math.floor(Math.exp(random() * Math.log(vocabularySize))))} `;
  }
  return text.trimEnd();
}

const asciiWord = /^[a-zA-Z0-9_+#]*$/;

/** Diacritics, points and vowel signs that people omit when typing. */
const omissibleMarks =
  /(?:[\u0300-\u036f]|[\u0591-\u05c7]|[\u064b-\u065f]|\u0670|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff])+/g;

const lettersWithoutDecomposition = /[ßæœøđðłħıþς]/g;

const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ħ: "h",
  ı: "i",
  þ: "th",
  ς: "σ",
};

/** "Café", "CAFE" and "ｃａｆé" fold to the same word. Marks that carry meaning (kana voicing, Indic vowels) stay. */
export function fold(word: string): string {
  if (asciiWord.test(word)) return word.toLowerCase();
  return word
    .normalize("NFKD")
    .replace(omissibleMarks, "")
    .toLowerCase()
    .replace(omissibleMarks, "")
    .replace(lettersWithoutDecomposition, (letter) => plainLetters[letter] ?? letter)
    .normalize("NFKC");
}

import { type Language, type LanguageHints, likeliestLanguages, noHints } from "./language";
import type { WrittenWord } from "./written-words";

/** Enough stop words to decide a line in a text of any language. */
const hintsOfCertainLine = 3;

/** The languages of each word: those of its line, or of the whole text when the line is undecided. */
export function languagesOfWords(
  text: string,
  words: readonly WrittenWord[],
): (readonly Language[])[] {
  const whole = noHints();
  const lines: LanguageHints[] = [];
  let lineEnd = -1;
  let line = whole;
  const lineOfWord = words.map((word) => {
    if (word.start > lineEnd) {
      line = noHints();
      lines.push(line);
      const next = text.indexOf("\n", word.start);
      lineEnd = next === -1 ? text.length : next;
    }
    if ("known" in word) {
      for (const place of word.known.hints) {
        line[place] = (line[place] ?? 0) + 1;
        whole[place] = (whole[place] ?? 0) + 1;
      }
    }
    return lines.length - 1;
  });
  const otherwise = likeliestLanguages(whole);
  const languagesOfLine = lines.map((hints) =>
    Math.max(...hints) < hintsOfCertainLine ? otherwise : likeliestLanguages(hints),
  );
  return lineOfWord.map((index) => languagesOfLine[index] ?? otherwise);
}

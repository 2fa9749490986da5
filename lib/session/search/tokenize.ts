import { stemsIn } from "./known-word";
import { languages } from "./language";
import { languageStems } from "./language-stem";
import { languagesOfWords } from "./languages-of-words";
import { writtenWords } from "./written-words";

/** `start` and `end` are UTF-16 offsets; tokens with the same `position` are forms of one word. */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly position: number;
}

interface AskedWord {
  /** The stem every text has, then those of all languages: a short query does not reveal its own. */
  readonly terms: readonly string[];
  /** As written, folded; in unspaced scripts, the last character. */
  readonly plain: string;
}

/**
 * The index terms of a text, in order: folded, stemmed, and cut to 200 characters. Scripts without spaces become
 * overlapping pairs of characters. A word gives its stem, itself (so that the prefix "deploym" finds "deployment"),
 * then its stems in the text's probable languages.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const words = writtenWords(text);
  const languagesAt = languagesOfWords(text, words);
  for (const [position, word] of words.entries()) {
    if ("pair" in word) {
      for (const { term, start, end } of word.pair) tokens.push({ term, start, end, position });
      continue;
    }
    const { start, end, known } = word;
    tokens.push({ term: known.stem, start, end, position });
    if (known.plain !== known.stem) tokens.push({ term: known.plain, start, end, position });
    for (const term of stemsIn(known, languagesAt[position] ?? [])) {
      tokens.push({ term, start, end, position });
    }
  }
  return tokens;
}

export function askedWords(text: string): AskedWord[] {
  return writtenWords(text).map((word) => {
    if ("known" in word) {
      return {
        terms: [word.known.stem, ...stemsIn(word.known, languages)],
        plain: word.known.plain,
      };
    }
    const [pair, last = pair] = word.pair;
    return { terms: [pair?.term ?? ""], plain: last?.term ?? "" };
  });
}

/** In any language. */
export function termsLike(term: string): string[] {
  return [term, ...languageStems(term)];
}

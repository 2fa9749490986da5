import { stemsIn } from "./known-word";
import { languages } from "./language";
import { languageStems } from "./language-stem";
import { languagesOfWords } from "./languages-of-words";
import { writtenWords } from "./written-words";

/**
 * A searchable word of a text. `start` and `end` are UTF-16 offsets into the text; tokens with the same `position` are
 * forms of one word.
 */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  /** Counts words from 0. */
  readonly position: number;
}

/** A word of a query: a text has it when it has one of the terms. */
export interface AskedWord {
  /** The stem every text has, then the stems in all languages: few words of a query do not tell theirs. */
  readonly terms: readonly string[];
  /** As it was written, folded; of scripts without spaces, the last character. */
  readonly plain: string;
}

/**
 * The words of a text, in order, as stored in an index: folded, stemmed, and cut to 200 characters. Scripts without spaces
 * become overlapping pairs of characters, since where a word ends cannot be seen.
 *
 * A word has its stem first (English for Latin letters, Russian for Cyrillic ones), then itself, so that "deploym" on the
 * way to "deployment" finds it by its beginning, then its stems in the languages the text seems to be written in.
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

/** The words of a query, in order. */
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

/** The terms that find texts with a term of the vocabulary, in any language. */
export function termsLike(term: string): string[] {
  return [term, ...languageStems(term)];
}

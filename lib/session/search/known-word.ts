import { fold } from "./fold";
import { hintsOf, type Language } from "./language";
import { cyrillicStem, languageStems } from "./language-stem";
import { stem } from "./stem";

/** Cached analysis of a word. */
export interface KnownWord {
  /** Folded, and cut to 200 characters. */
  readonly plain: string;
  /** The stem every text is searched by: English for Latin letters, Russian for Cyrillic ones. */
  readonly stem: string;
  /** Indices in `LanguageHints` of the languages it suggests. */
  readonly hints: readonly number[];
  /** By language names; filled lazily, since most words are only read in one language. */
  readonly languageStems: Map<string, readonly string[]>;
}

const maxTermLength = 200;
const wordCharacters = /[\p{L}\p{N}\p{M}_+#]+/gu;

const maxRemembered = 20_000;
const maxRememberedLength = 24;
const remembered = new Map<string, readonly KnownWord[]>();

/**
 * Analyses a written word. Folding may split it ("½" becomes 1 and 2), so there can be several. Caching makes an
 * append three times faster, because people repeat their words.
 */
export function knownWords(written: string): readonly KnownWord[] {
  const known = remembered.get(written);
  if (known) return known;
  if (written.length > maxRememberedLength) return analyzed(written);
  if (remembered.size >= maxRemembered) remembered.clear();
  const own = ownCopy(written);
  const words = analyzed(own);
  remembered.set(own, words);
  return words;
}

/** Distinct stems of a word in several languages. */
export function stemsIn(word: KnownWord, languages: readonly Language[]): readonly string[] {
  if (languages.length === 0) return [];
  const key = languages.join(" ");
  const known = word.languageStems.get(key);
  if (known) return known;
  const stems = languageStems(word.plain, languages);
  word.languageStems.set(key, stems);
  return stems;
}

export function cut(term: string): string {
  if (term.length <= maxTermLength) return term;
  const head = term.slice(0, maxTermLength);
  return head.isWellFormed() ? head : head.slice(0, -1);
}

function analyzed(written: string): KnownWord[] {
  return (fold(written).match(wordCharacters) ?? []).map((folded) => {
    const plain = cut(folded);
    return {
      plain,
      stem: cyrillicStem(stem(plain)),
      hints: hintsOf(written, plain),
      languageStems: new Map(),
    };
  });
}

/** V8 keeps a slice of more than 12 characters as a view that retains the whole text. */
function ownCopy(text: string): string {
  return text.length > 12 ? text.split("").join("") : text;
}

import { fold } from "./fold";
import { hintsOf, type Language } from "./language";
import { cyrillicStem, languageStems } from "./language-stem";
import { stem } from "./stem";

export interface KnownWord {
  /** Folded, and cut to 200 characters. */
  readonly plain: string;
  /** The stem every text is searched by: English for Latin letters, Russian for Cyrillic ones. */
  readonly stem: string;
  /** Indices in `LanguageHints`. */
  readonly hints: readonly number[];
  /** Filled lazily, since most words are only read in one language. */
  readonly languageStems: Map<string, readonly string[]>;
}

const maxTermLength = 200;
const wordCharacters = /[\p{L}\p{N}\p{M}_+#]+/gu;

const maxRemembered = 20_000;
const maxRememberedLength = 24;
const remembered = new Map<string, readonly KnownWord[]>();

/**
 * Folding may split a word ("½" becomes 1 and 2). Caching makes an append three times faster, because people repeat
 * their words.
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

import { fold } from "./fold";
import { hintsOf, type Language } from "./language";
import { cyrillicStem, languageStems } from "./language-stem";
import { stem } from "./stem";

/** What is remembered of a word. */
export interface KnownWord {
  /** Folded, and cut to 200 characters. */
  readonly plain: string;
  /** By the rules of English for Latin letters and of Russian for Cyrillic ones: what every text is searched by. */
  readonly stem: string;
  /** The languages it speaks for, as places in `LanguageHints`. */
  readonly hints: readonly number[];
  /** Filled as needed: most words are only ever read in one language. By their names. */
  readonly languageStems: Map<string, readonly string[]>;
}

const maxTermLength = 200;
const wordCharacters = /[\p{L}\p{N}\p{M}_+#]+/gu;

const maxRemembered = 20_000;
const maxRememberedLength = 24;
const remembered = new Map<string, readonly KnownWord[]>();

/**
 * What is known of a written word. Folding may split it ("½" becomes 1 and 2), so there can be several.
 *
 * People repeat their words: remembering what they fold and stem to makes an append three times faster.
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

/** The stems of a word in some languages, each once. */
export function stemsIn(word: KnownWord, languages: readonly Language[]): readonly string[] {
  if (languages.length === 0) return [];
  const key = languages.join(" ");
  const known = word.languageStems.get(key);
  if (known) return known;
  const stems = languageStems(word.plain, languages);
  word.languageStems.set(key, stems);
  return stems;
}

/** The first 200 characters of a term. */
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

/** V8 keeps a slice of more than 12 characters as a view that holds on to the whole text it was cut from. */
function ownCopy(text: string): string {
  return text.length > 12 ? text.split("").join("") : text;
}

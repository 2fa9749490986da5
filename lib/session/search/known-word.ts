import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { fold } from "./fold";
import {
  frequentLanguages,
  isFrequentIn,
  type Language,
  languages,
  languagesByLetters,
} from "./language";
import { stem } from "./stem";

export interface KnownWord {
  readonly plain: string;
  /** In every text's index: English for Latin letters, Russian for Cyrillic ones. */
  readonly stem: string;
  readonly hints: readonly number[];
  /** Filled lazily, since most words are read in one language. */
  readonly languageStems: Map<string, readonly string[]>;
}

const maxTermLength = 200;
/** Letters read of one word: some fold into 18 others. */
const maxRead = 2_000;
const wordCharacters = /[\p{L}\p{N}\p{M}_+#]+/gu;

const maxRemembered = 20_000;
const maxRememberedLength = 24;
const remembered = new Map<string, readonly KnownWord[]>();

/** Folding may split a word ("½" becomes 1 and 2). Caching makes an append three times faster. */
export function knownWords(written: string): readonly KnownWord[] {
  const known = remembered.get(written);
  if (known) return known;
  if (written.length > maxRememberedLength) return analyzed(written.slice(0, maxRead));
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
  const letters = languagesByLetters(written);
  return (fold(written).match(wordCharacters) ?? []).map((folded) => {
    const plain = cut(folded);
    return {
      plain,
      stem: cyrillicStem(stem(plain)),
      hints: frequentLanguages(plain) ?? letters,
      languageStems: new Map(),
    };
  });
}

/** V8 keeps a slice of more than 12 characters as a view that retains the whole text. */
function ownCopy(text: string): string {
  return text.length > 12 ? text.split("").join("") : text;
}

const stemmers: Readonly<Record<Language, (word: string) => string>> = {
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  // The algorithm does not relate "canções" to "canção".
  pt: (word) => portuguese(word.replace(/oes$/, "ao")),
  // The algorithm does not relate "huizen" to "huis" nor "brieven" to "brief".
  nl: (word) => dutch(word).replace(/z$/, "s").replace(/v$/, "f"),
  sv: swedish,
};

// Longer strings are keys or addresses, not words.
const latinWord = /^[a-z]{3,40}$/;
const cyrillicWord = /^[а-я]{3,40}$/;

/**
 * Stems in several languages have a colon, which no word contains: the Spanish stem of "care" finds "caro" in a Spanish
 * text, but not "car" in an English one. Languages share the mark, since a database plans a short query better.
 */
export function languageStems(folded: string, among: readonly Language[] = languages): string[] {
  if (!latinWord.test(folded)) return [];
  const inflected = among.filter((language) => !isFrequentIn(folded, language));
  return [...new Set(inflected.map((language) => `${stemmers[language](folded)}:`))];
}

/** Folding turns й into и; Russian endings have й after vowels. */
function cyrillicStem(folded: string): string {
  if (!cyrillicWord.test(folded)) return folded;
  return russian(folded.replace(/([аеоуыэюя])и/g, "$1й"));
}

import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { isFrequentIn, type Language, languages } from "./language";

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
 * Distinct stems of a folded Latin word in several languages, marked with a colon, which no word contains: the Spanish
 * stem of "care" finds "caro" in a Spanish text, but not "car" in an English one. Languages share the mark because they
 * mostly agree, and a database plans a short query better.
 */
export function languageStems(folded: string, among: readonly Language[] = languages): string[] {
  if (!latinWord.test(folded)) return [];
  const inflected = among.filter((language) => !isFrequentIn(folded, language));
  return [...new Set(inflected.map((language) => `${stemmers[language](folded)}:`))];
}

/** Folding turns й into и, which is reversed after vowels, where Russian endings have it. */
export function cyrillicStem(folded: string): string {
  if (!cyrillicWord.test(folded)) return folded;
  return russian(folded.replace(/([аеоуыэюя])и/g, "$1й"));
}

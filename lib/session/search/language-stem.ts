import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { isFrequentIn, type Language } from "./language";

const stemmers: Readonly<Record<Language, (word: string) => string>> = {
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  // "canções" is of "canção", which the algorithm leaves apart.
  pt: (word) => portuguese(word.replace(/oes$/, "ao")),
  // "huizen" is of "huis" and "brieven" of "brief", which the algorithm leaves apart.
  nl: (word) => dutch(word).replace(/z$/, "s").replace(/v$/, "f"),
  sv: swedish,
};

// What is longer is a key or an address and no word.
const latinWord = /^[a-z]{3,40}$/;
const cyrillicWord = /^[а-я]{3,40}$/;

/**
 * The stem of a folded Latin word in a language, with the language after a colon, which no word has: `hauser` gives
 * `haus:de`. So the Spanish stem of "care" finds "caro" in a Spanish text, and no "car" in an English one.
 *
 * `null` for what has no forms: what is not Latin, and small words such as articles.
 */
export function languageStem(folded: string, language: Language): string | null {
  if (!latinWord.test(folded) || isFrequentIn(folded, language)) return null;
  return `${stemmers[language](folded)}:${language}`;
}

/**
 * The stem of a folded Cyrillic word, by the rules of Russian; other words stay.
 *
 * Folding makes й an и, which is put right after vowels, where endings have it.
 */
export function cyrillicStem(folded: string): string {
  if (!cyrillicWord.test(folded)) return folded;
  return russian(folded.replace(/([аеоуыэюя])и/g, "$1й"));
}

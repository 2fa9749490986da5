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
 * The stems of a folded Latin word in some languages, each once, with a colon, which no word has: `hauser` gives `haus:`.
 * So the Spanish stem of "care" finds "caro" in a Spanish text, and no "car" in an English one. Languages share the mark,
 * because they agree about most words: one and a half stems are left of seven, and a database plans a short query better.
 *
 * What is not Latin and small words, such as articles, have none.
 */
export function languageStems(folded: string, among: readonly Language[] = languages): string[] {
  if (!latinWord.test(folded)) return [];
  const inflected = among.filter((language) => !isFrequentIn(folded, language));
  return [...new Set(inflected.map((language) => `${stemmers[language](folded)}:`))];
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

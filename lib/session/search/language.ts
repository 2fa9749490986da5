import { fold } from "./fold";

/** Latin-script languages with stemming, besides English. */
export const languages = ["de", "fr", "es", "it", "pt", "nl", "sv"] as const;

export type Language = (typeof languages)[number];

type LanguageHints = number[];

const frequentWords: Readonly<Record<"en" | Language, string>> = {
  en: `the of and to in is that it for was on are with as this be at by from have not but what all were when we there
    can an your which their if do does will each how them then these so some her him has had its who you my me would
    could should about into our they he she i am a or no`,
  de: `der die das und ist nicht ein eine einen einem einer eines ich du er sie es wir ihr mit auf für von zu zum zur im
    in den dem des sich auch wie was wenn aber oder noch nur bei nach aus dass kann wird werden sind war hat haben habe
    mein meine dein kein keine über unter gibt sehr mir mich dir bitte warum wo wann an am als man`,
  fr: `le la les un une des du de et est pas que qui ne je tu il elle nous vous ils on dans pour sur avec ce cette ces mon
    ma mes son sa ses au aux par plus mais ou où sont être avoir fait comme tout très bien si en leur qu l j à a quand`,
  es: `el la los las un una unos de del y es no que en por para con se lo le su sus al como más pero este esta esto ese
    esa hay ser está están son muy qué cuando donde también mi tu yo nos o si ya fue ha he a`,
  it: `il lo la gli le un una uno di del della dei delle e è non che per con su sul si al alla nel nella da dal sono come
    più ma questo questa anche io tu noi ho ha hai era essere quando dove perché mio mia molto i l in a o`,
  pt: `o a os as um uma de do da dos das e é não que em no na nos nas por para com se mais mas como ao à pelo pela seu sua
    meu minha você eu ele ela está são foi ser ter muito também quando onde isso este esta já ou`,
  nl: `de het een en is niet dat van op te in voor met zijn er maar ik je jij hij zij wij we u die dit als ook aan om bij
    naar uit nog wel wat waar hoe heeft hebben was werd worden kan zal mijn geen over deze of door`,
  sv: `och att det en ett är inte som på av för med den till har de om jag du han hon vi ni så men var vad hur när kan ska
    från eller sig mig dig min din här där också bara vid efter alla mycket i`,
};

const tellingLetters: readonly (readonly [letters: RegExp, languages: readonly Language[]])[] = [
  [/ß/i, ["de"]],
  [/[äö]/i, ["de", "sv"]],
  [/ü/i, ["de"]],
  [/å/i, ["sv"]],
  [/ñ|[áíóú]n?$/i, ["es"]],
  [/[ãõ]/i, ["pt"]],
  [/ç/i, ["fr", "pt"]],
  [/[èù]/i, ["fr", "it"]],
  [/ì|ò/i, ["it"]],
  [/[êâô]/i, ["fr", "pt"]],
  [/[îûëœ]/i, ["fr"]],
];

const allLanguages = ["en", ...languages] as const;
/** Folded words with the indices of their languages. */
export const frequentIn = new Map<string, number[]>();
for (const [index, language] of allLanguages.entries()) {
  for (const word of new Set(frequentWords[language].split(/\s+/).map(fold))) {
    const known = frequentIn.get(word);
    if (known) known.push(index);
    else frequentIn.set(word, [index]);
  }
}

const accented = /[^ -~]/;
const none: readonly number[] = [];

export function isFrequentIn(folded: string, language: Language): boolean {
  return frequentIn.get(folded)?.includes(allLanguages.indexOf(language)) ?? false;
}

/** Indices in `LanguageHints` of the languages in which a word is frequent. */
export function frequentLanguages(folded: string): readonly number[] | undefined {
  return frequentIn.get(folded);
}

/** Indices in `LanguageHints` of the languages whose letters a word uses. */
export function languagesByLetters(written: string): readonly number[] {
  if (!accented.test(written)) return none;
  const composed = written.normalize("NFC");
  const telling = tellingLetters.filter(([letters]) => letters.test(composed));
  return [...new Set(telling.flatMap(([, each]) => each))].map((language) =>
    allLanguages.indexOf(language),
  );
}

function noHints(): LanguageHints {
  return allLanguages.map(() => 0);
}

/** None where English has as many hints, since every text is searched as English too, nor where more than two tie. */
function likeliestLanguages(hints: LanguageHints, { atLeast = 1 } = {}): Language[] {
  const most = Math.max(...hints);
  if (most < atLeast || hints[0] === most) return [];
  const likeliest = languages.filter((_, index) => hints[index + 1] === most);
  return likeliest.length > 2 ? [] : likeliest;
}

interface HintedWord {
  readonly start: number;
  readonly known?: { readonly hints: readonly number[] };
}

const hintsOfCertainLine = 3;

/** Languages of a word's line, or of the whole text when that is undecided. */
export function languagesOfWords(
  text: string,
  words: readonly HintedWord[],
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
    for (const place of word.known?.hints ?? []) {
      line[place] = (line[place] ?? 0) + 1;
      whole[place] = (whole[place] ?? 0) + 1;
    }
    return lines.length - 1;
  });
  const otherwise = likeliestLanguages(whole);
  const languagesOfLine = lines.map((hints) =>
    Math.max(...hints) < hintsOfCertainLine ? otherwise : likeliestLanguages(hints),
  );
  return lineOfWord.map((index) => languagesOfLine[index] ?? otherwise);
}

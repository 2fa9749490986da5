import { fold } from "./fold";
import { stem } from "./stem";

/**
 * A searchable word of a text. `start` and `end` are UTF-16 offsets into the text; tokens with the same `position` are
 * forms of one word, the first of which is what a query looks for.
 */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  /** Counts words from 0. */
  readonly position: number;
}

export const maxTermLength = 200;

// A short name with ++ or # is another name ("C", "C++", "C#"); longer words are the same word with punctuation.
const words = /(?<![\p{L}\p{N}\p{M}_])[a-zA-Z]{1,2}(?:\+\+|#)(?![\p{L}_])|[\p{L}\p{N}\p{M}_]+/gu;

const unspacedScripts =
  "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}";
const runs = new RegExp(`[${unspacedScripts}]+|[^${unspacedScripts}]+`, "gu");
const unspaced = new RegExp(`^[${unspacedScripts}]`, "u");
/** Every script without spaces starts at Thai; asking this first halves the time a Latin text takes. */
const mayBeUnspaced = /[\u0e00-\u{10ffff}]/u;
/** A character with the marks that belong to it: half-width voicing and the parts of a decomposed Hangul syllable too. */
const characters = /.[\p{M}\uff9e\uff9f\u1160-\u11ff]*/gsu;
const wordCharacters = /[\p{L}\p{N}\p{M}_+#]+/gu;

/** Whether a text starts in a script that is written without spaces. */
export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}

/**
 * The words of a text, in order, as stored in an index and as looked for by a query: folded, stemmed, and cut to 200
 * characters. Scripts without spaces become overlapping pairs of characters, since where a word ends cannot be seen.
 *
 * A Latin word is also kept unstemmed, so that "deploym" on the way to "deployment" finds it by its beginning.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (const word of text.matchAll(words)) {
    for (const forms of wordsIn(word[0], word.index)) {
      for (const { term, start, end } of forms) tokens.push({ term, start, end, position });
      position++;
    }
  }
  return tokens;
}

type WordForm = Omit<Token, "position">;

function wordsIn(word: string, start: number): WordForm[][] {
  if (!mayBeUnspaced.test(word)) return spacedWords(word, start);
  return [...word.matchAll(runs)].flatMap(({ 0: run, index }) => {
    return isUnspaced(run) ? pairs(run, start + index) : spacedWords(run, start + index);
  });
}

/** Folding may split one written word ("½" becomes 1 and 2), so there can be several. */
function spacedWords(run: string, start: number): WordForm[][] {
  const end = start + run.length;
  return termsOf(run).map((forms) => forms.map((term) => ({ term, start, end })));
}

const maxRemembered = 20_000;
// V8 keeps a longer slice as a view that holds on to the whole text it was cut from.
const maxRememberedLength = 12;
const remembered = new Map<string, string[][]>();

/** People repeat their words: remembering what they fold and stem to makes an append three times faster. */
function termsOf(run: string): string[][] {
  const known = remembered.get(run);
  if (known) return known;
  const terms = (fold(run).match(wordCharacters) ?? []).map((word) => formsOf(cut(word)));
  if (remembered.size >= maxRemembered) remembered.clear();
  if (run.length <= maxRememberedLength) remembered.set(run, terms);
  return terms;
}

function formsOf(word: string): string[] {
  const stemmed = stem(word);
  return stemmed === word ? [word] : [stemmed, word];
}

/** The last character stands beside the last pair, so that every single character can be found by prefix. */
function pairs(run: string, start: number): WordForm[][] {
  const placed = [...run.matchAll(characters)].map((match) => ({
    term: cut(fold(match[0])),
    start: start + match.index,
    end: start + match.index + match[0].length,
  }));
  return pairUp(placed.filter((form) => form.term !== ""));
}

function pairUp(characterForms: readonly WordForm[]): WordForm[][] {
  const [only, second] = characterForms;
  if (only && !second) return [[only]];
  return characterForms.slice(0, -1).map((first, index) => {
    const next = characterForms[index + 1] ?? first;
    const pair = { term: first.term + next.term, start: first.start, end: next.end };
    return index === characterForms.length - 2 ? [pair, next] : [pair];
  });
}

function cut(term: string): string {
  if (term.length <= maxTermLength) return term;
  const head = term.slice(0, maxTermLength);
  return head.isWellFormed() ? head : head.slice(0, -1);
}

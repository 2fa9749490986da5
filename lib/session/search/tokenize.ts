import { atOnce, type Steps } from "../steps";
import { fold } from "./fold";
import { cut, type KnownWord, knownWords, languageStems, stemsIn } from "./known-word";
import { languages, languagesOfWords } from "./language";

/** Offsets in UTF-16 units; tokens with the same `position` are forms of one word. */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly position: number;
}

interface AskedWord {
  /** The stem every text has, then those of all languages: a short query does not reveal its own. */
  readonly terms: readonly string[];
  /** As written, folded; in unspaced scripts, the last character. */
  readonly plain: string;
}

/**
 * Tokens are in order, folded, stemmed, and cut to 200 characters. Unspaced scripts become overlapping pairs of
 * characters; a sign such as an emoji or € is a word. A word gives its stem, itself (the prefix "deploym" finds
 * "deployment"), then stems in the text's probable languages.
 */
export function tokenize(text: string): Token[] {
  return atOnce(tokenSteps(text));
}

const wordsPerStep = 500;

export function* tokenSteps(text: string): Steps<Token[]> {
  const tokens: Token[] = [];
  const words: WrittenWord[] = [];
  for (const word of writtenWords(text)) {
    words.push(word);
    if (words.length % wordsPerStep === 0) yield;
  }
  const languagesAt = languagesOfWords(text, words);
  for (const [position, word] of words.entries()) {
    if (position % wordsPerStep === 0) yield;
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

export function askedWords(text: string): AskedWord[] {
  return [...writtenWords(text)].map((word) => {
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

export function termsLike(term: string): string[] {
  return [term, ...languageStems(term)];
}

interface TextSpan {
  readonly start: number;
  readonly end: number;
}

type WrittenWord =
  | (TextSpan & { readonly known: KnownWord })
  | (TextSpan & { readonly pair: readonly PlacedTerm[] });

interface PlacedTerm extends TextSpan {
  readonly term: string;
}

// A short name with ++ or # is its own word ("C", "C++", "C#"); longer words drop the punctuation.
const words = /(?<![\p{L}\p{N}\p{M}_])[a-zA-Z]{1,2}(?:\+\+|#)(?![\p{L}_])|[\p{L}\p{N}\p{M}_]+/gu;

/** Emoji, currencies, arrows and the like, without ASCII and box drawing. */
const sign =
  "(?:[\\u{1f1e6}-\\u{1f1ff}]{2}|(?![\\0-\\x7f\\u2500-\\u259f\\u2800-\\u28ff])[\\p{Sc}\\p{Sm}\\p{So}])\\ufe0f?";
const wordsAndSigns = new RegExp(`${words.source}|${sign}`, "gu");
const isSign = new RegExp(`^${sign}$`, "u");

const unspacedScripts =
  "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}";
const runs = new RegExp(`[${unspacedScripts}]+|[^${unspacedScripts}]+`, "gu");
const unspaced = new RegExp(`^[${unspacedScripts}]`, "u");
/** Every unspaced script starts at Thai; this test halves the time for Latin text. */
const mayBeUnspaced = /[\u0e00-\u{10ffff}]/u;
const characters = /.[\p{M}\uff9e\uff9f\u1160-\u11ff]*/gsu;

export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}

function* writtenWords(text: string): Generator<WrittenWord> {
  for (const { 0: word, index } of text.matchAll(wordsAndSigns)) {
    if (word.charCodeAt(0) > 0x7f && isSign.test(word)) yield signAt(word, index);
    else if (!mayBeUnspaced.test(word)) yield* spacedWords(word, index);
    else
      for (const { 0: run, index: start } of word.matchAll(runs))
        yield* isUnspaced(run) ? pairs(run, index + start) : spacedWords(run, index + start);
  }
}

function signAt(written: string, start: number): WrittenWord {
  const place = { start, end: start + written.length };
  return { ...place, pair: [{ ...place, term: written.replace("\ufe0f", "") }] };
}

function* spacedWords(run: string, start: number): Generator<WrittenWord> {
  const end = start + run.length;
  for (const known of knownWords(run)) yield { start, end, known };
}

/** The last character stands alone, too, so that a prefix finds every single character. */
function* pairs(run: string, start: number): Generator<WrittenWord> {
  let before: PlacedTerm | null = null;
  let pair: PlacedTerm | null = null;
  for (const { 0: character, index } of run.matchAll(characters)) {
    const term = cut(fold(character));
    if (term === "") continue;
    const place = { start: start + index, end: start + index + character.length };
    if (pair) yield { start: pair.start, end: pair.end, pair: [pair] };
    if (before) pair = { term: before.term + term, start: before.start, end: place.end };
    before = { term, ...place };
  }
  if (!before) return;
  const { start: from, end } = pair ?? before;
  yield { start: from, end, pair: pair ? [pair, before] : [before] };
}

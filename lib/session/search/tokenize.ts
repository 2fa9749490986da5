import { fold } from "./fold";
import { cut, type KnownWord, knownWords, languageStems, stemsIn } from "./known-word";
import { languages, languagesOfWords } from "./language";

/** `start` and `end` are UTF-16 offsets; tokens with the same `position` are forms of one word. */
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
 * The index terms of a text, in order: folded, stemmed, and cut to 200 characters. Scripts without spaces become
 * overlapping pairs of characters. A word gives its stem, itself (so that the prefix "deploym" finds "deployment"),
 * then its stems in the text's probable languages.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const words = writtenWords(text);
  const languagesAt = languagesOfWords(text, words);
  for (const [position, word] of words.entries()) {
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
  return writtenWords(text).map((word) => {
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

/** In any language. */
export function termsLike(term: string): string[] {
  return [term, ...languageStems(term)];
}

interface Place {
  readonly start: number;
  readonly end: number;
}

type WrittenWord =
  | (Place & { readonly known: KnownWord })
  | (Place & { readonly pair: readonly PlacedTerm[] });

/** The pair; at the end of a run also its last character. */
interface PlacedTerm extends Place {
  readonly term: string;
}

// A short name with ++ or # is its own word ("C", "C++", "C#"); longer words drop the punctuation.
const words = /(?<![\p{L}\p{N}\p{M}_])[a-zA-Z]{1,2}(?:\+\+|#)(?![\p{L}_])|[\p{L}\p{N}\p{M}_]+/gu;

const unspacedScripts =
  "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}";
const runs = new RegExp(`[${unspacedScripts}]+|[^${unspacedScripts}]+`, "gu");
const unspaced = new RegExp(`^[${unspacedScripts}]`, "u");
/** Every unspaced script starts at Thai; this test halves the time for Latin text. */
const mayBeUnspaced = /[\u0e00-\u{10ffff}]/u;
/** A character with its combining marks, half-width voicing and decomposed Hangul included. */
const characters = /.[\p{M}\uff9e\uff9f\u1160-\u11ff]*/gsu;

export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}

function writtenWords(text: string): WrittenWord[] {
  const written: WrittenWord[] = [];
  for (const { 0: word, index } of text.matchAll(words)) {
    if (!mayBeUnspaced.test(word)) pushSpaced(written, word, index);
    else for (const run of word.matchAll(runs)) pushRun(written, run[0], index + run.index);
  }
  return written;
}

function pushRun(written: WrittenWord[], run: string, start: number): void {
  if (isUnspaced(run)) for (const pair of pairs(run, start)) written.push(pair);
  else pushSpaced(written, run, start);
}

function pushSpaced(written: WrittenWord[], run: string, start: number): void {
  const end = start + run.length;
  for (const known of knownWords(run)) written.push({ start, end, known });
}

function pairs(run: string, start: number): WrittenWord[] {
  const placed = [...run.matchAll(characters)].map((match) => ({
    term: cut(fold(match[0])),
    start: start + match.index,
    end: start + match.index + match[0].length,
  }));
  return pairUp(placed.filter((form) => form.term !== "")).map((pair) => ({
    start: pair[0]?.start ?? start,
    end: pair[0]?.end ?? start,
    pair,
  }));
}

/** The last character stands beside the last pair, so that a prefix finds every single character. */
function pairUp(single: readonly PlacedTerm[]): PlacedTerm[][] {
  const [only, second] = single;
  if (only && !second) return [[only]];
  return single.slice(0, -1).map((first, index) => {
    const next = single[index + 1] ?? first;
    const pair = { term: first.term + next.term, start: first.start, end: next.end };
    return index === single.length - 2 ? [pair, next] : [pair];
  });
}

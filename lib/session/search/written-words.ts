import { fold } from "./fold";
import { cut, type KnownWord, knownWords } from "./known-word";

export interface Place {
  readonly start: number;
  readonly end: number;
}

export type WrittenWord =
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

export function writtenWords(text: string): WrittenWord[] {
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

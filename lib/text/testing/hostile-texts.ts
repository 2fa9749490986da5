/** A family of texts of any length that a careless reader takes quadratic time for, or fails on. */
export type HostileText = (length: number) => string;

function repeated(unit: string): HostileText {
  return (length) => unit.repeat(Math.ceil(length / unit.length));
}

/** `unit` for the first half, `end` for the other. */
function halves(unit: string, end: string): HostileText {
  return (length) => repeated(unit)(length / 2) + repeated(end)(length / 2);
}

function framed(before: string, unit: string, after: string): HostileText {
  return (length) => before + repeated(unit)(length) + after;
}

/** Codes of Basic Latin, Cyrillic, Arabic, Thai, Han, emoji halves and private use, from a fixed sequence. */
function noise(length: number): string {
  const starts = [0x20, 0x400, 0x600, 0xe00, 0x4e00, 0xd800, 0xdc00, 0xe000];
  let state = 1;
  const codes = Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (starts[state >>> 29] ?? 0) + ((state >>> 8) % 90);
  });
  return codes.map((code) => String.fromCharCode(code)).join("");
}

/** By name. Every text is of about the asked length in UTF-16 units, and the same at each call. */
export const hostileTexts: Readonly<Record<string, HostileText>> = {
  spaces: repeated(" "),
  "spaces before a letter": framed("a", " ", "a"),
  tabs: repeated("\t"),
  "blank lines": repeated("\n"),
  "blank lines before a letter": framed("", "\n", "a"),
  "carriage returns": repeated("\r"),
  "non-breaking spaces": framed("a", "\u00a0", "a"),
  "one letter": repeated("a"),
  "one line of words": repeated("word "),
  "distinct words": (length) =>
    Array.from({ length: length / 7 }, (_, n) => n.toString(36).padStart(6, "q")).join(" "),
  "short lines": repeated("a\n"),
  "lines of spaces": repeated("          \n"),
  backticks: repeated("`"),
  "backticks and letters": repeated("`a"),
  "growing runs of backticks": (length) =>
    Array.from({ length: Math.sqrt(2 * length) }, (_, n) => "`".repeat(n)).join("a"),
  stars: repeated("*"),
  "opened emphasis": repeated("**a "),
  "closed emphasis": repeated("**a**"),
  "stars and underscores": repeated("*_"),
  underscores: repeated("_a"),
  tildes: repeated("~~a"),
  "opening brackets": repeated("["),
  "nested brackets": halves("[", "]"),
  "opened links": repeated("[a]("),
  "closed links": repeated("[a](b) "),
  "opened pictures": repeated('![a](b "'),
  "reference definitions": repeated("[a]: b\n"),
  footnotes: repeated("[^1]"),
  "quote marks": repeated("> "),
  "quote marks and a letter": framed("", ">", " a"),
  bullets: repeated("- "),
  "dashes with spaces": framed("", "- ", "a"),
  numbers: repeated("1. a\n"),
  headings: repeated("# "),
  "heading with closing marks": framed("# a", " #", "a"),
  "task items": repeated("- [ ] a\n"),
  "opened tasks": repeated("- [ "),
  "table cells": repeated("|"),
  "table cells with spaces": repeated("| "),
  "table rules": framed("", "|-", "a"),
  "table rows": framed("|a|b|\n|-|-|\n", "|x|y|\n", ""),
  fences: repeated("```\n"),
  "an opened fence": framed("```js\n", "a\n", ""),
  dollars: repeated("$"),
  formulas: repeated("$$a$$ "),
  "opened formulas": repeated("\\(a"),
  tags: repeated("<a "),
  "closed tags": repeated("<div>"),
  comments: repeated("<!--"),
  entities: repeated("&amp"),
  backslashes: repeated("\\"),
  quotes: repeated('"'),
  "single quotes": repeated("'"),
  "quotes and backslashes": repeated('\\"'),
  "an opened quote": framed('name: "', "a\\", ""),
  colons: repeated("a:"),
  "front matter": framed("---\n", "a: b\n", "---\n"),
  "opened front matter": framed("---\n", "a:\n  b\n", ""),
  "indented front matter": framed("---\na: |\n", "  b\n", "---\n"),
  "fields without values": framed("---\n", "a:\n", "---\n"),
  "JSON lists": halves("[", "]"),
  "JSON records": repeated('{"a":'),
  "JSON text": framed('{"type":"message","text":"', "a", '"}'),
  "rules of blocks": repeated(`${"═".repeat(46)}\n`),
  "rules of blocks in one line": repeated("═"),
  minus: repeated("-a "),
  "filters of a search": repeated("before:x "),
  "short names with signs": repeated("c++"),
  addresses: repeated("http://a@b.c/%"),
  "a long address": framed("https://", "a.", "b"),
  "bearer tokens": repeated("bearer "),
  "masked keys": repeated("sk-*"),
  "key beginnings": repeated("eyJ"),
  tokens: framed("eyJ", "a.", " "),
  punctuation: repeated("!?.,;: "),
  "sentence ends": framed("a", " .", "a"),
  hyphens: repeated("-"),
  "hyphens and letters": framed("", "-", "a"),
  Chinese: repeated("森林"),
  Thai: repeated("ป่าไม้"),
  Korean: repeated("숲"),
  Arabic: repeated("غابة "),
  Russian: repeated("лес"),
  "combining marks": framed("e", "\u0301", ""),
  "letters with marks": repeated("e\u0301\u0323"),
  "swapped marks": repeated("e\u0301\u0323\u0345"),
  ligatures: repeated("\ufdfa"),
  emoji: repeated("😀"),
  "joined emoji": repeated("👩‍👩‍👧‍👦"),
  "one joined emoji": framed("👩", "\u200d👩", ""),
  flags: repeated("🇪🇺"),
  "high surrogates": repeated("\ud83d"),
  "low surrogates": repeated("\ude00"),
  "nul characters": repeated("\u0000"),
  "direction marks": repeated("\u202e\u2066a"),
  noise,
};

interface GrowthOptions {
  /** Length in UTF-16 units. */
  readonly length?: number;
}

/** Quadratic work grows sixteenfold, linear work fourfold. */
const steepest = 9;
/** Too short to be compared: the clock of a thread ticks every 4 ms, and a quarter of it is ten ticks. */
const shortMs = 160;

/**
 * Reads each hostile text, and compares the processor time of this thread, which other processes do not change, for one
 * of `length` with one of a quarter.
 *
 * @returns a sentence for each text that `read` throws for, or takes more than linear time for.
 */
export function growthProblems(
  read: (text: string) => unknown,
  { length = 60_000 }: GrowthOptions = {},
): string[] {
  return Object.entries(hostileTexts).flatMap(([name, make]) => {
    const [short, long] = [make(length / 4), make(length)];
    try {
      read(short);
      const longMs = leastCpuMs(() => read(long), { enough: shortMs });
      if (longMs <= shortMs) return [];
      const growth =
        longMs /
        Math.max(
          4,
          leastCpuMs(() => read(short)),
        );
      if (growth <= steepest) return [];
      return [`${name}: ${Math.round(longMs)} ms, ${growth.toFixed(1)} times a quarter of it`];
    } catch (error) {
      return [`${name}: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`];
    }
  });
}

/** The least of up to three runs, since any of them may collect garbage. */
function leastCpuMs(act: () => unknown, { enough = 0 } = {}): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && least > enough; run++) least = Math.min(least, cpuMs(act));
  return least;
}

function cpuMs(act: () => unknown): number {
  const before = process.threadCpuUsage();
  act();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

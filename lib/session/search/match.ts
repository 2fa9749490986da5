import { maxSearchableLength } from "./lexemes";
import { openingBlocks } from "./opening-blocks";
import { plainMarkdown } from "./plain-markdown";
import type { QueryPhrase, SearchQuery } from "./query";
import type { Snippet } from "./search-hits";
import { type Token, tokenize } from "./tokenize";

export function matches(query: SearchQuery, tokens: readonly Token[]): boolean {
  const { wanted, found, excluded } = phrasesIn(query, tokens);
  return !excluded && found > 0 && (query.match === "any" || found === wanted);
}

/** Negated phrases highlight nothing. */
function matchedTokens(query: SearchQuery, tokens: readonly Token[]): Token[] {
  const words = wordsOf(tokens);
  const marked = new Set<Token>();
  for (const phrase of query.phrases.filter((each) => !each.negated)) {
    for (const start of occurrences(phrase, words)) {
      for (const word of words.slice(start, start + phrase.terms.length)) {
        if (word[0]) marked.add(word[0]);
      }
    }
  }
  return tokens.filter((token) => marked.has(token));
}

/** Exceeds any score of words that only tools wrote. */
const saidScore = 1_000;

export function scoreOfParts(
  query: SearchQuery,
  { said, all }: { readonly said: readonly Token[]; readonly all: readonly Token[] },
  rarities?: Rarities,
): number {
  const wanted = query.phrases.filter(({ negated }) => !negated).length;
  const enough = query.match === "any" ? 1 : Math.min(2, wanted);
  const isSaid = phrasesIn(query, said).found >= enough;
  return isSaid ? saidScore + scoreOf(query, said, rarities) : scoreOf(query, all, rarities);
}

type Rarities = ReadonlyMap<QueryPhrase, number>;

/** Counts beyond it make a phrase no more frequent. */
const mostCounted = 400;

/** From 1, for a phrase that `mostCounted` texts have, to 7 for one that a single text has. */
export function rarities(query: SearchQuery, texts: readonly (readonly Token[])[]): Rarities {
  const words = texts.map(wordsOf);
  const counted = query.phrases.map((phrase) => {
    const count = words.filter((each) => occurrences(phrase, each).length > 0).length;
    return [phrase, 1 + Math.log(mostCounted / Math.min(mostCounted, Math.max(1, count)))] as const;
  });
  return new Map(counted);
}

/** Rarities of the phrases found, then their dampened frequency in proportion to the text's length. */
export function scoreOf(
  query: SearchQuery,
  tokens: readonly Token[],
  rarities: Rarities = new Map(),
): number {
  const frequency = Math.log1p(matchedTokens(query, tokens).length);
  const words = wordsOf(tokens);
  const weights = query.phrases
    .filter((phrase) => !phrase.negated && occurrences(phrase, words).length > 0)
    .map((phrase) => rarities.get(phrase) ?? 1);
  const weight = weights.reduce((sum, each) => sum + each, 0);
  return weight - 1 + frequency / (1 + Math.log1p(tokens.length));
}

function phrasesIn({ phrases }: SearchQuery, tokens: readonly Token[]) {
  const words = wordsOf(tokens);
  const occurs = (phrase: QueryPhrase) => occurrences(phrase, words).length > 0;
  const wanted = phrases.filter(({ negated }) => !negated);
  const excluded = phrases.some((phrase) => phrase.negated && occurs(phrase));
  return { wanted: wanted.length, found: wanted.filter(occurs).length, excluded };
}

function wordsOf(tokens: readonly Token[]): Token[][] {
  const words: Token[][] = [];
  for (const token of tokens) {
    const last = words.at(-1);
    if (last?.[0]?.position === token.position) last.push(token);
    else words.push([token]);
  }
  return words;
}

function occurrences(phrase: QueryPhrase, words: readonly Token[][]): number[] {
  const starts: number[] = [];
  for (let start = 0; start + phrase.terms.length <= words.length; start++) {
    if (phrase.terms.every((_, offset) => fits(phrase, offset, words[start + offset] ?? []))) {
      starts.push(start);
    }
  }
  return starts;
}

function fits(phrase: QueryPhrase, offset: number, forms: readonly Token[]): boolean {
  const terms = phrase.terms[offset] ?? [];
  const prefix = offset === phrase.terms.length - 1 ? phrase.prefix : null;
  return forms.some(
    ({ term }) => terms.includes(term) || (prefix !== null && term.startsWith(prefix)),
  );
}

type Range = readonly [start: number, end: number];

const ellipsis = "…";
const leadChars = 40;

/** The part with the most query words, without Markdown; else the beginning. */
export function snippet(content: string, query: SearchQuery, { maxChars = 200 } = {}): Snippet {
  const { rest } = openingBlocks(content);
  const said = marked(plainMarkdown(rest), query);
  const isSaid = rest === content || said.marks.length > 0;
  const { text, marks: ranges } = isSaid ? said : marked(plainMarkdown(content), query);
  const [start, end] = stretch(text, ranges, maxChars);
  const lead = start > 0 ? ellipsis : "";
  const shown = text.slice(start, end).replace(/\s/g, " ");
  const marks = ranges
    .filter(([from]) => from >= start && from < end)
    .map(([from, to]) => [from, Math.min(to, end)] as const)
    .map(([from, to]) => [from - start + lead.length, to - start + lead.length] as const);
  return { text: lead + shown + (end < text.length ? ellipsis : ""), marks };
}

/** Words of tools are shown only where people and models said fewer of those searched for. */
export function saysAll({ marks }: Snippet, query: SearchQuery): boolean {
  const wanted = query.phrases.filter(({ negated }) => !negated).length;
  return marks.length >= Math.max(1, wanted);
}

export function excerptText({ text }: Snippet, content: string): string {
  const whole = plainMarkdown(content).length;
  const shown = text.replaceAll(/^…|…$/g, "").length;
  if (shown >= whole) return text;
  return `${text} [excerpt: ${shown.toLocaleString("en")} of ${whole.toLocaleString("en")} characters]`;
}

export function marked(text: string, query: SearchQuery): Snippet {
  const tokens = tokenize(text.slice(0, maxSearchableLength));
  return {
    text,
    marks: merged(matchedTokens(query, tokens).map(({ start, end }) => [start, end])),
  };
}

function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [start, end] of ranges) {
    const last = result.at(-1);
    if (last && start < last[1]) result[result.length - 1] = [last[0], Math.max(last[1], end)];
    else result.push([start, end]);
  }
  return result;
}

function stretch(text: string, ranges: readonly Range[], maxChars: number): Range {
  if (text.length <= maxChars) return [0, text.length];
  const most = Math.max(0, maxChars - 2 * ellipsis.length);
  const first = densest(ranges, most);
  const wanted = Math.max(0, Math.min(first - leadChars, text.length - most));
  const start = wordStart(text, wanted, first);
  return [start, wholeCharacter(text, Math.min(text.length, start + most))];
}

function densest(ranges: readonly Range[], maxChars: number): number {
  let best = { start: 0, count: 0 };
  let from = 0;
  for (const [index, [, end]] of ranges.entries()) {
    while (end - (ranges[from]?.[0] ?? end) > maxChars - leadChars && from < index) from++;
    const count = index - from + 1;
    if (count > best.count) best = { start: ranges[from]?.[0] ?? 0, count };
  }
  return best.start;
}

function wordStart(text: string, wanted: number, latest: number): number {
  if (wanted === 0) return 0;
  const space = text.slice(wanted, latest).search(/\s/);
  return wholeCharacter(text, space === -1 ? wanted : wanted + space + 1);
}

function wholeCharacter(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset;
}

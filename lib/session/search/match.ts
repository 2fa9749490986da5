import type { QueryPhrase, SearchQuery } from "./query";
import type { Token } from "./tokenize";

/** Returns true when every phrase of the query occurs, or with `match: "any"` one, and no negated one does. */
export function matches(query: SearchQuery, tokens: readonly Token[]): boolean {
  const { wanted, found, excluded } = phrasesIn(query, tokens);
  return !excluded && found > 0 && (query.match === "any" || found === wanted);
}

/** Tokens to highlight, in order; negated phrases highlight nothing. */
export function matchedTokens(query: SearchQuery, tokens: readonly Token[]): Token[] {
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

/** The number of phrases found, then their dampened frequency in proportion to the text's length; higher is better. */
export function scoreOf(query: SearchQuery, tokens: readonly Token[]): number {
  const frequency = Math.log1p(matchedTokens(query, tokens).length);
  return phrasesIn(query, tokens).found - 1 + frequency / (1 + Math.log1p(tokens.length));
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

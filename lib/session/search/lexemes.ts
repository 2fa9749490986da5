import { atOnce, inSlices, type Steps } from "../steps";
import { isBlankQuery, type QueryPhrase, type SearchQuery } from "./query";
import type { SearchedPart } from "./search-hits";
import type { SearchableSection } from "./searchable-text";
import { type Token, tokenSteps } from "./tokenize";

/** Increase it when the same text gives other terms: storage then rebuilds its index. */
export const analysisVersion = 4;

/** UTF-16 units; the rest of a text is not searchable. */
export const maxSearchableLength = 200_000;

// Postgres keeps positions in 14 bits, 255 per lexeme, and refuses a vector of 1 MiB. The literal is never shorter than
// the stored form, so bounding it bounds the vector.
const maxPosition = 16_383;
const maxPositionsPerTerm = 255;
const maxLiteralBytes = 800_000;
const bytesPerPosition = 7;

const weightOf = {
  text: "",
  tools: "C",
  files: "B",
  reasoning: "",
} as const satisfies Record<SearchedPart, string>;

/**
 * A Postgres `tsvector` literal such as `'deploy':1,4C 'friday':2`, never refused; the end of a very long text is
 * dropped.
 *
 * @see https://www.postgresql.org/docs/current/textsearch-limitations.html
 */
export function toTsvector(searched: Searched): string {
  return atOnce(vectorSteps(searched));
}

type Searched = string | readonly SearchableSection[];

/** `toTsvector` without holding up other work: the longest text takes 0.3 s. */
export function toTsvectorInSlices(searched: Searched): Promise<string> {
  return inSlices(vectorSteps(searched));
}

const lexemesPerStep = 2_000;

function* vectorSteps(searched: Searched): Steps<string> {
  const sections =
    typeof searched === "string" ? [{ part: "text", text: searched } as const] : searched;
  const text = sections.map((section) => section.text).join("\n");
  const tokens = yield* tokenSteps(text.slice(0, maxSearchableLength));
  const lexemes = yield* lexemeSteps(placedIn(sections, tokens));
  let literal = "";
  let count = 0;
  for (const { quoted, places } of lexemes) {
    literal += `${literal === "" ? "" : " "}${quoted}:${places}`;
    if (++count % lexemesPerStep === 0) yield;
  }
  return literal;
}

interface Lexeme {
  readonly quoted: string;
  places: string;
  count: number;
  last: number;
}

interface WeightedTerm {
  readonly term: string;
  readonly position: number;
  readonly weight: string;
}

function* placedIn(
  sections: readonly SearchableSection[],
  tokens: readonly Token[],
): Iterable<WeightedTerm> {
  let index = 0;
  let end = sections[0]?.text.length ?? 0;
  for (const { term, start, position } of tokens) {
    while (start > end && index < sections.length - 1) {
      index++;
      end += 1 + (sections[index]?.text.length ?? 0);
    }
    const part = sections[index]?.part ?? "text";
    yield {
      term: part === "reasoning" ? reasoningLexeme(term) : term,
      position: Math.min(position + 1, maxPosition),
      weight: weightOf[part],
    };
  }
}

function* lexemeSteps(terms: Iterable<WeightedTerm>): Steps<Iterable<Lexeme>> {
  const lexemes = new Map<string, Lexeme>();
  let bytes = 0;
  let count = 0;
  for (const { term, position, weight } of terms) {
    if (++count % lexemesPerStep === 0) yield;
    const lexeme = lexemes.get(term);
    if (lexeme && (lexeme.count >= maxPositionsPerTerm || lexeme.last === position)) continue;
    const quoted = lexeme?.quoted ?? quoteLexeme(term);
    bytes += bytesPerPosition + (lexeme ? 0 : utf8Length(quoted) + 2);
    if (bytes > maxLiteralBytes) break;
    if (lexeme) {
      lexeme.places += `,${position}${weight}`;
      lexeme.count++;
      lexeme.last = position;
    } else lexemes.set(term, { quoted, places: `${position}${weight}`, count: 1, last: position });
  }
  return lexemes.values();
}

/** Ten times as fast as encoding the text. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    if (code >= 0x80) bytes += code < 0x800 || isSurrogate ? 1 : 2;
  }
  return bytes;
}

type Lexemes = (term: string, isPrefix: boolean) => string[];

/**
 * A `tsquery` such as `'a' & ('b' <-> 'c') & !'d' & ('e' | 'eve':*)`; `null` when nothing can match.
 *
 * @see https://www.postgresql.org/docs/current/datatype-textsearch.html
 */
export function toTsquery(query: SearchQuery): string | null {
  if (isBlankQuery(query) || query.parts?.length === 0) return null;
  const lexemes = lexemesIn(query.parts);
  return query.phrases.map((phrase) => phraseToTsquery(phrase, lexemes)).join(" & ");
}

/**
 * For `match: "any"` all phrases, then each alone: one query of alternatives would read the newest matches of a
 * frequent word and never reach a rare one.
 */
export function toTsqueries(query: SearchQuery): string[] {
  const all = toTsquery(query);
  if (all === null) return [];
  const wanted = query.phrases.filter(({ negated }) => !negated);
  if (query.match !== "any" || wanted.length === 1) return [all];
  const excluded = query.phrases.filter(({ negated }) => negated);
  const alone = wanted.map((phrase) => toTsquery({ ...query, phrases: [phrase, ...excluded] }));
  return [all, ...alone.filter((each) => each !== null)];
}

function phraseToTsquery(phrase: QueryPhrase, lexemes: Lexemes): string {
  const words = phrase.terms.map((terms, index) =>
    wordToTsquery(terms, index === phrase.terms.length - 1 ? phrase.prefix : null, lexemes),
  );
  const joined = words.length > 1 ? `(${words.join(" <-> ")})` : (words[0] ?? "");
  return phrase.negated ? `!${joined}` : joined;
}

function wordToTsquery(terms: readonly string[], prefix: string | null, lexemes: Lexemes): string {
  const needed = prefix === null ? terms : terms.filter((term) => !term.startsWith(prefix));
  const alternatives = needed.flatMap((term) => lexemes(term, false));
  if (prefix !== null) alternatives.push(...lexemes(prefix, true));
  return alternatives.length > 1 ? `(${alternatives.join(" | ")})` : (alternatives[0] ?? "");
}

/** Weights would make Postgres read each text that the index finds. */
function lexemesIn(parts: SearchQuery["parts"]): Lexemes {
  const spoken = (["text", "tools", "files"] as const).filter(
    (part) => parts?.includes(part) ?? true,
  );
  const weights = spoken.length === 3 ? "" : spoken.map((part) => weightOf[part] || "D").join("");
  const suffix = (mark: string) => (mark === "" ? "" : `:${mark}`);
  return (term, isPrefix) => {
    const star = isPrefix ? "*" : "";
    return [
      ...(spoken.length > 0 ? [quoteLexeme(term) + suffix(star + weights)] : []),
      ...(parts?.includes("reasoning") ? [quoteLexeme(reasoningLexeme(term)) + suffix(star)] : []),
    ];
  };
}

/** A colon marks a word of reasoning, since no word of text begins with one. */
function reasoningLexeme(term: string): string {
  return `:${term}`;
}

const special = /['\\]/;

function quoteLexeme(term: string): string {
  // Testing is faster than a replacement that finds nothing.
  if (!special.test(term)) return `'${term}'`;
  return `'${term.replaceAll(/['\\]/g, (character) => character + character)}'`;
}

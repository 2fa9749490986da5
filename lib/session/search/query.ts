import type { SessionMessageRole } from "../message";
import type { SearchedPart, SearchOptions } from "./search-hits";
import { askedWords, isUnspaced } from "./tokenize";

export interface QueryPhrase {
  /** Alternatives for each word; the first is in every text that contains the word. */
  readonly terms: readonly (readonly string[])[];
  readonly prefix: string | null;
  readonly negated: boolean;
}

/** All phrases must match, or with `match: "any"` one; a message counts when `after <= createdAt < before`. */
export interface SearchQuery {
  readonly phrases: readonly QueryPhrase[];
  readonly match?: "all" | "any" | undefined;
  readonly parts?: readonly SearchedPart[] | undefined;
  readonly role?: SessionMessageRole | undefined;
  readonly tag?: string | undefined;
  /** The name of the program that began the session, in any case; logs are searched, too. */
  readonly program?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly before?: Date | undefined;
  readonly after?: Date | undefined;
}

type Filters = {
  -readonly [K in Exclude<keyof SearchQuery, "phrases" | "match" | "parts">]?: SearchQuery[K];
};

const maxInputLength = 1_000;
const maxPhrases = 32;
const minPrefixLength = 2;

const pieces = /(-?)(?:([a-z]+):)?(?:"([^"]*)("|$)|([^\s"]+))/gu;
const filterNames: ReadonlySet<string> = new Set([
  "role",
  "tag",
  "program",
  "in",
  "before",
  "after",
]);
const unfinishedFilter = /^([a-z]+):$/;
const roles: readonly string[] = ["user", "assistant", "system"];

export interface ParsedQuery extends SearchQuery {
  readonly words: string;
  /** Why the query may miss something, in sentences. */
  readonly problems: readonly string[];
}

/**
 * Parses a search line: words in any order, `"a phrase"`, `-without`, `role:user`, `tag:x`, `program:x`,
 * `in:session-id`, `before:2026-01-31`, `after:2026-01-01`. The last word is unfinished unless a space or a quote
 * follows. Never throws: `problems` names filters with invalid values, which are dropped; any other `name:value` is
 * text.
 */
export function parseQuery(
  input: string,
  options: Pick<SearchOptions, "prefix"> = {},
): ParsedQuery {
  const line = lineOf(input);
  const phrases: QueryPhrase[] = [];
  const filters: Filters = {};
  const words: string[] = [];
  const problems: string[] = [];
  for (const piece of line.matchAll(pieces)) {
    const [whole, minus, name, quoted, closing, word] = piece;
    const value = quoted ?? word ?? "";
    if (isFilter(piece)) {
      if (name && !readFilter(filters, name, value)) problems.push(...filterProblem(name, value));
      continue;
    }
    words.push(whole);
    const atEnd = piece.index + whole.length === line.length && closing !== '"';
    const unfinished = atEnd && !minus && options.prefix !== false;
    const text = (name ? `${name}:` : "") + value;
    const phrase = phraseOf(text, { negated: minus === "-", unfinished });
    if (phrase && phrases.length < maxPhrases) phrases.push(phrase);
  }
  const query = { phrases, ...filters };
  const written = words.join(" ");
  return { ...query, words: written, problems: [...problems, ...blankProblem(query, written)] };
}

function filterProblem(name: string, value: string): string[] {
  if (name === "role") {
    return [`“${value}” is not a role and was ignored. Use user, assistant or system.`];
  }
  if (name === "before" || name === "after") {
    return [`“${value}” is not a date and was ignored. Write it like ${name}:2026-01-31.`];
  }
  return [];
}

function blankProblem(query: SearchQuery, written: string): string[] {
  if (!isBlankQuery(query)) return [];
  if (query.phrases.length === 0 && /[^\s"-]/.test(written)) {
    return ["Punctuation cannot be searched for alone. Add a word, as in “why?”."];
  }
  if (query.phrases.length > 0) {
    return ["A minus only excludes. Add a word to search for, as in “soup -tomato”."];
  }
  return isNarrowed(query)
    ? ["A filter only narrows a search. Add a word to search for, as in “soup role:user”."]
    : [];
}

export function isNarrowed(query: SearchQuery): boolean {
  const { role, tag, program, sessionId, before, after } = query;
  return [role, tag, program, sessionId, before, after].some((value) => value !== undefined);
}

/** `options` win over filters of the line. */
export function queryWith(line: string | SearchQuery, options: SearchOptions = {}): SearchQuery {
  const query = typeof line === "string" ? parseQuery(line, options) : line;
  return {
    phrases: query.phrases,
    match: options.match ?? query.match,
    parts: options.parts ?? query.parts,
    sessionId: query.sessionId,
    role: options.role ?? query.role,
    tag: options.tag ?? query.tag,
    program: query.program,
    before: options.before ?? query.before,
    after: options.after ?? query.after,
  };
}

/** True without words, or with only negated ones. */
export function isBlankQuery(query: SearchQuery): boolean {
  return !query.phrases.some((phrase) => !phrase.negated);
}

function lineOf(input: string): string {
  return input.slice(0, maxInputLength).replace(/[“”„]/g, '"');
}

function phraseOf(
  text: string,
  { negated, unfinished }: { negated: boolean; unfinished: boolean },
): QueryPhrase | null {
  const words = askedWords(text);
  const last = words.at(-1);
  if (!last) return null;
  return {
    terms: words.map((word) => word.terms),
    prefix: prefixOf(last.plain, last.terms[0], unfinished),
    negated,
  };
}

/** A single character of an unspaced script can only begin a pair. */
function prefixOf(last: string, term: string | undefined, unfinished: boolean): string | null {
  if (isUnspaced(last)) return last === term && !isPair(last) ? last : null;
  return unfinished && last.length >= minPrefixLength ? last : null;
}

function isPair(term: string): boolean {
  return [...term.replace(/\p{M}+/gu, "")].length > 1;
}

/** An invalid or unfinished filter is one, too. */
function isFilter([, minus, name, , , word]: RegExpExecArray): boolean {
  if (minus) return false;
  return filterNames.has(name ?? unfinishedFilter.exec(word ?? "")?.[1] ?? "");
}

function readFilter(filters: Filters, name: string, value: string): boolean {
  if (value === "") return false;
  if (name === "role" && roles.includes(value)) filters.role = value as SessionMessageRole;
  else if (name === "tag") filters.tag = value;
  else if (name === "program") filters.program = value;
  else if (name === "in") filters.sessionId = value;
  else if (name === "before" || name === "after") return readDate(filters, name, value);
  else return false;
  return true;
}

function readDate(filters: Filters, name: "before" | "after", value: string): boolean {
  const date = new Date(value);
  if (!/^\d{4}-\d{2}/.test(value) || Number.isNaN(date.getTime())) return false;
  filters[name] = date;
  return true;
}

const defaultLimit = 20;
const maxLimit = 100;

export function searchLimit({ limit = defaultLimit }: SearchOptions): number {
  return Math.max(0, Math.min(maxLimit, limit));
}

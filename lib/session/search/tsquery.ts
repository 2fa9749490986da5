import { quoteLexeme, reasoningLexeme } from "./lexeme";
import { isBlankQuery, type QueryPhrase, type SearchQuery } from "./query";
import { weightOf } from "./tsvector";

/** Alternatives for a term: those in the searched parts. */
type Lexemes = (term: string, isPrefix: boolean) => string[];

/**
 * For `::tsquery`: `'a' & ('b' <-> 'c') & !'d' & ('e' | 'eve':*)`. `null` when nothing can match.
 *
 * @see https://www.postgresql.org/docs/current/datatype-textsearch.html
 */
export function toTsquery(query: SearchQuery): string | null {
  if (isBlankQuery(query) || query.parts?.length === 0) return null;
  const lexemes = lexemesIn(query.parts);
  return query.phrases.map((phrase) => phraseToTsquery(phrase, lexemes)).join(" & ");
}

/**
 * The queries whose matches together are those of `query`, each with its own rank: for `match: "any"` all phrases, then
 * each alone. One query of alternatives would read the newest matches of a frequent word and never reach a rare one.
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

/** The prefix already covers terms that begin with it. */
function wordToTsquery(terms: readonly string[], prefix: string | null, lexemes: Lexemes): string {
  const needed = prefix === null ? terms : terms.filter((term) => !term.startsWith(prefix));
  const alternatives = needed.flatMap((term) => lexemes(term, false));
  if (prefix !== null) alternatives.push(...lexemes(prefix, true));
  return alternatives.length > 1 ? `(${alternatives.join(" | ")})` : (alternatives[0] ?? "");
}

/** All words but reasoning's need no weights, which would make Postgres read each text that the index finds. */
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

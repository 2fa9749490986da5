import { quoteLexeme } from "./lexeme";
import { isBlankQuery, type QueryPhrase, type SearchQuery } from "./query";

/**
 * For `::tsquery`: `'a' & ('b' <-> 'c') & !'d' & ('e' | 'eve':*)`. `null` when nothing can match.
 *
 * @see https://www.postgresql.org/docs/current/datatype-textsearch.html
 */
export function toTsquery(query: SearchQuery): string | null {
  if (isBlankQuery(query)) return null;
  return query.phrases.map(phraseToTsquery).join(" & ");
}

function phraseToTsquery(phrase: QueryPhrase): string {
  const words = phrase.terms.map((terms, index) =>
    wordToTsquery(terms, index === phrase.terms.length - 1 ? phrase.prefix : null),
  );
  const joined = words.length > 1 ? `(${words.join(" <-> ")})` : (words[0] ?? "");
  return phrase.negated ? `!${joined}` : joined;
}

/** The prefix already covers terms that begin with it. */
function wordToTsquery(terms: readonly string[], prefix: string | null): string {
  const needed = prefix === null ? terms : terms.filter((term) => !term.startsWith(prefix));
  const alternatives = needed.map(quoteLexeme);
  if (prefix !== null) alternatives.push(`${quoteLexeme(prefix)}:*`);
  return alternatives.length > 1 ? `(${alternatives.join(" | ")})` : (alternatives[0] ?? "");
}

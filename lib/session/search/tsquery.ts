import { quoteLexeme } from "./lexeme";
import { isBlankQuery, type QueryPhrase, type SearchQuery } from "./query";

/**
 * The words of a query as a Postgres `tsquery` literal, to be used with `::tsquery` on a vector from `toTsvector`:
 * `'a' & ('b' <-> 'c') & !'d' & ('e' | 'eve':*)`. `null` when nothing can match.
 *
 * @see https://www.postgresql.org/docs/current/datatype-textsearch.html
 */
export function toTsquery(query: SearchQuery): string | null {
  if (isBlankQuery(query)) return null;
  return query.phrases.map(phraseToTsquery).join(" & ");
}

function phraseToTsquery(phrase: QueryPhrase): string {
  const words = phrase.terms.map((term, index) => {
    const exact = quoteLexeme(term);
    const unfinished = index === phrase.terms.length - 1 && phrase.prefix !== null;
    return unfinished ? withPrefix(exact, phrase.prefix ?? "") : exact;
  });
  const joined = words.length > 1 ? `(${words.join(" <-> ")})` : (words[0] ?? "");
  return phrase.negated ? `!${joined}` : joined;
}

function withPrefix(exact: string, prefix: string): string {
  const beginning = `${quoteLexeme(prefix)}:*`;
  return beginning === `${exact}:*` ? beginning : `(${exact} | ${beginning})`;
}

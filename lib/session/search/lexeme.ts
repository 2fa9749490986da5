/** A word of reasoning. Text has no word that begins with a colon. */
export function reasoningLexeme(term: string): string {
  return `:${term}`;
}

const special = /['\\]/;

/** Quotes a term for `tsvector` and `tsquery` literals. */
export function quoteLexeme(term: string): string {
  // Most words need no escaping, and testing is faster than a replacement that finds nothing.
  if (!special.test(term)) return `'${term}'`;
  return `'${term.replaceAll(/['\\]/g, (character) => character + character)}'`;
}

const special = /['\\]/;

/** A term between quotes as Postgres reads it in `tsvector` and `tsquery` literals. */
export function quoteLexeme(term: string): string {
  // Hardly a word has them, and a replacement that finds nothing takes longer than a look.
  if (!special.test(term)) return `'${term}'`;
  return `'${term.replaceAll(/['\\]/g, (character) => character + character)}'`;
}

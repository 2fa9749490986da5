/** A term between quotes as Postgres reads it in `tsvector` and `tsquery` literals. */
export function quoteLexeme(term: string): string {
  return `'${term.replace(/['\\]/g, (character) => character + character)}'`;
}

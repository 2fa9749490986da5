/** A grammar needs patterns that are not compiled yet. */
export class PatternsMissingError extends Error {
  constructor(readonly patterns: readonly string[]) {
    super(`${patterns.length} patterns of a grammar are not compiled yet.`);
    this.name = "PatternsMissingError";
  }
}

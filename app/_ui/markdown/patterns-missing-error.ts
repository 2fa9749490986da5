export class PatternsMissingError extends Error {
  constructor(readonly patterns: readonly string[]) {
    super(`${patterns.length} patterns of a grammar are not compiled yet.`);
    this.name = "PatternsMissingError";
  }
}

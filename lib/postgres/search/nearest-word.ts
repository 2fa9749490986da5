/**
 * The candidate a mistyped word was most likely meant to be: the one with the fewest typing errors, of equals the first;
 * `null` when none is near enough. Short words may have one error, longer ones two.
 */
export function nearestWord(word: string, candidates: readonly string[]): string | null {
  const allowed = word.length < 5 ? 1 : 2;
  let nearest: string | null = null;
  let fewest = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= fewest) continue;
    const errors = typingErrors(word, candidate);
    if (errors < fewest) {
      fewest = errors;
      nearest = candidate;
    }
  }
  return nearest;
}

/**
 * How many letters were missed, added, mixed up or swapped with their neighbour: the optimal string alignment distance.
 *
 * @see https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance
 */
export function typingErrors(first: string, second: string): number {
  const from = [...first];
  const to = [...second];
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of from.entries()) {
    const current = [row + 1];
    for (const [column, other] of to.entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const missed = (previous[column + 1] ?? 0) + 1;
      const added = (current[column] ?? 0) + 1;
      const isSwap = row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === other;
      const swapped = isSwap ? (beforePrevious[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(replaced, missed, added, swapped));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}

const shownCharacters = 4;
const leastLength = 12;

/** The end of a key, by which a person knows it again; of a short one too little would be left to guess. */
export function keyHint(key: string): string {
  return key.length < leastLength ? "…" : key.slice(-shownCharacters);
}

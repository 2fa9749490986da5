const longest = 400;
const fewestShared = 2;

/** Finds the stretch that shares the most words with `about`; `null` without one. */
export function passageAbout(text: string, about: string): readonly [number, number] | null {
  const said = new Set(wordsIn(about));
  let best: readonly [number, number] | null = null;
  let most = fewestShared - 1;
  for (const match of text.matchAll(/[^\s](?:[^.!?\n]|[.!?](?=\S)|\n(?!\s*\n))*[.!?]?/gu)) {
    const stretch = match[0].slice(0, longest);
    const shared = new Set(wordsIn(stretch).filter((word) => said.has(word)));
    const weight = [...shared].reduce((sum, word) => sum + (/\d/.test(word) ? 2 : 1), 0);
    if (weight <= most) continue;
    most = weight;
    best = [match.index, match.index + stretch.trimEnd().length];
  }
  return best;
}

function wordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length > 3 || /\d|[\p{Lo}]/u.test(word));
}

type SuffixRule = readonly [suffix: string, replacement: string];

const step2: readonly SuffixRule[] = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["entli", "ent"],
  ["ousli", "ous"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["abli", "able"],
  ["alli", "al"],
  ["ator", "ate"],
  ["eli", "e"],
];

const step3: readonly SuffixRule[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

const step4: readonly SuffixRule[] = [
  ["ement", ""],
  ["ance", ""],
  ["ence", ""],
  ["able", ""],
  ["ible", ""],
  ["ment", ""],
  ["sion", "s"],
  ["tion", "t"],
  ["ant", ""],
  ["ent", ""],
  ["ism", ""],
  ["ate", ""],
  ["iti", ""],
  ["ous", ""],
  ["ive", ""],
  ["ize", ""],
  ["al", ""],
  ["er", ""],
  ["ic", ""],
  ["ou", ""],
];

/**
 * The Porter stem of a lower-case word: "connections" and "connected" give "connect". Texts and queries in any Latin
 * language use it. @see M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const singular = dropPlural(word);
  const present = dropPastOrProgressive(singular);
  const base =
    present.endsWith("y") && hasVowel(present.slice(0, -1)) ? `${present.slice(0, -1)}i` : present;
  const shortened = replaceSuffix(replaceSuffix(base, step2, 1), step3, 1);
  return dropFinalLetters(replaceSuffix(shortened, step4, 2));
}

function dropPlural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function dropPastOrProgressive(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const rest = word.endsWith("ed")
    ? word.slice(0, -2)
    : word.endsWith("ing")
      ? word.slice(0, -3)
      : null;
  return rest !== null && hasVowel(rest) ? repairEnding(rest) : word;
}

function repairEnding(rest: string): string {
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (endsInDoubleConsonant(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1);
  return measure(rest) === 1 && endsInShortSyllable(rest) ? `${rest}e` : rest;
}

function replaceSuffix(word: string, rules: readonly SuffixRule[], minMeasure: number): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (!rule) return word;
  const [suffix, replacement] = rule;
  const rest = word.slice(0, -suffix.length) + replacement;
  const preceding = minMeasure === 2 ? rest : word.slice(0, -suffix.length);
  return measure(preceding) >= minMeasure ? rest : word;
}

function dropFinalLetters(word: string): string {
  const rest = word.slice(0, -1);
  if (word.endsWith("e")) {
    const length = measure(rest);
    return length > 1 || (length === 1 && !endsInShortSyllable(rest)) ? rest : word;
  }
  return word.endsWith("ll") && measure(word) > 1 ? rest : word;
}

function isVowel(word: string, index: number): boolean {
  const letter = word[index];
  if (letter === "y") return index > 0 && !isVowel(word, index - 1);
  return letter === "a" || letter === "e" || letter === "i" || letter === "o" || letter === "u";
}

/** Porter's m: how often a vowel group is followed by a consonant group. */
function measure(word: string): number {
  let groups = 0;
  let afterVowel = false;
  for (let index = 0; index < word.length; index++) {
    const vowel = isVowel(word, index);
    if (afterVowel && !vowel) groups++;
    afterVowel = vowel;
  }
  return groups;
}

function hasVowel(word: string): boolean {
  for (let index = 0; index < word.length; index++) if (isVowel(word, index)) return true;
  return false;
}

function endsInDoubleConsonant(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && !isVowel(word, last);
}

function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1;
  if (last < 2 || /[wxy]$/.test(word)) return false;
  return !isVowel(word, last - 2) && isVowel(word, last - 1) && !isVowel(word, last);
}

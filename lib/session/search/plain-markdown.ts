// Each pattern takes linear time: a repetition never begins again inside itself (the lookbehinds), and two that match
// the same characters never meet.
const fences = /^[ \t]*(?:```|~~~).*$/gm;
const rules = /^[ \t]*(?:[-*_][ \t]*){3,}$/gm;
const tableRules = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+(?:\|[ \t]*)?$/gm;
const lineMarks = /^[ \t]*(?:>[ \t]?)*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)?/gm;
/** Not calls in code, as `list[0](n)`. */
const links =
  /!?\[([^\][]{0,500})\]\((?=[a-z]+:|[./#]|[\w-]+\.\w)[^()\s]{0,2000}(?:[ \t]+"[^"]{0,500}")?\)/gi;
const bars = /(?<![ \t])[ \t]*\|[ \t]*/g;
const codeSpans = /(?<!`)`+([^`\n]{1,1000})`+/g;
/** Chinese, Japanese and Korean have no spaces around a marked word. */
const letterOfSpacedScript =
  "(?![\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}])[\\p{L}\\p{N}]";
const emphasis = new RegExp(
  `${codeSpans.source}|(\\*\\*|__|~~|\\*|_)(?=\\S)([^*_~\\n]{1,500}?\\S?)(?<!\\s)\\2(?!${letterOfSpacedScript})`,
  "gu",
);

/** Links become their texts. */
export function plainMarkdown(text: string): string {
  return text
    .replace(fences, "")
    .replace(rules, "")
    .replace(tableRules, "")
    .replace(lineMarks, "")
    .replace(links, "$1")
    .replace(/^[ \t]*\|(.*)\|[ \t]*$/gm, (_, cells: string) => cells.trim().replace(bars, " · "))
    .replace(emphasis, unlessInWord)
    .replace(emphasis, unlessInWord)
    .replace(codeSpans, "$1")
    .replace(/\n{2,}/g, "\n")
    .trim();
}

const inWord = new RegExp(letterOfSpacedScript, "u");
const letter = /[\p{L}\p{N}]/u;

/** `snake_case_names` and `2*3*4` are not emphasis. */
function unlessInWord(
  whole: string,
  _code: string | undefined,
  sign: string | undefined,
  inner: string,
  offset: number,
  text: string,
): string {
  if (sign === undefined) return whole;
  const before = text[offset - 1] ?? "";
  const after = text[offset + whole.length] ?? "";
  const isInWord = sign.startsWith("_")
    ? letter.test(before) || letter.test(after)
    : inWord.test(before);
  return isInWord ? whole : inner;
}

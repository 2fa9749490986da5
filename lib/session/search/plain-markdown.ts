// Each pattern takes linear time: a repetition never begins again inside itself (the lookbehinds), and two that match the
// same characters never meet.
const fences = /^[ \t]*(?:```|~~~).*$/gm;
const rules = /^[ \t]*(?:[-*_][ \t]*){3,}$/gm;
const tableRules = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+(?:\|[ \t]*)?$/gm;
const lineMarks = /^[ \t]*(?:>[ \t]?)*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)?/gm;
const links = /!?\[([^\][]{0,500})\]\([^()\s]{0,2000}(?:[ \t]+"[^"]{0,500}")?\)/g;
const bars = /(?<![ \t])[ \t]*\|[ \t]*/g;
const codeSpans = /(?<!`)`+([^`\n]{1,1000})`+/g;
const emphasis = /(\*\*|__|~~|\*|_)(?=\S)([^*_~\n]{1,500}?\S?)\1(?![\p{L}\p{N}])/gu;

/** Strips Markdown formatting line by line; links become their texts. */
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

/** `snake_case_names` and `2*3*4` are not emphasis. */
function unlessInWord(
  whole: string,
  _sign: string,
  inner: string,
  offset: number,
  text: string,
): string {
  return /[\p{L}\p{N}]/u.test(text[offset - 1] ?? "") ? whole : inner;
}

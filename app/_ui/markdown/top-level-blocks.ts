import { isInFormula } from "./math-text";

const definition = /^ {0,3}\[[^\]\n]{1,999}\]:/m;
const heading = /^#{1,6}(?:[ \t]|$)/;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const fence = /^( {0,3})(`{3,}(?=[^`\n]*$)|~{3,})/m;
/** HTML blocks that end at a mark instead of a blank line. */
const untilMark: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<(?:pre|script|style|textarea)(?=[\s>]|$)/i, /<\/(?:pre|script|style|textarea)>/i],
];

const SHORT = 6_000;
const never = /(?!)/;

/**
 * Splits a text so that only the last block of a growing one is parsed again. Joined, they are `text`. A block may hold
 * several elements, but no element is in two blocks; a short text with definitions is one block.
 */
export function topLevelBlocks(text: string): readonly string[] {
  if (text.length <= SHORT && definition.test(text)) return [text];
  const found: string[] = [];
  let block = "";
  let hasText = false;
  let isAfterBlank = false;
  let isAfterHeading = false;
  let hasList = false;
  // A formula is plain text where formulas are not shown: its items may be those of a list.
  let mayHaveItem = false;
  let isHtml = false;
  let details = 0;
  let isFormula = false;
  let until: RegExp | null = null;
  const cut = () => {
    found.push(block);
    block = "";
    hasText = false;
    hasList = false;
    mayHaveItem = false;
  };
  for (const line of linesOf(text)) {
    const isBlank = line.trim() === "";
    const isApart = until === null && details === 0 && !isFormula;
    const wasHtml = isHtml;
    isHtml = !isBlank && (isHtml || /^ {0,3}</.test(line));
    const isHeading = isApart && !isHtml && heading.test(line);
    const isItem = listItem.test(line);
    const begins = isAfterBlank && !/^\s/.test(line) && !(mayHaveItem && isItem);
    if (isApart && !isBlank && hasText && (begins || isHeading || isAfterHeading)) cut();
    block += line;
    hasText ||= !isBlank;
    isAfterBlank = isBlank;
    isAfterHeading = isHeading;
    hasList ||= isItem && isApart;
    mayHaveItem ||= isItem && until === null;
    if (until !== null) {
      if (until.test(line)) until = null;
      continue;
    }
    details = Math.max(0, details + detailsIn(line));
    const wasFormula: boolean = isFormula;
    isFormula = isInFormula(line, isFormula);
    until = endOf(line, hasList);
    // Only a parser can tell whether this is HTML, in which nothing opens.
    if (wasHtml && !isBlank && (until !== null || isFormula !== wasFormula)) until = never;
  }
  if (block !== "") found.push(block);
  return found;
}

function endOf(line: string, isInList: boolean): RegExp | null {
  const [, indent = "", marks] = fence.exec(line) ?? [];
  // A fence in a list ends with the list, whose lines are indented.
  if (marks !== undefined && !(isInList && indent !== ""))
    return new RegExp(`^ {0,3}${marks[0]}{${marks.length},}\\s*$`);
  const [start, end] = untilMark.find(([opens]) => opens.test(line)) ?? [];
  return start && end && !end.test(line.replace(start, "")) ? end : null;
}

export function* linesOf(text: string): Generator<string, void> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const next = end === -1 ? text.length : end + 1;
    yield text.slice(start, next);
    start = next;
  }
}

export function detailsIn(line: string): number {
  if (!line.includes("<")) return 0;
  return line.split(/<details(?=[\s>])/i).length - line.split(/<\/details>/i).length;
}

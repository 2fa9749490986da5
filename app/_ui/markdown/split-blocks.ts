import { parseMarkdownIntoBlocks } from "streamdown";
import { isTooHeavy } from "./block-limits";
import { fenceAt, isClosingFence } from "./fence";
import { isInFormula } from "./math-text";
import { weightOf } from "./text-weight";

/** Lighter sections are joined, so that lists and quotes with blank lines stay whole. */
const SECTION_WEIGHT = 6_000;
const MAX_BLOCKS_OF_SECTION = 400;
const KEPT_SECTIONS = 800;

const blocksOfSection = new Map<string, readonly string[]>();

/**
 * The blocks, joined, are `markdown`. A linear pass first splits at blank lines, because the block lexer recurses and
 * must only see sections of bounded size. Appending text keeps earlier splits, so each section is lexed once.
 */
export function splitBlocks(markdown: string): string[] {
  return splitSections(markdown).flatMap(blocksIn);
}

function blocksIn(section: string): readonly string[] {
  const known = blocksOfSection.get(section);
  if (known) return known;
  const blocks = isTooHeavy(section) ? [section] : lex(section);
  const oldest = blocksOfSection.keys().next().value;
  if (blocksOfSection.size >= KEPT_SECTIONS && oldest !== undefined) blocksOfSection.delete(oldest);
  blocksOfSection.set(section, blocks);
  return blocks;
}

function lex(section: string): readonly string[] {
  const blocks = parseMarkdownIntoBlocks(section);
  return blocks.length > MAX_BLOCKS_OF_SECTION ? [section] : blocks;
}

/** Joined, the sections are `markdown`. */
export function splitSections(markdown: string): readonly string[] {
  const found: string[] = [];
  let section = "";
  let fence: string | null = null;
  let weight = 0;
  let isAfterBlank = false;
  let isInside = false;
  const cut = () => {
    if (section !== "") found.push(section);
    section = "";
    weight = 0;
    isInside = false;
  };
  for (const line of linesOf(markdown)) {
    const marks = fenceAt(line);
    const opens = fence === null && marks !== null;
    // A stray dollar must not keep the rest in one piece.
    const enough = isInside ? 3 * SECTION_WEIGHT : SECTION_WEIGHT;
    const isLongEnough = fence === null && weight >= enough;
    if (opens || (isLongEnough && isAfterBlank && isFlush(line))) cut();
    section += line;
    weight += fence === null ? weightOf(line) : line.length;
    isInside = isInFormula(line, isInside);
    if (opens) fence = marks;
    else if (fence !== null && isClosingFence(line, fence)) {
      fence = null;
      cut();
    }
    isAfterBlank = line.trim() === "";
  }
  cut();
  return found;
}

function* linesOf(text: string): Generator<string, void> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const next = end === -1 ? text.length : end + 1;
    yield text.slice(start, next);
    start = next;
  }
}

// A line that continues a list or a quote must stay with it.
function isFlush(line: string): boolean {
  return !/^(\s|[-*+>|]|\d+[.)])/.test(line);
}

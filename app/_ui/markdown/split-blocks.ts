import { fenceAt, isClosingFence, readFence } from "./fence";
import { isInFormula } from "./math-text";
import { splitLongTables } from "./table-text";
import { weightOf } from "./text-weight";
import { detailsIn, linesOf, topLevelBlocks } from "./top-level-blocks";

/** Lighter sections are joined, so that lists and quotes with blank lines stay whole. */
const SECTION_WEIGHT = 6_000;
const MAX_BLOCKS_OF_SECTION = 400;
const KEPT_SECTIONS = 800;

const blocksOfSection = new Map<string, readonly string[]>();

/**
 * The blocks, joined, are `markdown`. Sections are split first: appending text keeps them, so each is split into its
 * blocks once.
 */
export function splitBlocks(markdown: string): string[] {
  return splitSections(markdown).flatMap(blocksIn);
}

function blocksIn(section: string): readonly string[] {
  const known = blocksOfSection.get(section);
  if (known) return known;
  const blocks = splitLongTables(section).flatMap(({ text, isTable }) =>
    isTable || isTooHeavy(text) ? [text] : blocksOf(text),
  );
  const oldest = blocksOfSection.keys().next().value;
  if (blocksOfSection.size >= KEPT_SECTIONS && oldest !== undefined) blocksOfSection.delete(oldest);
  blocksOfSection.set(section, blocks);
  return blocks;
}

function blocksOf(section: string): readonly string[] {
  const blocks = topLevelBlocks(section);
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
  let details = 0;
  const cut = () => {
    if (section !== "") found.push(section);
    section = "";
    weight = 0;
    isInside = false;
  };
  for (const line of linesOf(markdown)) {
    const marks = fenceAt(line);
    const opens = fence === null && marks !== null;
    if (fence === null) details = Math.max(0, details + detailsIn(line));
    const isWhole = details > 0 && weight < SECTION_WEIGHT;
    // A stray dollar must not keep the rest in one piece.
    const enough = isInside || details > 0 ? 3 * SECTION_WEIGHT : SECTION_WEIGHT;
    const isLongEnough = fence === null && weight >= enough;
    if ((opens && !isWhole) || (isLongEnough && isAfterBlank && isFlush(line))) cut();
    section += line;
    weight += fence === null ? weightOf(line) : line.length;
    isInside = isInFormula(line, isInside);
    if (opens) fence = marks;
    else if (fence !== null && isClosingFence(line, fence)) {
      fence = null;
      if (!isWhole) cut();
    }
    isAfterBlank = line.trim() === "";
  }
  cut();
  return found;
}

// A line that continues a list or a quote must stay with it.
function isFlush(line: string): boolean {
  return !/^(\s|[-*+>|]|\d+[.)])/.test(line);
}

export interface Piece {
  readonly text: string;
  /** Formatting it could freeze the page. */
  readonly isPlain: boolean;
  /** Has a height of its own. */
  readonly isTable?: true;
}

/** Laid out within a few milliseconds. */
const PLAIN_LENGTH = 4_000;

/** Joined, the pieces are `markdown`. */
export function splitPieces(markdown: string): readonly Piece[] {
  return splitSections(markdown).flatMap((section): readonly Piece[] => {
    if (readFence(section)) return [{ text: section, isPlain: false }];
    return splitLongTables(section).flatMap(({ text, isTable }): readonly Piece[] => {
      if (isTable) return [{ text, isPlain: false, isTable }];
      if (!isTooHeavy(text)) return [{ text, isPlain: false }];
      return plainPieces(text).map((piece) => ({ text: piece, isPlain: true }));
    });
  });
}

/** A line too long is split at a space, or anywhere when it has none. */
function plainPieces(text: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = pieceEnd(text, start);
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}

function pieceEnd(text: string, start: number): number {
  const most = start + PLAIN_LENGTH;
  if (most >= text.length) return text.length;
  for (const mark of ["\n", " "]) {
    const last = text.lastIndexOf(mark, most - 1);
    if (last >= start) return last + 1;
  }
  const isInCharacter = /[\ud800-\udbff]/.test(text[most - 1] ?? "");
  return isInCharacter ? most - 1 : most;
}

const MAX_BLOCK_LENGTH = 12_000;
const MAX_LINES = 1_200;
const MAX_MARKS = 1_600;
const MAX_NESTING = 50;

const mark = /[*_~[\]!<>`|&@\\]/;

/**
 * Inline parsing is quadratic in the marks of one block (12 KB of `**a**` took 245 ms, 12 KB of table cells 310 ms) and
 * recursive in its nesting (10,000 `>` overflow the stack), so each is bounded.
 */
export function isTooHeavy(block: string): boolean {
  if (block.length > MAX_BLOCK_LENGTH) return true;
  let marks = 0;
  let lines = 1;
  for (const character of block) {
    if (character === "\n") lines += 1;
    else if (mark.test(character)) marks += 1;
  }
  return marks > MAX_MARKS || lines > MAX_LINES || deepestNesting(block) > MAX_NESTING;
}

function deepestNesting(block: string): number {
  let deepest = 0;
  for (const line of block.split("\n")) {
    const lead = /^[\s>*+-]*/.exec(line)?.[0] ?? "";
    const quotes = lead.split(">").length - 1;
    const bullets = lead.split(/[*+-]/).length - 1;
    const indent = Math.floor((lead.length - lead.trimStart().length) / 2);
    deepest = Math.max(deepest, quotes + bullets, indent);
  }
  return deepest;
}

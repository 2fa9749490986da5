import { fenceAt, isClosingFence, readFence } from "./fence";
import { innerText, lightBlocks, type MarkdownBlock } from "./light-blocks";
import { isInFormula } from "./math-text";
import { weightOf } from "./text-weight";
import { isTooHeavy } from "./too-heavy";
import { detailsIn, linesOf } from "./top-level-blocks";

/** Lighter sections are joined, so that lists and quotes with blank lines stay whole. */
const SECTION_WEIGHT = 6_000;
const KEPT_SECTIONS = 800;

const blocksOfSection = new Map<string, readonly MarkdownBlock[]>();

/**
 * Splits Markdown into blocks whose texts, joined, are `markdown`. Appending text keeps earlier sections, so each is
 * split once.
 */
export function splitBlocks(markdown: string): MarkdownBlock[] {
  const sections = splitSections(markdown);
  const blocks = sections.slice(0, -1).flatMap(blocksIn);
  return [...blocks, ...sections.slice(-1).flatMap(partsOf)];
}

function partsOf(section: string): readonly MarkdownBlock[] {
  return readFence(section) ? [{ text: section }] : lightBlocks(section);
}

function blocksIn(section: string): readonly MarkdownBlock[] {
  const known = blocksOfSection.get(section);
  if (known) return known;
  const blocks = partsOf(section);
  const oldest = blocksOfSection.keys().next().value;
  if (blocksOfSection.size >= KEPT_SECTIONS && oldest !== undefined) blocksOfSection.delete(oldest);
  blocksOfSection.set(section, blocks);
  return blocks;
}

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
  readonly blocks: readonly MarkdownBlock[];
  readonly isTable?: true;
  /** The whole block, shown unformatted, because formatting it could freeze the page. */
  readonly heavy?: MarkdownBlock;
  readonly isFirst?: boolean;
}

/** A plain text of this length is laid out within a few milliseconds. */
const PLAIN_LENGTH = 4_000;

export function splitPieces(markdown: string): readonly Piece[] {
  return splitSections(markdown).flatMap((section) => piecesOf(blocksIn(section)));
}

function piecesOf(blocks: readonly MarkdownBlock[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let light: MarkdownBlock[] = [];
  let weight = 0;
  const cut = () => {
    const text = light.map((block) => block.text).join("");
    if (light.length > 0) pieces.push({ text, blocks: light });
    light = [];
    weight = 0;
  };
  for (const block of blocks) {
    const isHeavy = isShownPlain(block);
    if (isHeavy || block.isTable || weight >= SECTION_WEIGHT) cut();
    if (isHeavy) {
      pieces.push(
        ...plainPieces(block.text).map((text, at) => {
          return { text, blocks: [], heavy: block, isFirst: at === 0 };
        }),
      );
    } else if (block.isTable) {
      pieces.push({ text: block.text, blocks: [block], isTable: true });
    } else {
      light.push(block);
      weight += weightOf(block.text);
    }
  }
  cut();
  return pieces;
}

/** Code and windowed tables need no limit: they skip the parser, or are parsed a cell at a time. */
export function isShownPlain(block: MarkdownBlock): boolean {
  if (block.isForced) return false;
  const text = innerText(block);
  return !block.isTable && !readFence(text) && isTooHeavy(text);
}

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

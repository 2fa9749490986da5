import { isTooHeavy } from "./block-limits";
import { readFence } from "./fence";
import { splitSections } from "./split-blocks";

/** A part of a long text that can be shown on its own. */
export interface Piece {
  readonly text: string;
  /** Shown as the text it is: formatting could freeze the page. */
  readonly isPlain: boolean;
}

/** So many characters are laid out in a few milliseconds. */
const PLAIN_LENGTH = 4_000;

/** Cuts Markdown into parts that are shown one by one; joined they are `markdown` again. */
export function splitPieces(markdown: string): readonly Piece[] {
  return splitSections(markdown).flatMap((section): readonly Piece[] => {
    if (readFence(section) || !isTooHeavy(section)) return [{ text: section, isPlain: false }];
    return plainPieces(section).map((text) => ({ text, isPlain: true }));
  });
}

/** Cuts at ends of lines; of a line that is longer than a piece at a space, or anywhere when it has none. */
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

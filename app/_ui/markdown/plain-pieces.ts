import { isTooHeavy } from "./block-limits";
import { readFence } from "./fence";
import { splitSections } from "./split-blocks";

export interface Piece {
  readonly text: string;
  /** Formatting it could freeze the page. */
  readonly isPlain: boolean;
}

/** Laid out within a few milliseconds. */
const PLAIN_LENGTH = 4_000;

/** Joined, the pieces are `markdown`. */
export function splitPieces(markdown: string): readonly Piece[] {
  return splitSections(markdown).flatMap((section): readonly Piece[] => {
    if (readFence(section) || !isTooHeavy(section)) return [{ text: section, isPlain: false }];
    return plainPieces(section).map((text) => ({ text, isPlain: true }));
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

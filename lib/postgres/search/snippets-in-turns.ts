import { setImmediate as nextTurn } from "node:timers/promises";
import { openingBlocks, snippet } from "../../session/internal";
import type { SearchQuery, Snippet } from "../../session/ports";

/** Prose of this length takes about 4 ms, the worst text 50 ms. */
const pieceLength = 8_000;
const turnMs = 10;
const longestRead = 200_000;
const ellipsis = "…";

/** A hundred hits of 200,000 characters take ten seconds, so others have their turn between pieces. */
export class SnippetsInTurns {
  readonly #query: SearchQuery;
  readonly #signal: AbortSignal | undefined;
  #turnStart = performance.now();

  /** `signal` aborts when nobody waits for the answer any more. */
  constructor(query: SearchQuery, signal: AbortSignal | undefined) {
    this.#query = query;
    this.#signal = signal;
  }

  /**
   * The first piece with every word, else the one with the most; of opening blocks only if no words after them match.
   * @throws the signal's reason.
   */
  async of(content: string): Promise<Snippet> {
    const { rest } = openingBlocks(content);
    const said = rest === content ? null : await this.#bestOf(rest);
    return said && said.marks.length > 0 ? said : this.#bestOf(content);
  }

  async #bestOf(content: string): Promise<Snippet> {
    const pieces = piecesOf(content.slice(0, longestRead));
    const wanted = this.#query.phrases.filter(({ negated }) => !negated).length;
    let best: { readonly index: number; readonly found: Snippet } | null = null;
    for (const [index, piece] of pieces.entries()) {
      await this.#takeTurn();
      const found = snippet(piece, this.#query);
      if (best === null || found.marks.length > best.found.marks.length) best = { index, found };
      if (found.marks.length >= wanted) break;
    }
    if (best === null) return snippet(content, this.#query);
    const isEnd = best.index === pieces.length - 1 && content.length <= longestRead;
    return within(best.found, { isStart: best.index === 0, isEnd });
  }

  async #takeTurn(): Promise<void> {
    this.#signal?.throwIfAborted();
    if (performance.now() - this.#turnStart < turnMs) return;
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#turnStart = performance.now();
  }
}

/** Cut after white space, where there is some, and never inside a character. */
function piecesOf(content: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (content.length - start > pieceLength) {
    const most = content.slice(start, start + pieceLength);
    const space = Math.max(most.lastIndexOf("\n"), most.lastIndexOf(" ")) + 1;
    const whole = most.isWellFormed() ? most.length : most.length - 1;
    const end = start + (space > pieceLength / 2 ? space : whole);
    pieces.push(content.slice(start, end));
    start = end;
  }
  return [...pieces, content.slice(start)];
}

function within(
  { text, marks }: Snippet,
  { isStart, isEnd }: { isStart: boolean; isEnd: boolean },
): Snippet {
  const lead = isStart || text.startsWith(ellipsis) ? "" : ellipsis;
  const tail = isEnd || text.endsWith(ellipsis) ? "" : ellipsis;
  return {
    text: lead + text + tail,
    marks: marks.map(([start, end]) => [start + lead.length, end + lead.length] as const),
  };
}

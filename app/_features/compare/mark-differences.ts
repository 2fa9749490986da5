"use client";

import { type RefObject, useEffect } from "react";
import type { Side } from "@/app/_data/compare/use-compare";
import { beginHighlight } from "@/app/_ui/text-highlight";
import { wordDiff } from "./entry-diffs";

const settleMs = 60;

export function comparedName(side: Side, index: number): string {
  return `${side} ${index}`;
}

export function useMarkedDifferences(
  page: RefObject<HTMLElement | null>,
  indexes: readonly number[],
): void {
  const wanted = indexes.join(" ");
  useEffect(() => {
    const element = page.current;
    if (!element || wanted === "") return;
    const highlight = beginHighlight("difference");
    if (!highlight) return;
    const marked = new Map<string, Marked>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = (rest: readonly string[]) => {
      const [index, ...others] = rest;
      if (index === undefined) return;
      markPair({ element, highlight: highlight.ranges, marked }, index);
      timer = setTimeout(next, 0, others);
    };
    const begin = () => {
      clearTimeout(timer);
      timer = setTimeout(next, settleMs, wanted.split(" "));
    };
    const observer = new MutationObserver(begin);
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    begin();
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      highlight.end();
    };
  }, [page, wanted]);
}

interface Marked {
  readonly pieces: readonly TextPiece[];
  readonly ranges: readonly Range[];
}

interface Marking {
  readonly element: HTMLElement;
  readonly highlight: Highlight;
  readonly marked: Map<string, Marked>;
}

function markPair({ element, highlight, marked }: Marking, index: string): void {
  const find = (side: Side) => element.querySelector(`[data-compared="${side} ${index}"]`);
  const [left, right] = [piecesIn(find("left")), piecesIn(find("right"))];
  const known = marked.get(index);
  if (known && isSame(known.pieces, [...left, ...right])) return;
  for (const range of known?.ranges ?? []) highlight.delete(range);
  const diff = wordDiff(textOf(left), textOf(right));
  const ranges = diff
    ? [...rangesOf(left, ownParts(diff.left)), ...rangesOf(right, ownParts(diff.right))]
    : [];
  for (const range of ranges) highlight.add(range);
  marked.set(index, { pieces: [...left, ...right], ranges });
}

interface TextPiece {
  readonly node: Text;
  readonly text: string;
  readonly start: number;
}

const blocks = "p, li, h1, h2, h3, h4, h5, h6, td, th, pre, blockquote, summary";

function piecesIn(element: Element | null): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let start = 0;
  let block: Element | null = null;
  for (const prose of element?.querySelectorAll(".prose") ?? []) {
    const walker = document.createTreeWalker(prose, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!(node instanceof Text) || parent?.closest(".code-block-head, .katex-mathml")) continue;
      const own = parent?.closest(blocks) ?? prose;
      if (block !== null && own !== block) start += 1;
      block = own;
      pieces.push({ node, text: node.data, start });
      start += node.data.length;
    }
  }
  return pieces;
}

function textOf(pieces: readonly TextPiece[]): string {
  let text = "";
  for (const piece of pieces) text = `${text.padEnd(piece.start, "\n")}${piece.text}`;
  return text;
}

function isSame(before: readonly TextPiece[], now: readonly TextPiece[]): boolean {
  return (
    before.length === now.length &&
    now.every(({ node, text }, at) => before[at]?.node === node && before[at]?.text === text)
  );
}

type TextRange = readonly [start: number, end: number];

function ownParts(stretches: readonly { text: string; isOwn: boolean }[]): readonly TextRange[] {
  let at = 0;
  return stretches.flatMap(({ text, isOwn }): TextRange[] => {
    const start = at;
    at += text.length;
    return isOwn && text.trim() !== "" ? [[start, at]] : [];
  });
}

function rangesOf(pieces: readonly TextPiece[], parts: readonly TextRange[]): readonly Range[] {
  return pieces.flatMap(({ node, text, start }) =>
    parts.flatMap(([from, to]) => {
      const [first, last] = [Math.max(from - start, 0), Math.min(to - start, text.length)];
      if (first >= last) return [];
      const range = new Range();
      range.setStart(node, first);
      range.setEnd(node, last);
      return [range];
    }),
  );
}

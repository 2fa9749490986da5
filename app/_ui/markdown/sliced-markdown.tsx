"use client";

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { definitionsIn } from "./definitions";
import { FormatAnyway } from "./heavy-text";
import type { MarkdownBlock } from "./light-blocks";
import { MarkdownBlocks, MarkdownBody } from "./markdown-body";
import { PlainText } from "./plain-text";
import { type Piece, splitPieces } from "./split-blocks";
import { linesOf, weightOf } from "./text-weight";

export { MarkdownBody };

const FIRST_WEIGHT = 12_000;
const LINE_PX = 26;
/** Blank lines are lower than estimated, so more than one view is rendered. */
const VIEWS = 1.5;
const KEPT_SHAPES = 40;
const SLICE_MS = 16;

interface Shape {
  readonly width: number;
  readonly heights: readonly number[];
}

const shapes = new Map<string, Shape>();

/**
 * Formats the end first, where a conversation opens, then the section nearest to the view. A windowed list remounts
 * texts, so formatted ones get their height at once.
 */
export function SlicedMarkdown({ text }: { text: string }) {
  const lines = useMemo(() => text.replace(/\r\n?/g, "\n"), [text]);
  const sections = useMemo(() => splitPieces(lines), [lines]);
  const definitions = useMemo(() => definitionsIn(lines), [lines]);
  const [forced, setForced] = useState<ReadonlySet<MarkdownBlock>>(new Set());
  const [shape, setShape] = useState(() => shapes.get(text) ?? null);
  const [formatted, setFormatted] = useState<ReadonlySet<number>>(
    () => new Set(shape ? [] : lastSections(sections, viewPx())),
  );
  const container = useRef<HTMLDivElement>(null);
  const isDone = sections.every((_, index) => formatted.has(index));

  useLayoutEffect(() => {
    const element = container.current;
    if (!element) return;
    setShape((known) => (known?.width === element.offsetWidth ? known : null));
    return () => {
      if (isDone) remember(text, element);
    };
  }, [isDone, text]);

  useEffect(() => {
    const element = container.current;
    if (isDone || !element) return;
    const scroller = scrollerOf(element);
    return whenQuiet(scroller, () => {
      const startedAt = performance.now();
      let now = formatted;
      while (now.size < sections.length && performance.now() - startedAt < SLICE_MS) {
        now = formatNearest({ element, scroller, formatted: now, setFormatted });
      }
    });
  }, [isDone, formatted, sections]);

  return (
    <div ref={container} data-sliced>
      {sections.map((section, index) => {
        const key = `${index}-${section.text.length}`;
        return formatted.has(index) ? (
          <Shown
            key={key}
            section={section}
            definitions={definitions}
            isForced={section.heavy !== undefined && forced.has(section.heavy)}
            onForce={(block) => setForced(new Set([...forced, block]))}
          />
        ) : (
          <Waiting key={key} section={section} height={shape?.heights[index]} />
        );
      })}
    </div>
  );
}

interface ShownProps {
  readonly section: Piece;
  readonly definitions: ReadonlyMap<string, string>;
  readonly isForced: boolean;
  readonly onForce: (block: MarkdownBlock) => void;
}

function Shown({ section, definitions, isForced, onForce }: ShownProps) {
  const { text, blocks, heavy } = section;
  if (!heavy) {
    return (
      <MarkdownBlocks text={text} blocks={blocks} definitions={definitions} isStreaming={false} />
    );
  }
  if (isForced && !section.isFirst) return <div />;
  if (isForced) {
    return (
      <MarkdownBlocks
        text={heavy.text}
        blocks={[{ ...heavy, isForced: true }]}
        definitions={definitions}
        isStreaming={false}
      />
    );
  }
  return (
    <div className="prose prose-piece">
      {section.isFirst && <FormatAnyway onFormat={() => onForce(heavy)} />}
      <PlainText text={text} />
    </div>
  );
}

/** A section far from the view only reserves an estimated height, because layout is slow. */
function Waiting({ section, height }: { section: Piece; height: number | undefined }) {
  // A windowed table has its own height; its text would only be laid out to be replaced.
  if (section.isTable) return <div data-waiting className="prose table-waiting" />;
  const guessed = `auto ${linesOf(section.text)}lh`;
  return (
    <div
      data-waiting
      className={`prose overflow-hidden ${section.heavy ? "prose-piece" : ""}`}
      style={
        height === undefined
          ? { contentVisibility: "auto", containIntrinsicHeight: guessed }
          : { height }
      }
    >
      <PlainText text={section.text} />
    </div>
  );
}

interface Slice {
  readonly element: Element;
  readonly scroller: Element;
  readonly formatted: ReadonlySet<number>;
  readonly setFormatted: (formatted: ReadonlySet<number>) => void;
}

function formatNearest({ element, scroller, formatted, setFormatted }: Slice) {
  const places = [...element.children];
  const waiting = places.filter((_, index) => !formatted.has(index));
  const nearest = nearestToView(scroller, waiting);
  if (!nearest) return formatted;
  const index = places.indexOf(nearest);
  const next = new Set([...formatted, index]);
  keepPlace(scroller, nearest, () => {
    flushSync(() => setFormatted(next));
    restOutOfView(element.children[index]);
  });
  return next;
}

/** Formulas have many elements, so each step would otherwise take longer than the last. */
function restOutOfView(section: Element | undefined): void {
  if (!(section instanceof HTMLElement)) return;
  // `contain` keeps margins inside, so it must be set before measuring.
  section.style.contain = "layout style paint";
  section.style.containIntrinsicHeight = `auto ${section.getBoundingClientRect().height}px`;
  section.style.contentVisibility = "auto";
}

export function lastSections(sections: readonly Piece[], viewPx: number): readonly number[] {
  const last: number[] = [];
  let weight = 0;
  let heightPx = 0;
  for (let index = sections.length - 1; index >= 0; index -= 1) {
    const text = sections[index]?.text ?? "";
    weight += weightOf(text);
    if (last.length > 0 && (weight > FIRST_WEIGHT || heightPx > VIEWS * viewPx)) break;
    last.push(index);
    heightPx += LINE_PX * linesOf(text);
  }
  return last;
}

function viewPx(): number {
  return typeof window === "undefined" ? Number.POSITIVE_INFINITY : window.innerHeight;
}

function remember(text: string, element: HTMLElement): void {
  const heights = [...element.children].map((child) => child.getBoundingClientRect().height);
  shapes.delete(text);
  shapes.set(text, { width: element.offsetWidth, heights });
  const oldest = shapes.keys().next().value;
  if (shapes.size > KEPT_SHAPES && oldest !== undefined) shapes.delete(oldest);
}

/** A windowed list corrects its own scroll position while scrolling; twice would overshoot. */
const quietMs = 180;

function scrollerOf(element: Element): Element {
  for (let outer = element.parentElement; outer; outer = outer.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(outer).overflowY)) return outer;
  }
  return document.documentElement;
}

function whenQuiet(scroller: Element, act: () => void): () => void {
  let timer = setTimeout(act);
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(act, quietMs);
  };
  scroller.addEventListener("scroll", wait, { passive: true });
  return () => {
    clearTimeout(timer);
    scroller.removeEventListener("scroll", wait);
  };
}

interface Span {
  readonly top: number;
  readonly bottom: number;
}

export function distanceFrom(view: Span, span: Span): number {
  return Math.max(0, view.top - span.bottom, span.top - view.bottom);
}

function nearestToView(scroller: Element, candidates: readonly Element[]): Element | null {
  const view = viewOf(scroller);
  let nearest: Element | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = distanceFrom(view, candidate.getBoundingClientRect());
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

function keepPlace(scroller: Element, changed: Element, act: () => void): void {
  const view = viewOf(scroller);
  const siblings = [...(changed.parentElement?.children ?? [])];
  const anchor = siblings.find(
    (sibling) => sibling !== changed && distanceFrom(view, sibling.getBoundingClientRect()) === 0,
  );
  const before = anchor?.getBoundingClientRect().top ?? 0;
  act();
  const moved = (anchor?.getBoundingClientRect().top ?? 0) - before;
  if (moved !== 0) scroller.scrollTop += moved;
}

function viewOf(scroller: Element): Span {
  if (scroller === document.documentElement) return { top: 0, bottom: window.innerHeight };
  return scroller.getBoundingClientRect();
}

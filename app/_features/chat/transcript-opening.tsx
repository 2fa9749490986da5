"use client";

import { type RefObject, use, useLayoutEffect } from "react";
import { messageText } from "@/app/_data/chat/message-text";
import { scrollable } from "@/app/_ui/markdown/scrollable";
import { linesOf, SLICED_WEIGHT, weightOf } from "@/app/_ui/markdown/text-weight";
import { TranscriptRowView } from "./transcript-row-view";
import type { TranscriptRow } from "./transcript-rows";
import { loadParts } from "./use-parts-loaded";

const isServer = typeof window === "undefined";
const asItCame = { __html: "" };

export interface TranscriptOpeningProps {
  readonly sessionId: string;
  readonly leafId: string;
  readonly rows: readonly TranscriptRow[];
  readonly isWhole: boolean;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly leftAbovePx: RefObject<number>;
}

/** Readable before scripts load. A reversed layout opens at its end and stays there while fonts arrive. */
export function TranscriptOpening(props: TranscriptOpeningProps) {
  const { isWhole, scroller, leftAbovePx } = props;
  useLayoutEffect(() => {
    const element = scroller.current;
    return () => {
      leftAbovePx.current = element ? -element.scrollTop : 0;
    };
  }, [scroller, leftAbovePx]);
  return (
    <section
      ref={scroller}
      aria-label="Conversation"
      aria-busy
      {...scrollable}
      className="transcript flex min-h-0 flex-1 flex-col-reverse overflow-y-auto overscroll-contain -outline-offset-2"
    >
      {/* Controls are inert before hydration; links and scrolling need no script. */}
      <div
        className={`w-full shrink-0 [&_:is(button,summary)]:pointer-events-none ${isWhole ? "mb-auto" : ""}`}
      >
        {isServer ? (
          <OpeningLines {...props} />
        ) : (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing is set, it keeps what the server rendered there
          <div suppressHydrationWarning dangerouslySetInnerHTML={asItCame} />
        )}
      </div>
    </section>
  );
}

function OpeningLines({ rows, sessionId, leafId, isWhole }: TranscriptOpeningProps) {
  use(loadParts());
  return (
    <div>
      {rows.map((row, index) => (
        <div key={row.key} className="flow-root">
          <TranscriptRowView
            row={row}
            sessionId={sessionId}
            leafId={leafId}
            isFirst={isWhole && index === 0}
            isLast={index === rows.length - 1}
            lastRowRef={noRef}
            isEditing={false}
            isFlashing={false}
          />
        </div>
      ))}
    </div>
  );
}

function noRef() {
  return undefined;
}

export interface OpeningRows {
  readonly rows: number;
  readonly meanRowPx: number;
}

export function openedIn(scroller: HTMLElement | null): OpeningRows | null {
  const lines = scroller?.firstElementChild?.firstElementChild;
  if (!scroller || !lines) return null;
  const topOf = (element: Element) => element.getBoundingClientRect().top;
  const rows = rowsBelow(topOf(scroller), [...lines.children].map(topOf));
  if (rows === null) return null;
  return { rows, meanRowPx: lines.getBoundingClientRect().height / lines.children.length };
}

export function rowsBelow(viewTop: number, tops: readonly number[]): number | null {
  const first = tops.findLastIndex((top) => top <= viewTop);
  return first === -1 ? null : tops.length - first;
}

/** Enough for most windows; on taller ones, missing rows appear above and move nothing. */
const ENOUGH_PX = 2_400;
const LINE_PX = 26;
const FRAME_PX = 70;
const MOST_LINES = 24;

/** The browser formats a heavier text sooner than the server sends it. */
const MOST_WEIGHT = 500_000;

export function openingRows(rows: readonly TranscriptRow[]): readonly TranscriptRow[] {
  let height = 0;
  let weight = 0;
  let first = rows.length;
  while (first > 0 && height < ENOUGH_PX) {
    const text = textOf(rows[first - 1]);
    weight += weightOf(text);
    if (weight > (first === rows.length ? MOST_WEIGHT : SLICED_WEIGHT)) break;
    height += FRAME_PX + LINE_PX * Math.min(MOST_LINES, linesOf(text));
    first -= 1;
  }
  return rows.slice(first);
}

function textOf(row: TranscriptRow | undefined): string {
  return row?.kind === "message" || row?.kind === "compaction"
    ? messageText(row.entry.message)
    : "";
}

"use client";

import { type RefObject, use, useLayoutEffect, useRef } from "react";
import { scrollable } from "@/app/_ui/markdown/scrollable";
import { TranscriptRowView } from "./transcript-row-view";
import type { TranscriptRow } from "./transcript-rows";
import { loadParts } from "./use-parts-loaded";

const isServer = typeof window === "undefined";
const asItCame = { __html: "" };

export interface TranscriptOpeningProps {
  readonly sessionId: string;
  readonly leafId: string;
  /** The last lines of the conversation. */
  readonly rows: readonly TranscriptRow[];
  /** Whether the conversation begins with them. */
  readonly isWhole: boolean;
  /** How far above the end the reader was when the list took over. */
  readonly leftAbovePx: RefObject<number>;
}

/**
 * The end of a conversation as the server sends it, formatted, to be read before any script is there. A browser that
 * lays out from the bottom opens it at its end by itself and stays there while fonts arrive. It is never rendered in
 * the browser, which would cost as much as the list that takes its place once it can.
 */
export function TranscriptOpening(props: TranscriptOpeningProps) {
  const { isWhole, leftAbovePx } = props;
  const scroller = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    return () => {
      // Counted from the end, upwards is negative.
      leftAbovePx.current = element ? -element.scrollTop : 0;
    };
  }, [leftAbovePx]);
  return (
    <section
      ref={scroller}
      aria-label="Conversation"
      aria-busy
      {...scrollable}
      className="transcript flex min-h-0 flex-1 flex-col-reverse overflow-y-auto overscroll-contain -outline-offset-2"
    >
      {/* What would do nothing yet cannot be pressed; links and scrolling need no script. */}
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
        // The list keeps the margins of each line inside, too.
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

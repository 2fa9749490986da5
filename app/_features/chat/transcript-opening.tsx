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
  readonly rows: readonly TranscriptRow[];
  readonly isWhole: boolean;
  readonly leftAbovePx: RefObject<number>;
}

/**
 * The end of a conversation, formatted by the server, readable before scripts load. A reversed layout opens at its end
 * and stays there while fonts arrive. Never rendered in the browser, which would cost as much as the list that replaces
 * it.
 */
export function TranscriptOpening(props: TranscriptOpeningProps) {
  const { isWhole, leftAbovePx } = props;
  const scroller = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    return () => {
      // Measured from the end; upwards is negative.
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
        // Contains margins, like the rows of the list.
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

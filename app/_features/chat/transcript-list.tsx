"use client";

import { ArrowDown } from "lucide-react";
import {
  type RefObject,
  startTransition,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { type CustomContainerComponent, Virtualizer, type VirtualizerHandle } from "virtua";
import { ActionButton } from "@/app/_api/action-button";
import { toastError } from "@/app/_api/toast-error";
import { summariesAskedHere } from "@/app/_data/compaction/use-compactions";
import { Button } from "@/app/_ui/button";
import { Spinner } from "@/app/_ui/loading";
import { scrollable } from "@/app/_ui/markdown/scrollable";
import { keep, readKept } from "@/app/_ui/use-kept-state";
import type { SummaryRunWire } from "@/lib/chat/wire/compaction";
import { openedIn } from "./transcript-opening";
import { TranscriptRowView } from "./transcript-row-view";
import { holdsMessage, type TranscriptRow } from "./transcript-rows";
import type { Landing } from "./use-path-moves";
import { afterPaint, useStickyEnd } from "./use-sticky-end";
import type { Transcript } from "./use-transcript";

const loadWithinPx = 900;
/** These rows are always rendered, so that the list is measured before its first paint. */
const endRows = 8;
const bufferPx = 600;

/** The default container disables pointer events during any scrolling, which would swallow clicks. */
const Lines: CustomContainerComponent = ({
  children,
  style: { pointerEvents: _, ...style },
  ref,
}) => (
  <div ref={ref} style={style}>
    {children}
  </div>
);

/** In contained layout, Chromium counts scrolls that keep the view in place as shifts. Sliced messages need many. */
const countsNoShift =
  "[&>div>div:has([data-sliced])]:flow-root [&>div>div:has([data-sliced])]:contain-none!";

export interface TranscriptListProps {
  readonly sessionId: string;
  readonly rows: readonly TranscriptRow[];
  readonly transcript: Transcript;
  readonly editingId: string | null;
  readonly landing: Landing | null;
  readonly opened: RefObject<HTMLElement | null>;
  readonly leftAbovePx: RefObject<number>;
  readonly sentId: string | null;
  readonly onJumpToLatest: () => Promise<void>;
}

export function TranscriptList(props: TranscriptListProps) {
  const { sessionId, rows, transcript, editingId, landing, onJumpToLatest } = props;
  const { window } = transcript;
  const { last, ...sizes } = useFirstRows(props.opened);
  const scroller = useRef<HTMLElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const { isAway, lastRowRef, onScroll, onResize, stick } = useScrolling(props, { scroller, list });

  async function jump() {
    if (window.hasNewer) await onJumpToLatest();
    stick();
  }

  const flashId = landing?.messageId ?? null;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <p className="hidden p-4 print:block">
        Only what is on screen is printed. “Print or save as PDF” in the menu of the chat prints all
        of it, once the answer is complete.
      </p>
      {window.hasOlder && hasFewLines(rows, transcript) && (
        <ActionButton
          size="sm"
          variant="ghost"
          className="my-2 self-center"
          action={transcript.loadOlder}
        >
          Show earlier messages
        </ActionButton>
      )}
      <section
        ref={scroller}
        aria-label="Conversation"
        {...scrollable}
        className={`transcript min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2 ${countsNoShift}`}
      >
        <Virtualizer
          ref={list}
          as={Lines}
          scrollRef={scroller}
          shift={transcript.grewAtStart}
          {...sizes}
          keepMounted={keptMounted(rows, { editingId, last })}
          onScroll={onScroll}
          onResize={onResize}
        >
          {rows.map((row, index) => (
            <TranscriptRowView
              key={row.key}
              row={row}
              sessionId={sessionId}
              leafId={window.leafId ?? ""}
              isFirst={index === 0}
              isLast={index === rows.length - 1}
              lastRowRef={lastRowRef}
              isEditing={isBeingEdited(row, editingId)}
              isFlashing={isLandingPlace(row, flashId)}
            />
          ))}
        </Virtualizer>
      </section>
      {window.hasOlder && rows.length === 0 && (
        <div className="absolute inset-x-0 top-3 flex justify-center">
          <Spinner label="Loading older messages" />
        </div>
      )}
      {(isAway || window.hasNewer) && <JumpToLatest onJump={() => void jump()} />}
    </div>
  );
}

interface ScrolledList {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly list: RefObject<VirtualizerHandle | null>;
}

function useScrolling(props: TranscriptListProps, { scroller, list }: ScrolledList) {
  const { sessionId, rows, transcript, landing } = props;
  const { onScroll, release, ...end } = useFollowedEnd(props, scroller);
  useLandAt({ list, rows, landing, release });
  useShowSummary({ list, rows, sessionId, release });
  useRestorePlace({ list, rows, landing, release, sessionId });
  const loadMore = useMoreNearEnds({ list, rows, transcript });
  return {
    ...end,
    onScroll() {
      onScroll();
      if (!list.current) return;
      loadMore(list.current);
      keepPlace(sessionId, placeIn(list.current, rows));
    },
  };
}

function useFollowedEnd(
  { rows, landing, leftAbovePx, sentId }: TranscriptListProps,
  scroller: ScrolledList["scroller"],
) {
  const { startAbove, ...end } = useStickyEnd(scroller);
  const { stick, onResize } = end;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the reader's own message scrolls to the end
  useLayoutEffect(() => {
    if (!landing) stick();
  }, [stick, sentId]);

  useLayoutEffect(() => {
    startAbove(leftAbovePx.current);
    leftAbovePx.current = 0;
  }, [startAbove, leftAbovePx]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that lost lines is shorter without any of them resizing
  useLayoutEffect(onResize, [onResize, rows]);

  return end;
}

interface MoreNearEnds {
  readonly list: ScrolledList["list"];
  readonly rows: readonly TranscriptRow[];
  readonly transcript: Transcript;
}

function useMoreNearEnds({ list, rows, transcript }: MoreNearEnds) {
  const hasScrolled = useRef(false);
  const load = useEffectEvent(() => {
    const isAsked = hasScrolled.current || isNearlyEmpty(rows, transcript);
    if (list.current && isAsked) loadNearEnds(list.current, transcript);
  });
  // At the very end nothing can be scrolled, which would ask for more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines that came may be fewer than the view has room for
  useEffect(() => load(), [rows]);
  return (scrolled: VirtualizerHandle) => {
    hasScrolled.current = true;
    loadNearEnds(scrolled, transcript);
  };
}

/** Hundreds of calls may be one line, which leaves nothing to scroll. */
const mostReadUnasked = 400;

function hasFewLines(rows: readonly TranscriptRow[], { window }: Transcript): boolean {
  return rows.length < endRows && window.entries.length > rows.length;
}

function isNearlyEmpty(rows: readonly TranscriptRow[], transcript: Transcript): boolean {
  return hasFewLines(rows, transcript) && transcript.window.entries.length < mostReadUnasked;
}

function useFirstRows(opened: RefObject<HTMLElement | null>) {
  const [first] = useState(() => openedIn(opened.current));
  const [isAround, setIsAround] = useState(first === null);
  useEffect(() => {
    // The list would render rows of another place before its scroll to the end.
    if (!isAround) afterPaint(() => startTransition(() => setIsAround(true)));
  }, [isAround]);
  return {
    last: isAround || first === null ? endRows : first.rows,
    bufferSize: isAround ? bufferPx : 0,
    ...(first && { itemSize: first.meanRowPx }),
  };
}

function JumpToLatest({ onJump }: { readonly onJump: () => void }) {
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-10 flex justify-center">
      <Button
        size="sm"
        className="pointer-events-auto animate-rise rounded-2xl shadow-float"
        onClick={onJump}
      >
        <ArrowDown aria-hidden />
        Jump to latest
      </Button>
    </div>
  );
}

function loadNearEnds(list: VirtualizerHandle, { loadOlder, loadNewer }: Transcript): void {
  const { scrollOffset, scrollSize, viewportSize } = list;
  if (scrollOffset < loadWithinPx) void loadOlder().catch(toastError);
  if (scrollSize - viewportSize - scrollOffset < loadWithinPx) void loadNewer().catch(toastError);
}

// A message being edited must keep its focus; the last one may resize while the end is followed.
function keptMounted(
  rows: readonly TranscriptRow[],
  { editingId, last }: { readonly editingId: string | null; readonly last: number },
): readonly number[] {
  return rows.flatMap((row, index) =>
    index >= rows.length - last || isBeingEdited(row, editingId) ? [index] : [],
  );
}

function isBeingEdited(row: TranscriptRow, editingId: string | null): boolean {
  return row.kind === "message" && row.entry.message.id === editingId;
}

function isLandingPlace(row: TranscriptRow, messageId: string | null): boolean {
  if (row.kind === "message") return holdsMessage(row, messageId);
  return row.kind === "compaction" && row.entry.compaction?.toMessageId === messageId;
}

interface LandAt {
  readonly list: React.RefObject<VirtualizerHandle | null>;
  readonly rows: readonly TranscriptRow[];
  readonly landing: Landing | null;
  readonly release: () => void;
}

function useRestorePlace({ list, rows, landing, release, sessionId }: LandAt & ShowSummary): void {
  const restore = useEffectEvent(() => {
    const place = landing === null ? placeToRestore(sessionId) : null;
    const index = rows.findIndex(({ key }) => key === place?.rowKey);
    if (!place || index === -1) return;
    release();
    list.current?.scrollToIndex(index, { align: "start", offset: place.px });
  });
  useEffect(() => restore(), []);
}

const nearEndPx = 64;

function placeIn(list: VirtualizerHandle, rows: readonly TranscriptRow[]) {
  const { scrollOffset, scrollSize, viewportSize } = list;
  if (scrollSize - viewportSize - scrollOffset < nearEndPx) return null;
  const index = list.findItemIndex(scrollOffset);
  const row = rows[index];
  return row ? { rowKey: row.key, px: scrollOffset - list.getItemOffset(index) } : null;
}

interface ShowSummary extends Pick<LandAt, "list" | "rows" | "release"> {
  readonly sessionId: string;
}

function useShowSummary({ list, rows, sessionId, release }: ShowSummary): void {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    for (const summary of summariesAskedHere.toShow(sessionId)) {
      const index = rows.findIndex((row) => isPlaceOf(row, summary));
      const row = rows[index];
      if (!row || shown.current === row.key) continue;
      shown.current = row.key;
      release();
      list.current?.scrollToIndex(index, { align: row.kind === "compaction" ? "start" : "center" });
      if (row.kind === "compaction") summariesAskedHere.showed(summary.id);
    }
  }, [list, rows, sessionId, release]);
}

function isPlaceOf(row: TranscriptRow, { id, toMessageId, startedAt }: SummaryRunWire): boolean {
  if (row.kind === "summary") return row.summary.id === id;
  const compaction = row.kind === "compaction" ? row.entry.compaction : undefined;
  return compaction?.toMessageId === toMessageId && compaction.createdAt >= startedAt;
}

function useLandAt({ list, rows, landing, release }: LandAt): void {
  const landed = useRef<Landing | null>(null);
  useEffect(() => {
    if (!landing || landed.current === landing) return;
    const index = rows.findIndex((row) => isLandingPlace(row, landing.messageId));
    if (index === -1) return;
    landed.current = landing;
    release();
    list.current?.scrollToIndex(index, { align: "center" });
  }, [list, rows, landing, release]);
}

interface ScrollPlaceKept {
  readonly rowKey: string;
  readonly px: number;
}

const recentMs = 3_000;
let wentBackAt = Number.NEGATIVE_INFINITY;

if (typeof window !== "undefined") {
  addEventListener("popstate", () => {
    wentBackAt = performance.now();
  });
  addEventListener("click", () => {
    wentBackAt = Number.NEGATIVE_INFINITY;
  });
}

const nameOf = (sessionId: string) => `scroll/${sessionId}`;

function keepPlace(sessionId: string, place: ScrollPlaceKept | null): void {
  keep(nameOf(sessionId), place);
}

function placeToRestore(sessionId: string): ScrollPlaceKept | null {
  if (performance.now() - wentBackAt > recentMs) return null;
  return readKept<ScrollPlaceKept | null>(nameOf(sessionId), null);
}

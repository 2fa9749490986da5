"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const farAwayPx = 480;
/** Wheel and touch scrolling continue after their last event. */
const readerScrollsForMs = 600;

export interface StickyEnd {
  readonly isAway: boolean;
  readonly lastRowRef: (row: HTMLElement | null) => (() => void) | undefined;
  readonly onScroll: () => void;
  readonly onResize: () => void;
  readonly stick: () => void;
  readonly startAbove: (abovePx: number) => void;
  readonly release: () => void;
}

const nowhere: ScrollPlace = { offset: 0, contentPx: 0, viewportPx: 0 };

/** Follows the end of a growing list. Expanding something stops it, since it would move away from the pointer. */
export function useStickyEnd(scroller: RefObject<HTMLElement | null>): StickyEnd {
  const isSticking = useRef(true);
  const last = useRef(nowhere);
  const readerScrolledAt = useReaderScrolls(scroller);
  const abovePx = useRef(0);
  const [isAway, setIsAway] = useState(false);

  // The offset is set on the element within the same frame; through the list it would come frames later.
  const goToEnd = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    element.scrollTop = element.scrollHeight - element.clientHeight - abovePx.current;
    last.current = placeOf(element);
  }, [scroller]);

  const onResize = useCallback(() => {
    if (isSticking.current) goToEnd();
    const element = scroller.current;
    if (element) setIsAway(distanceToEnd(placeOf(element)) > farAwayPx);
  }, [goToEnd, scroller]);

  const lastRowRef = useCallback(
    (row: HTMLElement | null) => {
      if (!row) return;
      const observer = new ResizeObserver(() => {
        if (isSticking.current) goToEnd();
      });
      observer.observe(row);
      return () => observer.disconnect();
    },
    [goToEnd],
  );

  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const now = placeOf(element);
    const isByReader = performance.now() - readerScrolledAt.current < readerScrollsForMs;
    const step = { before: last.current, now, isByReader, isSticking: isSticking.current };
    isSticking.current = sticksAfter(step);
    last.current = now;
    setIsAway(distanceToEnd(now) > farAwayPx);
  }, [scroller, readerScrolledAt]);

  useReleaseOnExpand(scroller, isSticking);

  return {
    isAway,
    lastRowRef,
    onScroll,
    onResize,
    stick: useCallback(() => {
      abovePx.current = 0;
      isSticking.current = true;
      goToEnd();
    }, [goToEnd]),
    startAbove: useCallback(
      (px) => {
        if (px < atEndPx) return;
        abovePx.current = px;
        goToEnd();
        afterPaint(() => {
          abovePx.current = 0;
          isSticking.current = false;
        });
      },
      [goToEnd],
    ),
    release: useCallback(() => {
      isSticking.current = false;
    }, []),
  };
}

function useReaderScrolls(scroller: RefObject<HTMLElement | null>): RefObject<number> {
  const scrolledAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const controller = new AbortController();
    const noteTime = () => {
      scrolledAt.current = performance.now();
    };
    for (const type of ["wheel", "touchmove", "keydown"] as const) {
      element.addEventListener(type, noteTime, { passive: true, signal: controller.signal });
    }
    return () => controller.abort();
  }, [scroller]);
  return scrolledAt;
}

function useReleaseOnExpand(
  scroller: RefObject<HTMLElement | null>,
  isSticking: RefObject<boolean>,
): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onClick = ({ target }: MouseEvent) => {
      if (!isExpander(target) || !isSticking.current) return;
      isSticking.current = false;
      afterPaint(() => {
        if (distanceToEnd(placeOf(element)) < atEndPx) isSticking.current = true;
      });
    };
    element.addEventListener("click", onClick, { passive: true, capture: true });
    return () => element.removeEventListener("click", onClick, { capture: true });
  }, [scroller, isSticking]);
}

function placeOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): ScrollPlace {
  return { offset: scrollTop, contentPx: scrollHeight, viewportPx: clientHeight };
}

function isExpander(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("summary, [aria-expanded]:not([aria-haspopup])") !== null
  );
}

export function afterPaint(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

const atEndPx = 64;

export interface ScrollPlace {
  readonly offset: number;
  readonly contentPx: number;
  readonly viewportPx: number;
}

interface ScrollStep {
  readonly before: ScrollPlace;
  readonly now: ScrollPlace;
  readonly isByReader: boolean;
  readonly isSticking: boolean;
}

function distanceToEnd({ offset, contentPx, viewportPx }: ScrollPlace): number {
  return contentPx - viewportPx - offset;
}

/** Resized content moves the offset, too, but then the sizes differ. */
export function sticksAfter({ before, now, isByReader, isSticking }: ScrollStep): boolean {
  if (distanceToEnd(now) < atEndPx) return true;
  if (now.offset >= before.offset - 2) return isSticking;
  const isSameLayout = now.contentPx === before.contentPx && now.viewportPx === before.viewportPx;
  return isSticking && !isByReader && !isSameLayout;
}

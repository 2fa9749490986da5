"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { atEndPx, distanceToEnd, type ScrollPlace, sticksAfter } from "./sticky-end";

const farAwayPx = 480;
/** A wheel or a finger goes on scrolling for a while after its last event. */
const readerScrollsForMs = 600;

export interface StickyEnd {
  /** The reader is far enough from the end to want a way back. */
  readonly isAway: boolean;
  /** Belongs on the element of the last line, whose growth is followed within the same frame. */
  readonly lastRowRef: (row: HTMLElement | null) => (() => void) | undefined;
  readonly onScroll: () => void;
  /** To be called when anything in the list changes its size, or its lines are others. */
  readonly onResize: () => void;
  /** Goes to the end and stays there while the list grows. */
  readonly stick: () => void;
  /** Goes so far above the end, and stays there while the lines around are measured. */
  readonly startAbove: (abovePx: number) => void;
  /** Stays where the reader is. */
  readonly release: () => void;
}

const nowhere: ScrollPlace = { offset: 0, contentPx: 0, viewportPx: 0 };

/**
 * Keeps the end in view while a list grows, but only for a reader who is there: scrolling up lets go, and so does
 * opening something, which would otherwise push itself out from under the pointer.
 */
export function useStickyEnd(scroller: RefObject<HTMLElement | null>): StickyEnd {
  const isSticking = useRef(true);
  const last = useRef(nowhere);
  const readerScrolledAt = useRef(Number.NEGATIVE_INFINITY);
  const abovePx = useRef(0);
  const [isAway, setIsAway] = useState(false);

  // Set on the element, within the frame that changed the size: asked of the list it would come frames later.
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
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const controller = new AbortController();
    const options = { passive: true, signal: controller.signal } as const;
    const noteReader = () => {
      readerScrolledAt.current = performance.now();
    };
    for (const type of ["wheel", "touchmove", "keydown"] as const) {
      element.addEventListener(type, noteReader, options);
    }
    element.addEventListener(
      "click",
      ({ target }) => {
        if (!isExpander(target) || !isSticking.current) return;
        isSticking.current = false;
        // What was closed, or opened a little, leaves the reader at the end.
        afterPaint(() => {
          if (distanceToEnd(placeOf(element)) < atEndPx) isSticking.current = true;
        });
      },
      { ...options, capture: true },
    );
    return () => controller.abort();
  }, [scroller]);

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

function placeOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): ScrollPlace {
  return { offset: scrollTop, contentPx: scrollHeight, viewportPx: clientHeight };
}

function isExpander(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("summary, [aria-expanded]:not([aria-haspopup])") !== null
  );
}

function afterPaint(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

"use client";

import { type RefObject, useCallback, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";

/** Within this distance the reader counts as being at the end. */
const atEndPx = 64;
const farAwayPx = 480;

export interface StickyEndOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly list: RefObject<VirtualizerHandle | null>;
}

export interface StickyEnd {
  /** The reader is far enough from the end to want a way back. */
  readonly isAway: boolean;
  /** Belongs on the element of the last line, whose growth is followed within the same frame. */
  readonly lastRowRef: (row: HTMLElement | null) => (() => void) | undefined;
  readonly onScroll: (offset: number) => void;
  /** To be called when anything in the list changes its size, or its lines are others. */
  readonly onResize: () => void;
  /** Goes to the end and stays there while the list grows. */
  readonly stick: () => void;
  /** Stays where the reader is. */
  readonly release: () => void;
}

/** Keeps the end in view while a list grows, but only for a reader who is there: scrolling up lets go. */
export function useStickyEnd({ scroller, list }: StickyEndOptions): StickyEnd {
  const isSticking = useRef(true);
  const lastOffset = useRef(0);
  const [isAway, setIsAway] = useState(false);

  const distanceAt = useCallback(
    (offset: number) => {
      const handle = list.current;
      return handle ? handle.scrollSize - handle.viewportSize - offset : 0;
    },
    [list],
  );

  const goToEnd = useCallback(() => {
    const handle = list.current;
    handle?.scrollTo(handle.scrollSize);
  }, [list]);

  // The list itself learns of a new size one frame later; scrolling only then would make each line of text jump.
  const lastRowRef = useCallback(
    (row: HTMLElement | null) => {
      if (!row) return;
      const observer = new ResizeObserver(() => {
        const element = scroller.current;
        if (element && isSticking.current) element.scrollTop = element.scrollHeight;
      });
      observer.observe(row);
      return () => observer.disconnect();
    },
    [scroller],
  );

  return {
    isAway,
    lastRowRef,
    onScroll: useCallback(
      (offset: number) => {
        const distance = distanceAt(offset);
        if (distance < atEndPx) isSticking.current = true;
        else if (offset < lastOffset.current - 2) isSticking.current = false;
        lastOffset.current = offset;
        setIsAway(distance > farAwayPx);
      },
      [distanceAt],
    ),
    // Only the reader's own scrolling decides whether the end is held.
    onResize: useCallback(() => {
      if (isSticking.current) goToEnd();
      setIsAway(distanceAt(list.current?.scrollOffset ?? 0) > farAwayPx);
    }, [goToEnd, distanceAt, list]),
    stick: useCallback(() => {
      isSticking.current = true;
      goToEnd();
    }, [goToEnd]),
    release: useCallback(() => {
      isSticking.current = false;
    }, []),
  };
}

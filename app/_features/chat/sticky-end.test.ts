import { describe, expect, test } from "vitest";
import { type ScrollPlace, sticksAfter } from "./use-sticky-end";

const atEnd: ScrollPlace = { offset: 1_000, contentPx: 1_600, viewportPx: 600 };

describe("holding the end", () => {
  test("is let go by scrolling up", () => {
    const now = { ...atEnd, offset: 800 };
    expect(sticksAfter({ before: atEnd, now, isByReader: false, isSticking: true })).toBe(false);
  });

  test("is let go by the reader's wheel while the content grows", () => {
    const now = { ...atEnd, offset: 800, contentPx: 1_700 };
    expect(sticksAfter({ before: atEnd, now, isByReader: true, isSticking: true })).toBe(false);
  });

  test("survives a shorter content that pulls the offset up", () => {
    const now = { offset: 112, contentPx: 822, viewportPx: 600 };
    expect(sticksAfter({ before: atEnd, now, isByReader: false, isSticking: true })).toBe(true);
  });

  test("survives content that grows below", () => {
    const now = { ...atEnd, contentPx: 2_000 };
    expect(sticksAfter({ before: atEnd, now, isByReader: false, isSticking: true })).toBe(true);
  });

  test("comes back when the reader reaches the end again", () => {
    const before = { ...atEnd, offset: 700 };
    expect(sticksAfter({ before, now: atEnd, isByReader: true, isSticking: false })).toBe(true);
  });

  test("does not come back because something else grew", () => {
    const before = { ...atEnd, offset: 500 };
    const now = { ...before, offset: 520, contentPx: 1_700 };
    expect(sticksAfter({ before, now, isByReader: false, isSticking: false })).toBe(false);
  });
});

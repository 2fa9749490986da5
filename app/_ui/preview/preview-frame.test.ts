import { expect, test } from "vitest";
import { frameMessage, previewHeight } from "./preview-frame";

test("takes only a height that is a number of pixels", () => {
  const isTaken = (px: unknown) => frameMessage.safeParse({ type: "height", px }).success;
  expect([0, 240.5].map(isTaken)).toEqual([true, true]);
  expect([-1, Number.NaN, Number.POSITIVE_INFINITY, "9", null].map(isTaken)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("takes a drawing whose size is not usable, without the size", () => {
  const drawing = { type: "drawn", id: 1, svg: "<svg/>", width: Number.NaN, height: -4 };
  expect(frameMessage.parse(drawing)).toEqual({ type: "drawn", id: 1, svg: "<svg/>" });
});

test("gives a preview the height of its content", () => {
  expect(previewHeight(120.2, null)).toBe(121);
});

test("keeps a preview between the height of a line and the one at which it scrolls", () => {
  expect([0, 1e9].map((reported) => previewHeight(reported, null))).toEqual([64, 384]);
});

test("lets a preview grow with its content and never shrink", () => {
  expect(previewHeight(300, 200)).toBe(300);
  expect(previewHeight(100, 200)).toBe(200);
});

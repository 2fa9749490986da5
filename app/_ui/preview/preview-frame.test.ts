import { expect, test } from "vitest";
import { frameMessage } from "./preview-frame";

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

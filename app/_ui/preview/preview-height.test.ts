import { expect, test } from "vitest";
import { previewHeight } from "./preview-height";

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

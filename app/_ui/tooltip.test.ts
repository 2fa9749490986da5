import { expect, test } from "vitest";
import { tooltipPlace } from "./tooltip";

const view = { width: 400, height: 300 };
const size = { width: 100, height: 20 };

test("stands in the middle beside what it is about", () => {
  const anchor = { left: 200, top: 100, width: 40, height: 30 };
  expect(tooltipPlace({ anchor, size, view }, "bottom")).toEqual({ left: 170, top: 136 });
  expect(tooltipPlace({ anchor, size, view }, "right")).toEqual({ left: 246, top: 105 });
});

test("turns to the other side where there is no space", () => {
  const low = { left: 200, top: 260, width: 40, height: 30 };
  expect(tooltipPlace({ anchor: low, size, view }, "bottom").top).toBe(234);
  const right = { left: 350, top: 100, width: 40, height: 30 };
  expect(tooltipPlace({ anchor: right, size, view }, "right").left).toBe(244);
});

test("stays within the view", () => {
  const corner = { left: 0, top: 100, width: 20, height: 20 };
  expect(tooltipPlace({ anchor: corner, size, view }, "top")).toEqual({ left: 8, top: 74 });
});

import { expect, it } from "vitest";
import { distanceFrom } from "./sliced-markdown";

const view = { top: 100, bottom: 200 };

it("measures how far something is from the view, on either side", () => {
  expect(distanceFrom(view, { top: 0, bottom: 70 })).toBe(30);
  expect(distanceFrom(view, { top: 250, bottom: 300 })).toBe(50);
  expect(distanceFrom(view, { top: 150, bottom: 300 })).toBe(0);
});

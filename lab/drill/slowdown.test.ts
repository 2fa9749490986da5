import { describe, expect, it } from "vitest";
import { slowdownOf } from "./slowdown";

describe("a budget of time", () => {
  it("is stretched by the median over the best", () => {
    expect(slowdownOf([10, 500, 12, 11, 10], 5)).toBe(2.2);
  });

  it("is never shortened", () => {
    expect(slowdownOf([5, 5, 5], 5)).toBe(1);
  });

  it("is stretched fourfold at most, so that it can be exceeded", () => {
    expect(slowdownOf([900, 900, 900], 5)).toBe(4);
  });
});

import { expect, test } from "vitest";
import { plainName } from "./plain-name";

test.each([
  ["**Day 1**: *Lisbon*", "Day 1: Lisbon"],
  ["## Plan\n- [Sintra](https://sintra.pt) by `train`", "Plan Sintra by train"],
  ["2 * 3 is my_own_name", "2 * 3 is my_own_name"],
  [undefined, ""],
])("names %j without signs of Markdown", (text, name) => {
  expect(plainName(text)).toBe(name);
});

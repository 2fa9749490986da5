import { expect, test } from "vitest";
import { keep, readKept } from "./use-kept-state";

test("gives back what was kept, and the initial state where nothing was", () => {
  keep("a session/a fold", true);
  expect(readKept("a session/a fold", false)).toBe(true);
  expect(readKept("a session/another fold", false)).toBe(false);
});

test("tells a kept undefined from nothing kept", () => {
  keep("a session/nothing", undefined);
  expect(readKept<string | undefined>("a session/nothing", "initial")).toBeUndefined();
});

test("forgets what was touched longest ago", () => {
  keep("old", true);
  keep("touched again", true);
  for (let n = 0; n < 1_998; n += 1) keep(`filler ${n}`, n);
  keep("touched again", false);
  keep("one too many", true);
  expect(readKept("old", false)).toBe(false);
  expect(readKept("touched again", true)).toBe(false);
});

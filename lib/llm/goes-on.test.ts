import { expect, test } from "vitest";
import { goesOnWith } from "./goes-on";

test.each([
  ["anthropic", "claude-sonnet-4-5", true],
  ["anthropic", "claude-opus-4-5-20251101", true],
  ["anthropic", "claude-opus-4-20250514", true],
  ["anthropic", "claude-3-7-sonnet-20250219", true],
  ["anthropic", "claude-opus-4-6", false],
  ["anthropic", "claude-sonnet-5-5", false],
  ["anthropic", "something-new", false],
  ["openai", "gpt-5", false],
  ["compatible", "claude-sonnet-4-5", false],
] as const)("%s, %s: %s", (kind, id, expected) => {
  expect(goesOnWith({ kind }, id)).toBe(expected);
});

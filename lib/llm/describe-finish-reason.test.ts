import { expect, test } from "vitest";
import { describeFinishReason } from "./describe-finish-reason";

test.each(["stop", "tool-calls"] as const)("finds nothing wrong with %s", (reason) => {
  expect(describeFinishReason(reason)).toBeNull();
});

test.each([
  ["length", "cut", false],
  ["content-filter", "refused", false],
  ["error", "cut", true],
  ["interrupted", "cut", true],
  ["other", "cut", true],
] as const)("says that %s is %s", (reason, code, retryable) => {
  expect(describeFinishReason(reason)).toMatchObject({ code, retryable });
});

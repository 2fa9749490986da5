import { expect, it } from "vitest";
import { nonceOf } from "./nonce-of";

it("finds the nonce wherever it stands in the policy", () => {
  expect(nonceOf("default-src 'self'; script-src 'nonce-a/B+=' 'strict-dynamic'")).toBe("a/B+=");
});

it("finds none where there is none", () => {
  expect(nonceOf("script-src 'none'")).toBeUndefined();
  expect(nonceOf(null)).toBeUndefined();
});

import { expect, test } from "vitest";
import { commonHeaders, fallbackPolicy, pagePolicy, workerPolicy } from "./security-headers";

test("a page runs only scripts with its nonce, and evaluates text only in development", () => {
  expect(pagePolicy("abc", "production")).toContain("script-src 'nonce-abc' 'strict-dynamic'");
  expect(pagePolicy("abc", "production")).not.toContain("unsafe-eval");
  expect(pagePolicy("abc", "development")).toContain("'unsafe-eval'");
});

test("what the proxy did not see runs no script", () => {
  expect(fallbackPolicy).toContain("script-src 'none'");
});

test.each([pagePolicy("abc", "production"), fallbackPolicy, workerPolicy])(
  "nothing is loaded from elsewhere",
  (policy) => {
    expect(policy).toMatch(/default-src '(self|none)'/);
    expect(policy).not.toMatch(/https?:|\*/);
  },
);

test("a worker loads its own scripts and connects to nothing", () => {
  expect(workerPolicy).toBe("default-src 'none'; script-src 'self'");
});

test("nothing forces HTTPS on a server that speaks plain HTTP", () => {
  expect(commonHeaders.map(({ key }) => key)).not.toContain("Strict-Transport-Security");
  expect(pagePolicy("abc", "production")).not.toContain("upgrade-insecure-requests");
});

import { expect, test } from "vitest";
import {
  commonHeaders,
  fallbackPolicy,
  pagePolicy,
  previewHeaders,
  workerPolicy,
} from "./security-headers";

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

test("a preview has an origin of its own, no network, and runs only scripts with its nonce", () => {
  const headers = new Map(previewHeaders("abc").map(({ key, value }) => [key, value]));
  const policy = headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain("sandbox allow-scripts allow-forms;");
  expect(policy).toContain("default-src 'none'; script-src 'nonce-abc' 'unsafe-eval'");
  expect(policy).not.toMatch(
    /connect-src|allow-same-origin|script-src[^;]*unsafe-inline|https?:|\*/,
  );
  expect(headers.get("Connection-Allowlist")).toBe("()");
});

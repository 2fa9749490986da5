import { expect, test } from "vitest";
import { retryAfterMs } from "./retry-after";

const now = Date.parse("2026-01-01T00:00:00Z");

test.each([
  [{ "retry-after": "7" }, 7000],
  [{ "Retry-After": "0.5" }, 500],
  [{ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, 60_000],
  [{ "retry-after-ms": "250", "retry-after": "7" }, 250],
])("reads %j", (headers, expected) => {
  expect(retryAfterMs(headers, now)).toBe(expected);
});

test.each([
  {},
  { "retry-after": "soon" },
  { "retry-after": "-3" },
  { "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" },
  { "retry-after": "99999999" },
])("is null for %j", (headers) => {
  expect(retryAfterMs(headers, now)).toBeNull();
});

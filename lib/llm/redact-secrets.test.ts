import { expect, test } from "vitest";
import { redactSecrets } from "./redact-secrets";

test.each([
  "Incorrect API key provided: sk-proj-abcDEF123456.",
  "Incorrect API key provided: sk-abc12***********wxyz.",
  "invalid x-api-key sk-ant-api03-AbC_d-123456",
  "key AIzaSyA1234567890abcdefg is not valid",
  "Authorization: Bearer abcdef.ghi",
  "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
  "token gsk_abcdef123456",
])("hides the key in %j", (text) => {
  const hidden = redactSecrets(text);
  expect(hidden).toContain("[hidden]");
  expect(hidden).not.toMatch(/abc|123456/i);
});

test("leaves ordinary words alone", () => {
  const text = "Unsupported value: 'temperature' must be 1 for the task-model gpt-5.";
  expect(redactSecrets(text)).toBe(text);
});

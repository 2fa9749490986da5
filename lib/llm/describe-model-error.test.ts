import {
  APICallError,
  LoadAPIKeyError,
  NoSuchModelError,
  RetryError,
  StreamProviderError,
} from "ai";
import { describe, expect, test } from "vitest";
import {
  describeFinishReason,
  describeModelError,
  redactSecrets,
  retryAfterMs,
} from "./describe-model-error";
import { ModelUnavailableError } from "./model-source";

function answered(
  statusCode: number,
  message: string,
  more: { body?: string; headers?: Record<string, string> } = {},
): APICallError {
  return new APICallError({
    message,
    url: "https://api.example.com/v1/chat?key=sk-url-123456789",
    requestBodyValues: { apiKey: "sk-body-123456789" },
    statusCode,
    responseHeaders: { authorization: "Bearer sk-header-123456789", ...more.headers },
    responseBody: more.body ?? "",
  });
}

function named(name: string, message = name): Error {
  return Object.assign(new Error(message), { name });
}

describe("describeModelError", () => {
  test.each([
    ["bad-key", answered(401, "Incorrect API key provided: sk-abc123456789")],
    ["bad-key", answered(403, "Forbidden")],
    ["bad-key", answered(400, "API key not valid. Please pass a valid API key.")],
    ["bad-key", new LoadAPIKeyError({ message: "OpenAI API key is missing" })],
    ["bad-key", new ModelUnavailableError("missing-key", "openai/x", "Add a key.")],
    ["rate-limited", answered(429, "Rate limit reached")],
    ["rate-limited", answered(429, "Request too large for gpt-4o on tokens per min (TPM)")],
    ["rate-limited", answered(402, "Payment required")],
    ["overloaded", answered(529, "Overloaded")],
    ["overloaded", answered(503, "The model is overloaded")],
    ["overloaded", answered(500, "Internal server error")],
    ["overloaded", new StreamProviderError({ message: "Overloaded", type: "overloaded_error" })],
    ["timeout", answered(504, "Gateway timeout")],
    ["timeout", new DOMException("The operation was aborted due to timeout", "TimeoutError")],
    ["timeout", named("Error", "connect ETIMEDOUT: timed out")],
    [
      "context-overflow",
      answered(400, "x", { body: '{"error":{"code":"context_length_exceeded"}}' }),
    ],
    ["context-overflow", answered(400, "prompt is too long: 205000 tokens > 200000 maximum")],
    [
      "context-overflow",
      answered(400, "The input token count (1200000) exceeds the maximum number of tokens allowed"),
    ],
    ["context-overflow", answered(500, "the request exceeds the available context size")],
    ["context-overflow", answered(413, "request_too_large")],
    ["context-overflow", "This model's maximum context length is 8192 tokens"],
    [
      "network",
      new TypeError("fetch failed", { cause: named("Error", "connect ECONNREFUSED 127.0.0.1:1") }),
    ],
    ["network", new ModelUnavailableError("local-server-down", "local:ollama/x", "Start it.")],
    ["cut", new TypeError("terminated", { cause: named("SocketError", "other side closed") })],
    ["cut", new DOMException("This operation was aborted", "AbortError")],
    ["cut", named("AI_InvalidResponseDataError", "Response stream ended without a finish reason.")],
    ["cut", answered(200, "Failed to process successful response")],
    ["cut", new TypeError("fetch failed", { cause: named("SocketError", "other side closed") })],
    ["timeout", "TimeoutError: The operation was aborted due to timeout"],
    ["refused", answered(400, "x", { body: '{"error":{"code":"content_filter"}}' })],
    ["bad-request", answered(400, "Unsupported value: temperature")],
    ["bad-request", answered(404, "The model `gpt-99` does not exist")],
    ["bad-request", new NoSuchModelError({ modelId: "x", modelType: "languageModel" })],
    ["unknown", new Error("what")],
    ["unknown", undefined],
    ["unknown", { odd: true }],
  ])("is %s for %o", (code, error) => {
    expect(describeModelError(error).code).toBe(code);
  });

  test("looks through retries at the last failure", () => {
    const retried = new RetryError({
      message: "Failed after 3 attempts",
      reason: "maxRetriesExceeded",
      errors: [
        answered(500, "fault"),
        answered(429, "slow down", { headers: { "retry-after": "3" } }),
      ],
    });
    expect(describeModelError(retried)).toMatchObject({
      code: "rate-limited",
      retryable: true,
      retryAfterMs: 3000,
    });
  });

  test("looks through errors that wrap a cause", () => {
    const wrapped = new Error("No summary", { cause: answered(401, "no") });
    expect(describeModelError(wrapped).code).toBe("bad-key");
  });

  test("survives a cause that points back at itself", () => {
    const loop = new Error("round");
    loop.cause = loop;
    expect(describeModelError(loop).code).toBe("unknown");
  });

  test("does not suggest waiting when the account has no credit left", () => {
    const empty = answered(429, "You exceeded your current quota", {
      body: '{"error":{"code":"insufficient_quota"}}',
      headers: { "retry-after": "1" },
    });
    expect(describeModelError(empty)).toEqual({
      code: "rate-limited",
      message: expect.stringContaining("no credit left"),
      retryable: false,
      details: "Status 429: You exceeded your current quota",
    });
  });

  test("offers a retry only where one may help", () => {
    const retryable = (error: unknown) => describeModelError(error).retryable;
    expect(retryable(answered(503, "busy"))).toBe(true);
    expect(retryable(answered(401, "key"))).toBe(false);
    expect(retryable(answered(400, "prompt is too long"))).toBe(false);
    expect(retryable(answered(400, "bad"))).toBe(false);
  });

  test("repeats what the provider said about a bad request, shortened and without keys or addresses", () => {
    const said = `Bad value for key sk-abc123456789 at https://x.test/a?b=c ${"x".repeat(500)}`;
    const { message } = describeModelError(answered(400, said));
    expect(message).toContain("Bad value for key [hidden] at [address]");
    expect(message).not.toContain("sk-");
    expect(message.length).toBeLessThan(450);
  });

  test("keeps the provider's own words as details where its sentence does not quote them", () => {
    expect(describeModelError(answered(401, "Key sk-abc123456789 was revoked"))).toMatchObject({
      code: "bad-key",
      details: "Status 401: Key [hidden] was revoked",
    });
    expect(describeModelError(answered(400, "Bad value"))).not.toHaveProperty("details");
    expect(describeModelError(new TypeError("fetch failed"))).not.toHaveProperty("details");
  });

  test.each([400, 401, 403, 404, 429, 500])(
    "never shows a key, header or address (%i)",
    (status) => {
      const shown = JSON.stringify(
        describeModelError(answered(status, "key sk-message-123456789 refused")),
      );
      expect(shown).not.toMatch(/sk-|123456789|Bearer|example\.com/);
    },
  );

  test("says what a model that is unavailable itself advises", () => {
    const error = new ModelUnavailableError("missing-key", "openai/x", "Add a key for OpenAI.");
    expect(describeModelError(error).message).toBe("Add a key for OpenAI.");
  });
});

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

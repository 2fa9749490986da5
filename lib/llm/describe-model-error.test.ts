import {
  APICallError,
  LoadAPIKeyError,
  NoSuchModelError,
  RetryError,
  StreamProviderError,
} from "ai";
import { describe, expect, test } from "vitest";
import { describeModelError } from "./describe-model-error";
import { ModelUnavailableError } from "./model-unavailable-error";

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

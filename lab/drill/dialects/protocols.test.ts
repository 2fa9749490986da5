import { type FinishReason, isStepCount, streamText, tool } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { demoSource } from "@/lib/demo/demo-model";
import { createModelRegistry } from "@/lib/llm";
import { describeFinishReason, describeModelError } from "@/lib/llm/describe-model-error";
import { modelLimits } from "@/lib/llm/model-limits";
import {
  callInput,
  type DialectServer,
  type Reply,
  startDialectServer,
  words,
} from "./dialect-server";
import { dialectNamed } from "./dialect-table";

// Avoids the AI SDK's warnings about unknown models.
globalThis.AI_SDK_LOG_WARNINGS = false;

const protocols = [
  { name: "OpenAI", ref: "openai/gpt-4o", tokens: [9, 3] },
  { name: "OpenAI Responses", ref: "openai/gpt-5", tokens: [20, 7] },
  { name: "Anthropic", ref: "anthropic/claude-haiku-4-5", tokens: [20, 7] },
  { name: "Google", ref: "google/gemini-2.5-flash", tokens: [20, 7] },
  { name: "Azure", ref: "compatible:test/any", tokens: [20, 7] },
] as const;
type Protocol = (typeof protocols)[number];

const key = "sk-wire-test-123456789";
let server: DialectServer;

beforeAll(async () => {
  server = await startDialectServer();
});
afterAll(() => server.close());

interface Asking {
  readonly replies?: readonly Reply[];
  readonly timeoutMs?: number;
  readonly baseUrl?: string;
  readonly onCall?: (input: unknown) => void;
}

/** Asks through the registry, the provider's own package and HTTP. */
async function ask({ name, ref }: Protocol, asking: Asking = {}) {
  const { replies = [], timeoutMs = 20_000, onCall } = asking;
  const dialect = dialectNamed(name);
  const served = server.add({ dialect, replies, usage: { input: 20, output: 7 } });
  const { kind: provider, api } = dialect.wire.provider;
  if (provider === "local") throw new Error("It has no settings.");
  const [, model = ""] = ref.split("/");
  const baseUrl = asking.baseUrl ?? served.baseUrl;
  const registry = createModelRegistry({
    environment: {},
    settings: {
      providers: [{ provider, name: "test", baseUrl, apiKey: key, api, models: [model] }],
      overrides: {},
    },
    fallback: demoSource({}),
    limits: { ...modelLimits({}), retries: 0 },
  });
  const search = tool({
    inputSchema: z.object({ query: z.string() }),
    execute: async (input) => {
      onCall?.(input);
      return "Found.";
    },
  });
  const { stream } = streamText({
    model: (await registry.resolve(ref)).model,
    prompt: "Question",
    maxRetries: 0,
    stopWhen: isStepCount(3),
    timeout: timeoutMs,
    onError: () => undefined,
    ...(onCall && { tools: { search_chats: search } }),
  });
  const answer = {
    text: "",
    finish: "other" as FinishReason,
    tokens: [] as (number | undefined)[],
  };
  let failure: unknown;
  try {
    for await (const part of stream) {
      if (part.type === "text-delta") answer.text += part.text;
      if (part.type === "error") failure = part.error;
      if (part.type === "abort") failure = part.reason;
      if (part.type !== "finish") continue;
      answer.finish = part.finishReason;
      answer.tokens = [part.totalUsage.inputTokens, part.totalUsage.outputTokens];
    }
  } catch (error) {
    failure = error;
  }
  expect(served.problems).toEqual([]);
  return { ...answer, failure };
}

describe.each(protocols)("a server like $name", (protocol) => {
  test("gives a whole answer, with its usage", async () => {
    const { tokens } = protocol;
    const whole = { text: words, finish: "stop", tokens, failure: undefined };
    expect(await ask(protocol)).toEqual(whole);
  });

  test("calls a tool and answers its result", async () => {
    const inputs: unknown[] = [];
    const replies = ["call"] as const;
    const answer = await ask(protocol, { replies, onCall: (input) => inputs.push(input) });
    expect(inputs).toEqual([JSON.parse(callInput)]);
    expect(answer).toMatchObject({ text: words, finish: "stop" });
  });

  test.each<[Extract<Reply, object>, object]>([
    [
      { status: 401, message: `Incorrect API key provided: ${key}`, code: "invalid_api_key" },
      { code: "bad-key", retryable: false },
    ],
    [
      { status: 429, message: "Slow down", code: "rate_limit", headers: { "retry-after": "7" } },
      { code: "rate-limited", retryable: true, retryAfterMs: 7_000 },
    ],
    [
      { status: 400, message: "prompt is too long", code: "context_length_exceeded" },
      { code: "context-overflow", retryable: false },
    ],
    [
      { status: 503, message: "Overloaded", code: "overloaded_error" },
      { code: "overloaded", retryable: true },
    ],
  ])("tells $message apart from other refusals, without the key", async (refusal, expected) => {
    const description = describeModelError((await ask(protocol, { replies: [refusal] })).failure);
    expect(description).toMatchObject(expected);
    expect(JSON.stringify(description)).not.toContain("sk-wire");
  });

  test("breaks off, which never looks complete", async () => {
    const { finish, failure } = await ask(protocol, { replies: ["reset"] });
    expect(describeModelError(failure).code).toBe("cut");
    expect(finish === "stop" || finish === "tool-calls").toBe(false);
  });

  test("ends in the middle, which never looks complete", async () => {
    const { finish } = await ask(protocol, { replies: ["half"] });
    expect(describeFinishReason(finish)?.code).toBe("cut");
  });

  test("is too slow, which is a timeout", async () => {
    const { failure } = await ask(protocol, { replies: ["silence"], timeoutMs: 60 });
    expect(describeModelError(failure)).toMatchObject({ code: "timeout", retryable: true });
  });

  test("is not there, which is a network fault", async () => {
    const { failure } = await ask(protocol, { baseUrl: "http://127.0.0.1:1" });
    expect(describeModelError(failure)).toMatchObject({ code: "network", retryable: true });
  });
});

test("an end without a reason to end counts as cut", () => {
  expect(describeFinishReason("other")?.code).toBe("cut");
});

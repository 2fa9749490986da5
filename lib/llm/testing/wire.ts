import { LLMock } from "@copilotkit/aimock";
import { isStepCount, streamText, type ToolSet } from "ai";
import { demoSource } from "@/lib/demo/demo-model";
import { modelLimits } from "@/lib/llm/model-limits";
import type { ModelProvider } from "@/lib/llm/model-provider";
import { createModelRegistry } from "@/lib/llm/model-registry";
import type { ModelSettings } from "@/lib/llm/provider-settings";

// Avoids the AI SDK's warnings about unknown models.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** A provider's protocol over HTTP. */
export type Wire = {
  readonly name: string;
  readonly ref: string;
  readonly path: string;
  readonly provider: Exclude<ModelProvider["kind"], "local">;
  readonly api: ModelProvider["api"];
};

export const wires: readonly Wire[] = [
  {
    name: "OpenAI responses",
    ref: "openai/gpt-5",
    path: "/v1",
    provider: "openai",
    api: "responses",
  },
  { name: "OpenAI chat", ref: "openai/gpt-4o", path: "/v1", provider: "openai", api: "chat" },
  {
    name: "Anthropic",
    ref: "anthropic/claude-haiku-4-5",
    path: "/v1",
    provider: "anthropic",
    api: "chat",
  },
  {
    name: "Google",
    ref: "google/gemini-2.5-flash",
    path: "/v1beta",
    provider: "google",
    api: "chat",
  },
  {
    name: "OpenAI-compatible",
    ref: "compatible:test/any",
    path: "/v1",
    provider: "compatible",
    api: "chat",
  },
];

const key = "sk-wire-test-123456789";

/** A real HTTP server that speaks every protocol and answers by keywords. */
export async function startModelServer(): Promise<LLMock> {
  const server = new LLMock({ port: 0, chunkSize: 8 });
  const usage = { input_tokens: 20, output_tokens: 7, prompt_tokens: 20, completion_tokens: 7 };
  server.onMessage("greet", { content: "Hello, Ann 🌳. How are you?", usage });
  const toolCalls = [{ name: "set_context", arguments: '{"label":"memory","content":"tea"}' }];
  const firstStep = { userMessage: "remember", hasToolResult: false };
  // Google ends a step that calls a tool with STOP; the server would say FUNCTION_CALL.
  server.on({ ...firstStep, model: /^gemini/ }, { toolCalls, finishReason: "stop" });
  server.on(firstStep, { toolCalls });
  server.on(
    { userMessage: "remember", hasToolResult: true },
    { content: "I wrote it down.", usage },
  );
  server.onMessage(
    "wrong key",
    refusal(401, `Incorrect API key provided: ${key}`, "invalid_api_key"),
  );
  server.onMessage("too often", { ...refusal(429, "Slow down", "rate_limit"), retryAfter: 7 });
  server.onMessage("too long", refusal(400, "prompt is too long", "context_length_exceeded"));
  server.onMessage("overload", refusal(503, "Overloaded", "overloaded_error"));
  const text = "This answer is going to be cut somewhere in the middle. ".repeat(4);
  server.onMessage("cut", { content: text }, { truncateAfterChunks: 8, latency: 5 });
  server.onMessage("late", { content: "At last." }, { chaos: { latencyMs: 800 } });
  await server.start();
  return server;
}

function refusal(status: number, message: string, code: string) {
  return { status, error: { message, type: code, code } };
}

export type WireAnswer = {
  readonly text: string;
  readonly finish: string;
  readonly tokens: readonly [number | undefined, number | undefined];
  readonly failure: unknown;
};

/** Asks through the registry, the real provider package and HTTP, like a turn. */
export async function askOver(
  wire: Wire,
  url: string,
  question: string,
  options: { tools?: ToolSet; timeoutMs?: number } = {},
): Promise<WireAnswer> {
  const registry = createModelRegistry({
    environment: {},
    settings: settingsFor(wire, url),
    fallback: demoSource({}),
    limits: { ...modelLimits({}), retries: 0 },
  });
  const { model } = await registry.resolve(wire.ref);
  let answer: WireAnswer = { text: "", finish: "", tokens: [undefined, undefined], failure: null };
  const { stream } = streamText({
    model,
    prompt: question,
    maxRetries: 0,
    maxOutputTokens: 500,
    stopWhen: isStepCount(3),
    timeout: options.timeoutMs ?? 20_000,
    onError: () => {},
    ...(options.tools ? { tools: options.tools } : {}),
  });
  try {
    for await (const part of stream) {
      if (part.type === "text-delta") answer = { ...answer, text: answer.text + part.text };
      if (part.type === "error") answer = { ...answer, failure: part.error };
      if (part.type === "abort") answer = { ...answer, failure: part.reason };
      if (part.type !== "finish") continue;
      const { inputTokens, outputTokens } = part.totalUsage;
      answer = { ...answer, finish: part.finishReason, tokens: [inputTokens, outputTokens] };
    }
  } catch (error) {
    answer = { ...answer, failure: error };
  }
  return answer;
}

function settingsFor(wire: Wire, url: string): ModelSettings {
  const { provider, api } = wire;
  const models = [wire.ref.slice(wire.ref.indexOf("/") + 1)];
  const baseUrl = url + wire.path;
  return {
    providers: [{ provider, name: "test", baseUrl, apiKey: key, api, models }],
    overrides: {},
  };
}

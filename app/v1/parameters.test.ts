import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { serveV1, weather } from "./testing/v1-server";

const { client, models, owner } = serveV1({
  ANTHROPIC_API_KEY: "sk-none",
  ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
});
const model = "compatible:fake/echo";
const claude = "anthropic/claude-sonnet-5";
const messages = [{ role: "user", content: "Hello" }] as const;
const { type, name, ...described } = weather;
const tools = [{ type, function: { name, ...described, strict: true } }];

type Completion = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "model" | "messages">;

async function complete(asked: Completion & { model?: string }) {
  const openai = await client();
  return openai.chat.completions.create({ model, messages: [...messages], ...asked });
}

describe("a parameter", () => {
  test("of either API reaches a compatible server", async () => {
    const openai = await client();
    await complete({ tools, parallel_tool_calls: false, verbosity: "low" });
    const response = await openai.responses.create({
      model,
      input: "Hello",
      tools: [{ ...weather, strict: true }],
      parallel_tool_calls: false,
      text: { verbosity: "low" },
    });
    for (const request of models().requests)
      expect(request).toMatchObject({
        parallel_tool_calls: false,
        verbosity: "low",
        tools: [{ function: { name, strict: true } }],
      });
    expect(models().requests).toHaveLength(2);
    expect(response).toMatchObject({ parallel_tool_calls: false, text: { verbosity: "low" } });
  });

  test("that nobody sends is sent to nobody", async () => {
    await complete({ tools: [{ type, function: { name, parameters: weather.parameters } }] });
    const [request] = models().requests;
    expect(request).not.toHaveProperty("parallel_tool_calls");
    expect(request).not.toHaveProperty("verbosity");
    expect(request?.tools?.[0]?.function).not.toHaveProperty("strict");
  });

  test.each([
    ["seed", { seed: 1 }],
    ["verbosity", { verbosity: "low" }],
    ["frequency_penalty", { frequency_penalty: 1 }],
  ] as const)("%s is refused for a provider that does not take it", async (param, asked) => {
    await expect(complete({ model: claude, ...asked })).rejects.toMatchObject({
      status: 400,
      code: "unsupported_parameter",
      param,
    });
  });

  test.each([
    ["functions", { functions: [{ name: "look" }] }],
    ["function_call", { function_call: "auto" }],
    ["audio", { audio: { voice: "alloy", format: "mp3" } }],
    ["moderation", { moderation: { model: "omni-moderation-latest" } }],
    ["top_logprobs", { top_logprobs: 2 }],
  ])("%s, which Grove would ignore, is refused", async (param, asked) => {
    await expect(complete(asked as Completion)).rejects.toMatchObject({
      status: 400,
      code: "unsupported_parameter",
      param,
    });
    expect(models().requests).toEqual([]);
  });

  test.each([
    ["max_tool_calls", { max_tool_calls: 3 }],
    ["include", { include: ["message.output_text.logprobs"] }],
  ] satisfies [string, Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming>][])(
    "%s of a response is refused, too",
    async (param, asked) => {
      const openai = await client();
      const refused = openai.responses.create({ model, input: "Hello", ...asked });
      await expect(refused).rejects.toMatchObject({ status: 400, param });
    },
  );
});

test("a call in the form of functions is refused in the messages, too", async () => {
  const openai = await client();
  const asked = openai.chat.completions.create({
    model,
    messages: [
      ...messages,
      { role: "assistant", content: null, function_call: { name: "look", arguments: "{}" } },
      { role: "user", content: "And?" },
    ],
  });
  await expect(asked).rejects.toMatchObject({ status: 400, param: "function_call" });
});

test("the metadata of a completion come back, and are those of its chat", async () => {
  const metadata = { ticket: "7" };
  const completion = await complete({ metadata });
  expect(completion.metadata).toEqual(metadata);
  const run = await owner().runs.get(completion.id.slice("chatcmpl-".length));
  const info = await owner().store.sessions.get(run?.sessionId ?? "");
  expect(info?.metadata).toMatchObject({ conversationMetadata: metadata });
});

test("a search that OpenAI's servers would run is left out by name", async () => {
  const completion = await complete({ web_search_options: {} });
  const run = await owner().runs.get(completion.id.slice("chatcmpl-".length));
  const answer = await owner()
    .store.messages(run?.sessionId ?? "")
    .getMessage(run?.messageId ?? "");
  expect(answer?.metadata).toMatchObject({ leftOut: { hostedTools: ["web_search"] } });
});

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { InvalidArgumentError } from "../../session";
import {
  createAnthropicAdapter,
  createClaude,
  createGPT,
  createModelAdapter,
  createOpenAICompatibleAdapter,
  createSession,
  createSessionTool,
  InMemoryStorageAdapter,
  type LLMAdapter,
  loadSession,
  type Message,
  tool,
} from ".";
import { scripted } from "./testing/scripted-model";

const weather = { id: "c1", name: "weather", input: { city: "Rome" } };
const tools = [{ name: "weather", description: "Weather", inputSchema: { type: "object" } }];

test("returns tool calls, and answers their results with the same calls before them", async () => {
  const llm = scripted({ content: null, toolCalls: [weather] }, { content: "It is sunny." });
  const session = await createSession({ storage: new InMemoryStorageAdapter(), llm, tools });

  const { content, toolCalls } = await session.send("Weather?");
  const answer = await session.send(
    JSON.stringify({ toolResults: [{ toolCallId: "c1", success: true, data: { sky: "blue" } }] }),
  );

  expect([content, toolCalls]).toEqual([null, [weather]]);
  expect(answer.content).toBe("It is sunny.");
  expect(roles(llm.contexts[1])).toEqual(["user", "assistant", "tool"]);
  expect(llm.contexts[1]?.[2]).toMatchObject({ toolCallId: "c1", content: '{"sky":"blue"}' });
  expect(roles(await session.messages())).toEqual(["user", "assistant", "tool", "assistant"]);
});

test("takes JSON that answers no call for what a person wrote", async () => {
  const text = JSON.stringify({ toolResults: [{ toolCallId: "c9", success: true, data: 1 }] });
  const llm = scripted({ content: "Nice JSON." }, { content: null, toolCalls: [weather] });
  const session = await createSession({ storage: new InMemoryStorageAdapter(), llm });
  await session.send(text);
  await session.send("Weather?");
  await session.send(text);
  const said = (await session.messages({ role: "user" })).map(({ content }) => content);
  expect(said).toEqual([text, "Weather?", text]);
});

test("sends no unanswered call, which providers refuse", async () => {
  const llm = scripted({ content: null, toolCalls: [weather] }, { content: "Never mind." });
  const session = await createSession({ storage: new InMemoryStorageAdapter(), llm });
  await session.send("Weather?");
  await session.send("Forget it.");
  expect(roles(llm.contexts[1])).toEqual(["user", "user"]);
  expect(roles(await session.messages())).toEqual(["user", "assistant", "user", "assistant"]);
});

test("keeps the calls of new results however small the context window", async () => {
  const llm = scripted({ content: null, toolCalls: [weather] }, { content: "Sunny." });
  llm.maxContextTokens = 20;
  const compressFn = async () => "They asked about the weather.";
  const session = await createSession({ storage: new InMemoryStorageAdapter(), llm, compressFn });
  await session.send("Weather?");
  await session.send(
    JSON.stringify({ toolResults: [{ toolCallId: "c1", success: false, error: "offline" }] }),
  );
  expect(roles(llm.contexts[1])).toEqual(["system", "assistant", "tool"]);
  expect(llm.contexts[1]?.at(-1)?.content).toBe("offline");
});

test("joins streamed pieces of a tool call", async () => {
  const llm: LLMAdapter = {
    ...scripted(),
    stream: async function* () {
      yield { delta: "Let me " };
      yield {
        delta: "look.",
        toolCallDeltas: [{ index: 0, id: "c1", name: "weather", input: '{"ci' }],
      };
      yield { delta: "", toolCallDeltas: [{ index: 0, input: 'ty":"Rome"}' }] };
    },
  };
  const session = await createSession({ storage: new InMemoryStorageAdapter(), llm });
  expect(await session.stream("Weather?").result).toEqual({
    content: "Let me look.",
    toolCalls: [weather],
  });
});

test("stores nothing of an answer with a broken tool call", async () => {
  const llm: LLMAdapter = {
    ...scripted(),
    stream: async function* () {
      yield { delta: "", toolCallDeltas: [{ index: 0, id: "c1", name: "weather", input: '{"ci' }] };
    },
  };
  const session = await createSession({ storage: new InMemoryStorageAdapter(), llm });
  await expect(session.stream("Weather?").result).rejects.toThrow("weather with broken JSON");
  expect(await session.messages()).toEqual([]);
});

test("creates a child session with a tool", async () => {
  const storage = new InMemoryStorageAdapter();
  const parent = await createSession({ storage, systemPrompt: "Be brief." });
  const create = createSessionTool(() => parent);
  const { output } = await create.execute({ label: "Rent", prompt: "I look for rooms." });
  const { sessionId } = z.object({ sessionId: z.string(), label: z.literal("Rent") }).parse(output);
  const child = await loadSession(sessionId, { storage });
  expect(create.name).toBe("stello_create_session");
  expect(await child?.systemPrompt()).toBe("Be brief.");
  expect((await child?.messages())?.[0]?.content).toBe("I look for rooms.");
});

test("defines a tool by a Zod shape", async () => {
  const search = tool(
    "search",
    "Search",
    { query: z.string() },
    async ({ query }) => ({ output: query.length }),
    { annotations: { readOnlyHint: true } },
  );
  expect(search.inputSchema.parse({ query: "tea" })).toEqual({ query: "tea" });
  expect(await search.execute({ query: "tea" })).toEqual({ output: 3 });
  expect(search.annotations).toEqual({ readOnlyHint: true });
});

const usage = {
  inputTokens: { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 4, text: 4, reasoning: 0 },
};
const conversation: Message[] = [
  { role: "system", content: "Be brief." },
  { role: "system", content: "Insight." },
  { role: "user", content: "Weather?" },
  { role: "assistant", content: "", toolCalls: [weather] },
  { role: "tool", content: "sunny", toolCallId: "c1" },
];

test("calls a model of the AI SDK once with prompt, history and tools", async () => {
  const model = new MockLanguageModelV4({
    doGenerate: {
      content: [
        { type: "tool-call", toolCallId: "c2", toolName: "weather", input: '{"city":"Oslo"}' },
      ],
      finishReason: { unified: "tool-calls", raw: undefined },
      usage,
      warnings: [],
    },
  });
  const llm = createModelAdapter(model, { maxContextTokens: 1000, maxOutputTokens: 50 });

  const result = await llm.complete(conversation, { tools, temperature: 0.5 });

  expect(result).toEqual({
    content: null,
    toolCalls: [{ id: "c2", name: "weather", input: { city: "Oslo" } }],
    usage: { promptTokens: 9, completionTokens: 4 },
  });
  const [call] = model.doGenerateCalls;
  expect(call?.prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
  expect(call?.prompt[0]?.content).toBe("Be brief.\n\nInsight.");
  expect([call?.temperature, call?.maxOutputTokens, call?.tools?.length]).toEqual([0.5, 50, 1]);
  expect(model.doGenerateCalls.length).toBe(1);
});

test.each([
  ["broken JSON", '{"city":'],
  ["something other than an object", '["Rome"]'],
])("refuses a tool call with %s, streamed or not", async (fault, input) => {
  const call = { type: "tool-call", toolCallId: "c1", toolName: "weather", input } as const;
  const finishReason = { unified: "tool-calls", raw: undefined } as const;
  const model = new MockLanguageModelV4({
    doGenerate: { content: [call], finishReason, usage, warnings: [] },
    doStream: {
      stream: simulateReadableStream({ chunks: [call, { type: "finish", finishReason, usage }] }),
    },
  });
  const llm = createModelAdapter(model, { maxContextTokens: 1000 });
  const session = await createSession({ storage: new InMemoryStorageAdapter(), llm, tools });
  const refusal = new InvalidArgumentError(`The model called weather with ${fault}.`);
  await expect(session.send("Weather?")).rejects.toThrow(refusal);
  await expect(session.stream("Weather?").result).rejects.toThrow(refusal);
});

test("streams a model of the AI SDK with its usage", async () => {
  const model = new MockLanguageModelV4({
    doStream: {
      stream: simulateReadableStream({
        chunks: [
          { type: "text-start", id: "t" },
          { type: "text-delta", id: "t", delta: "Three " },
          { type: "text-delta", id: "t", delta: "minutes." },
          { type: "text-end", id: "t" },
          { type: "tool-call", toolCallId: "c1", toolName: "weather", input: '{"city":"Rome"}' },
          { type: "finish", finishReason: { unified: "stop", raw: undefined }, usage },
        ],
      }),
    },
  });
  const llm = createModelAdapter(model, { maxContextTokens: 1000 });
  const session = await createSession({ storage: new InMemoryStorageAdapter(), llm, tools });
  const stream = session.stream("How long?");
  const received: string[] = [];
  for await (const text of stream) received.push(text);
  expect(received).toEqual(["Three ", "minutes."]);
  expect(await stream.result).toEqual({
    content: "Three minutes.",
    toolCalls: [weather],
    usage: { promptTokens: 9, completionTokens: 4 },
  });
});

test("passes on what a streamed model throws", async () => {
  const model = new MockLanguageModelV4({
    doStream: async () => Promise.reject(new Error("overloaded")),
  });
  const llm = createModelAdapter(model, { maxContextTokens: 1000 });
  const session = await createSession({ storage: new InMemoryStorageAdapter(), llm });
  await expect(session.stream("Hello").result).rejects.toThrow("overloaded");
});

test("stops a turn by a signal and stores nothing of it", async () => {
  const stop = new AbortController();
  const model = new MockLanguageModelV4({
    doGenerate: async () => {
      stop.abort(new Error("stopped"));
      return Promise.reject(stop.signal.reason);
    },
  });
  const llm = createModelAdapter(model, { maxContextTokens: 1000 });
  const session = await createSession({ storage: new InMemoryStorageAdapter(), llm });
  await expect(session.send("Hello", { signal: stop.signal })).rejects.toThrow("stopped");
  expect(await session.messages()).toEqual([]);
});

interface ReceivedRequest {
  readonly path: string | undefined;
  readonly key: string | undefined;
  readonly body: Record<string, unknown>;
}
const requests: ReceivedRequest[] = [];
const server = createServer(async (request, response) => {
  const { authorization, "x-api-key": apiKey } = request.headers;
  const key = typeof apiKey === "string" ? apiKey : authorization;
  requests.push({ path: request.url, key, body: await jsonOf(request) });
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(request.url?.endsWith("/messages") ? claudeAnswer : openAIAnswer));
});
let baseURL = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => new Promise<unknown>((resolve) => server.close(resolve)));

test.each([
  {
    name: "Claude",
    open: () => createClaude({ model: "claude-haiku-4-5-20251001", apiKey: "k", baseURL }),
    expected: { path: "/v1/messages", key: "k", window: 200_000 },
  },
  {
    name: "a server of the Anthropic protocol",
    open: () =>
      createAnthropicAdapter({
        model: "m",
        apiKey: "k",
        baseURL,
        maxContextTokens: 7,
        maxOutputTokens: 100,
      }),
    expected: { path: "/v1/messages", key: "k", window: 7 },
  },
  {
    name: "GPT",
    open: () => createGPT({ model: "gpt-4.1", apiKey: "k", baseURL }),
    expected: { path: "/v1/chat/completions", key: "Bearer k", window: 1_047_576 },
  },
  {
    name: "a server of the OpenAI protocol",
    open: () =>
      createOpenAICompatibleAdapter({
        model: "m",
        apiKey: "k",
        baseURL,
        maxContextTokens: 7,
        extraBody: { reasoning_split: true },
      }),
    expected: { path: "/v1/chat/completions", key: "Bearer k", window: 7 },
  },
])("sends the key and the conversation to $name", async ({ open, expected }) => {
  const llm = open();
  const result = await llm.complete(conversation, { tools });
  const { path, key, body } = requests.at(-1) ?? {};
  expect({ path, key, window: llm.maxContextTokens }).toEqual(expected);
  expect(result.content).toBe("Sunny.");
  expect(result.usage).toEqual({ promptTokens: 9, completionTokens: 4 });
  expect(JSON.stringify(body)).toContain("Be brief.");
});

test("adds extra fields to requests of the OpenAI protocol", async () => {
  const llm = createOpenAICompatibleAdapter({
    model: "m",
    apiKey: "k",
    baseURL,
    maxContextTokens: 7,
    extraBody: { reasoning_split: true },
  });
  await llm.complete(conversation);
  expect(requests.at(-1)?.body).toMatchObject({ model: "m", reasoning_split: true });
});

const claudeAnswer = {
  id: "1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "Sunny." }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 4 },
};
const openAIAnswer = {
  id: "1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Sunny." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
};

async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

function roles(messages: readonly Message[] = []): string[] {
  return messages.map(({ role }) => role);
}

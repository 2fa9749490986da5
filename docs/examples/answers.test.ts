import {
  convertToModelMessages,
  generateText,
  isStepCount,
  type LanguageModel,
  streamText,
  tool,
  type UIMessage,
} from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { type Answer, InvalidArgumentError, MessageConflictError, Session } from "grove-session";
import { user } from "grove-session/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { onEveryStore } from "./every-store";

const usage = {
  inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const weather = tool({
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ type: "json", value: `${city}: sunny` }),
});
const broken = tool({
  inputSchema: z.object({}),
  execute: async (): Promise<string> => {
    throw new Error("Out of order");
  },
});
const calls = [
  { type: "reasoning", text: "Let me look." },
  { type: "tool-call", toolCallId: "c1", toolName: "weather", input: '{"city":"Porto"}' },
  { type: "tool-call", toolCallId: "c2", toolName: "broken", input: "{}" },
] as const;

const call = { type: "tool-weather", toolCallId: "c1", input: { city: "Porto" } };
const failed = {
  ...{ type: "tool-broken", toolCallId: "c2", input: {} },
  ...{ state: "output-error", errorText: "Out of order" },
};
const answered = [
  { type: "step-start" },
  { type: "reasoning", text: "Let me look." },
  { ...call, state: "output-available", output: { type: "json", value: "Porto: sunny" } },
  failed,
  { type: "step-start" },
  { type: "text", text: "It is sunny." },
];

onEveryStore((openStore) => {
  const open = () => Session.create(openStore());
  const request = { prompt: "Weather?", tools: { weather, broken }, stopWhen: isStepCount(3) };
  const generate = (model: LanguageModel = callingModel()) => generateText({ model, ...request });

  test("a result is stored with its calls, results, reasoning and tokens", async () => {
    const session = open();
    await session.appendMessage(user("q1", "Weather?"));
    const stored = await session.appendAnswer(await generate());
    expect(stored.parts).toEqual(answered);
    expect(stored.metadata).toEqual({ model: "m", inputTokens: 14, outputTokens: 10 });
    expect(await session.getLatestLeaf()).toEqual(stored);
    const sent = await convertToModelMessages(await session.getModelHistory());
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  test("a stream, its steps and those of a result are stored alike", async () => {
    const stream = streamText({ model: callingModel(), ...request });
    expect((await open().appendAnswer(stream)).parts).toEqual(answered);
    expect((await open().appendAnswer(await stream.steps)).parts).toEqual(answered);
    expect((await open().appendAnswer((await generate()).steps)).parts).toEqual(answered);
  });

  test("messages of a response are one message, without the starts of steps", async () => {
    const messages = (await generate()).responseMessages;
    const expected = answered
      .filter(({ type }) => type !== "step-start")
      .map((part) => (part === failed ? { ...failed, errorText: "Error: Out of order" } : part));
    expect((await open().appendAnswer(messages)).parts).toEqual(expected);
    expect((await open().appendAnswer({ messages })).parts).toEqual(expected);
  });

  test("a message of the AI SDK keeps its id, parts and metadata", async () => {
    const message: UIMessage = {
      id: "m1",
      role: "assistant",
      metadata: { own: 1 },
      parts: [{ type: "text", text: "Sunny.", state: "done" }],
    };
    const stored = await open().appendAnswer(message, { metadata: { rated: true } });
    expect(stored).toMatchObject({ ...message, metadata: { own: 1, rated: true } });
  });

  test("a repeated result or id changes nothing, and another answer under the id is refused", async () => {
    const session = open();
    const result = await generate();
    const first = await session.appendAnswer(result);
    expect(await session.appendAnswer(result)).toEqual(first);
    const named = await session.appendAnswer(result, { id: "a1", parentId: null });
    expect(await session.appendAnswer(result, { id: "a1" })).toEqual(named);
    expect(await session.tree.getRoots()).toHaveLength(2);
    const other = session.appendAnswer([{ role: "assistant", content: "No." }], { id: "a1" });
    await expect(other).rejects.toThrow(MessageConflictError);
    const text: Answer = [{ role: "assistant", content: "Yes." }];
    expect(await session.appendAnswer(text)).toEqual(await session.appendAnswer(text));
  });

  test("anything that is no answer is refused, and nothing is stored", async () => {
    const session = open();
    const odd = [null, 42, "Sunny.", {}, [], [42], [{ role: "user", content: "Hi" }], user("q1")];
    for (const answer of odd) {
      const appended = session.appendAnswer(answer as unknown as Answer);
      await expect(appended).rejects.toThrow(InvalidArgumentError);
    }
    expect(await session.getHistory()).toEqual([]);
  });
});

function callingModel(): LanguageModel {
  const text = { type: "text", text: "It is sunny." } as const;
  const finish = (unified: "tool-calls" | "stop") => ({ unified, raw: unified });
  const stream = (last: "tool-calls" | "stop", parts: readonly object[]) => ({
    stream: simulateReadableStream({
      chunks: [
        { type: "stream-start", warnings: [] },
        { type: "response-metadata", modelId: "m" },
        ...parts,
        { type: "finish", finishReason: finish(last), usage },
      ] as never[],
    }),
  });
  const streamed = (type: "text" | "reasoning", delta: string) => [
    { type: `${type}-start`, id: "1" },
    { type: `${type}-delta`, id: "1", delta },
    { type: `${type}-end`, id: "1" },
  ];
  const response = { modelId: "m" };
  return new MockLanguageModelV4({
    doGenerate: [
      { content: [...calls], finishReason: finish("tool-calls"), usage, response, warnings: [] },
      { content: [text], finishReason: finish("stop"), usage, response, warnings: [] },
    ],
    doStream: [
      stream("tool-calls", [...streamed("reasoning", "Let me look."), ...calls.slice(1)]),
      stream("stop", streamed("text", text.text)),
    ],
  });
}

import { setImmediate as nextTurn } from "node:timers/promises";
import { convertToModelMessages, tool, type UIMessage, type UIMessageChunk } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import fc from "fast-check";
import type { SessionMessagePart } from "grove-session";
import { expect, test } from "vitest";
import { z } from "zod";
import { answerParts } from "./answer-message";
import { convertedMessages, type ModelOutcome, streamModel } from "./model-stream";

type Part =
  Extract<
    Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"],
    ReadableStream
  > extends ReadableStream<infer Each>
    ? Each
    : never;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Sends the parts of each step, those of one list within one turn of the event loop. */
function modelOf(steps: readonly (readonly (readonly Part[])[])[]) {
  let calls = 0;
  return new MockLanguageModelV4({
    doStream: async () => {
      const turns = steps[calls++] ?? [];
      return {
        stream: new ReadableStream<Part>({
          async start(controller) {
            for (const parts of turns) {
              for (const part of parts) controller.enqueue(part);
              for (let turn = 0; turn < 3; turn++) await nextTurn();
            }
            controller.close();
          },
        }),
      };
    },
  });
}

async function write(
  model: MockLanguageModelV4,
  { isDirect = true, signal = new AbortController().signal } = {},
) {
  const all: UIMessageChunk[] = [];
  let direct = 0;
  const showText = (chunk: UIMessageChunk) => {
    direct++;
    all.push(chunk);
  };
  const outcome: ModelOutcome = {
    finishReason: null,
    usage: undefined,
    firstInputTokens: undefined,
    error: null,
    aborted: false,
    limit: null,
  };
  const call = {
    model,
    instructions: "",
    messages: [
      {
        id: "q",
        role: "user" as const,
        parts: [{ type: "text", text: "Go" }],
        createdAt: new Date(),
      },
    ],
    tools: { look: tool({ inputSchema: z.object({}), execute: async () => "seen" }) },
    signal,
    variation: 0,
    limits: { maxSteps: 3, maxToolCalls: 9, maxCharacters: 1_000 },
    ...(isDirect && { showText }),
  };
  for await (const chunk of streamModel(call, outcome)) all.push(chunk);
  return { parts: await answerParts(all), outcome, direct, all };
}

const finish = (unified: "stop" | "tool-calls"): Part => ({
  type: "finish",
  finishReason: { unified, raw: unified },
  usage,
});
const call: Part = { type: "tool-call", toolCallId: "c1", toolName: "look", input: "{}" };

const kinds = ["text", "reasoning"] as const;
const writing = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant("delta" as const), fc.string({ maxLength: 4 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("signed" as const), fc.constantFrom("", "s")) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("source" as const), fc.constant("")) },
);
const texts = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    id: fc.constantFrom("0", "1"),
    writings: fc.array(writing, { maxLength: 8 }),
  }),
  { maxLength: 3 },
);

function partsOf({
  kind,
  id,
  writings,
}: {
  kind: (typeof kinds)[number];
  id: string;
  writings: readonly (readonly [string, string])[];
}): Part[] {
  const inner = writings.map(([type, delta], n): Part => {
    if (type === "source")
      return { type: "source", sourceType: "url", id: `s${n}`, url: "http://a" };
    const signed = type === "signed" && { providerMetadata: { test: { n } } };
    return { type: `${kind}-delta`, id, delta, ...signed };
  });
  return [{ type: `${kind}-start`, id }, ...inner, { type: `${kind}-end`, id }];
}

/** Repeated ids are replaced by random ones. */
const withoutId = ({ id: _, ...part }: SessionMessagePart) => part;

/** In turns of the event loop as `cuts` say. */
function inTurns(parts: readonly Part[], cuts: readonly number[]): Part[][] {
  const turns: Part[][] = [[]];
  for (const [n, part] of parts.entries()) {
    turns.at(-1)?.push(part);
    if (cuts[n % Math.max(1, cuts.length)] === 0) turns.push([]);
  }
  return turns;
}

test("Text shown directly makes the same message, and the same prompt of the next step", {
  tags: "long",
}, async () => {
  const cuts = fc.array(fc.nat(2), { minLength: 1, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(texts, texts, cuts, async (first, second, cut) => {
      const steps = [
        inTurns([...first.flatMap(partsOf), call, finish("tool-calls")], cut),
        inTurns([...second.flatMap(partsOf), finish("stop")], cut),
      ];
      const [slow, quick] = [modelOf(steps), modelOf(steps)];
      const expected = await write(slow, { isDirect: false });
      const { parts, outcome } = await write(quick);
      expect(outcome).toEqual(expected.outcome);
      expect(parts.map(withoutId)).toEqual(expected.parts.map(withoutId));
      expect(quick.doStreamCalls.map(({ prompt }) => prompt)).toEqual(
        slow.doStreamCalls.map(({ prompt }) => prompt),
      );
    }),
    { numRuns: 60 },
  );
});

test("A call with a wrong input says so in plain words, to the person and the model", async () => {
  const wrong: Part = { ...call, input: "[]" };
  const model = modelOf([[[wrong, finish("tool-calls")]], [[finish("stop")]]]);
  const { parts } = await write(model);
  const sentence = "look was not called: its input must be an object.";
  expect(parts).toContainEqual(
    expect.objectContaining({ state: "output-error", errorText: sentence }),
  );
  expect(JSON.stringify(model.doStreamCalls[1]?.prompt)).toContain(`"${sentence}"`);
});

const words = (count: number): Part[][] =>
  Array.from({ length: count }, (_, n) => [{ type: "text-delta", id: "0", delta: `w${n} ` }]);

test("Text that comes word by word is shown directly, each word at once", async () => {
  const start: Part = { type: "text-start", id: "0" };
  const { all, direct, parts } = await write(
    modelOf([[[start], ...words(20), [{ type: "text-end", id: "0" }, finish("stop")]]]),
  );
  expect(direct).toBeGreaterThan(15);
  expect(all.filter(({ type }) => type === "text-delta")).toHaveLength(20);
  expect(parts.at(-1)).toMatchObject({
    text: words(20)
      .flat()
      .map((part) => "delta" in part && part.delta)
      .join(""),
  });
});

test("Nothing is shown after the end of an answer that was stopped", async () => {
  const stop = new AbortController();
  const start: Part = { type: "text-start", id: "0" };
  const written = write(modelOf([[[start], ...words(200), [finish("stop")]]]), {
    signal: stop.signal,
  });
  for (let turn = 0; turn < 90; turn++) await nextTurn();
  stop.abort();
  const { all, outcome } = await written;
  const { length } = all;
  for (let turn = 0; turn < 90; turn++) await nextTurn();
  expect(outcome.aborted).toBe(true);
  expect(length).toBeGreaterThan(10);
  expect(all).toHaveLength(length);
});

const text = { type: "text", text: "Words" };
const weather = { type: "tool-weather", toolCallId: "c", input: {} };
const anyPart = fc.constantFrom<SessionMessagePart>(
  text,
  text,
  { ...text, providerMetadata: { some: { id: "1" } } },
  { type: "reasoning", text: "Hm" },
  { type: "step-start" },
  { type: "file", mediaType: "image/png", url: "data:image/png;base64,AA==" },
  { ...weather, state: "output-available", output: "Rain" },
  { ...weather, state: "input-available" },
  { ...weather, state: "approval-requested", approval: { id: "a" } },
  { ...weather, state: "approval-responded", approval: { id: "a", approved: true } },
);
const anyMessage = fc.record({
  id: fc.constant("m"),
  role: fc.constantFrom("user" as const, "assistant" as const),
  parts: fc.array(anyPart, { maxLength: 3 }),
});

test("converts any history as the AI SDK does", async () => {
  const histories = fc.array(anyMessage, { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(histories, async (messages) => {
      const options = { tools: {}, ignoreIncompleteToolCalls: true };
      const expected = await convertToModelMessages(messages as unknown as UIMessage[], options);
      expect(await convertedMessages(messages, {})).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

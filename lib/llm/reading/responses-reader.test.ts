import { describe, expect, test } from "vitest";
import { readStreamed } from "@/lib/llm/testing/streamed-answer";

const event = (type: string, data: object = {}) => `data: ${JSON.stringify({ type, ...data })}\n\n`;
const begin = event("response.created", { response: { id: "r", created_at: 1, model: "m" } });
const message = { type: "message", id: "t", role: "assistant", content: [] };
const added = (item: object, output_index: unknown = 0) =>
  event("response.output_item.added", { output_index, item });
const ended = (item: object, output_index: unknown = 0) =>
  event("response.output_item.done", { output_index, item });
const say = (delta: unknown, at: object = { item_id: "t", output_index: 0 }) =>
  event("response.output_text.delta", { ...at, delta });
const hello = added(message) + say("Hello") + ended(message);
const over = (response: object = { usage: { input_tokens: 3, output_tokens: 5 } }) =>
  event("response.completed", { response });

const complete = { text: "Hello", thought: "", calls: [], finish: "stop", problem: null };
const whole = { ...message, content: [{ type: "output_text", text: "Hello" }] };

describe("an answer of the Responses interface", () => {
  const odd: [string, string][] = [
    ["an unknown event", event("response.novelty", { novelty: [1] })],
    ["an unknown item", added({ type: "novel_call", id: 4 }, 7) + ended({ type: "novel_call" }, 7)],
    ["an item that is null", event("response.output_item.added", { output_index: 5, item: null })],
    [
      "a start of another shape",
      event("response.created", { response: { id: 4, created_at: "now" } }),
    ],
    ["a delta that is null", say(null)],
    [
      "an annotation of another shape",
      event("response.output_text.annotation.added", { annotation: { type: "novel" } }),
    ],
    ["a ping", event("ping")],
    [
      "arguments of no call",
      event("response.function_call_arguments.delta", {
        item_id: "x",
        output_index: 3,
        delta: "{",
      }),
    ],
    [
      "a summary of no thought",
      event("response.reasoning_summary_part.added", { item_id: "x", summary_index: 1 }),
    ],
    [
      "the end of a thought that never started",
      ended({ type: "reasoning", id: "x", summary: [] }, 6),
    ],
    ["an empty event", "data:\n\n"],
    ["a line that is no JSON", "data: {oops\n\n"],
    ["an error that is null", event("response.novelty", { error: null })],
  ];

  test.each(odd)("is complete with %s in it", async (_, chunk) => {
    const body = chunk + begin + chunk + hello + chunk + over() + chunk;
    expect(await readStreamed("responses", body)).toMatchObject(complete);
  });

  const words: [string, string][] = [
    ["in a delta whose item never started", say("Hello")],
    ["in a delta without an id", say("Hello", {})],
    ["in an item that does not end", added(message) + say("Hello")],
    ["in an item that ends twice", hello + ended(message)],
    ["after the end of their item", added(message) + say("Hel") + ended(message) + say("lo")],
    [
      "under changing ids",
      added(message) +
        say("Hel", { item_id: "u", output_index: 0 }) +
        say("lo", { item_id: "v", output_index: 0 }),
    ],
    [
      "in the end of their text",
      added(message) + event("response.output_text.done", { item_id: "t", text: "Hello" }),
    ],
    [
      "in part in the end of their text",
      added(message) +
        say("Hel") +
        event("response.output_text.done", { item_id: "t", text: "Hello" }),
    ],
    ["in the end of their item", added(message) + ended(whole)],
    ["in the end of an item that never started", ended(whole)],
    ["in the end of the answer", over({ output: [whole] })],
    [
      "again in the end of the answer",
      added(message) + say("Hello") + ended(whole) + over({ output: [whole] }),
    ],
  ];

  test.each(words)("keeps words that come %s", async (_, chunk) => {
    expect(await readStreamed("responses", begin + chunk + over())).toMatchObject(complete);
  });

  const ends: [string, string][] = [
    ["an end as of chat completions", "data: [DONE]\n\n"],
    ["an end of another name", event("response.done", { response: {} })],
    ["an end without an answer", event("response.completed")],
    [
      "an unknown reason",
      event("response.incomplete", { response: { incomplete_details: { reason: "eos" } } }),
    ],
    ["usage of another shape", over({ usage: { input_tokens: "many", output_tokens: null } })],
  ];

  test.each(ends)("is complete with %s", async (_, end) => {
    expect(await readStreamed("responses", begin + hello + end)).toMatchObject(complete);
  });

  const incomplete = (reason: string) =>
    event("response.incomplete", { response: { incomplete_details: { reason } } });
  const limits: [string, string][] = [
    ["max_output_tokens", "length limit"],
    ["max_tokens", "length limit"],
    ["content_filter", "content filter"],
  ];

  test.each(limits)("is not complete with the reason %s", async (reason, said) => {
    const { text, problem } = await readStreamed("responses", begin + hello + incomplete(reason));
    expect(text).toBe("Hello");
    expect(problem).toContain(said);
  });

  test("is cut when the body closes without an end", async () => {
    const { text, problem } = await readStreamed("responses", begin + hello);
    expect(text).toBe("Hello");
    expect(problem).toContain("stopped before");
  });

  const thoughts: [string, string][] = [
    [
      "as a summary without its item",
      event("response.reasoning_summary_text.delta", {
        item_id: "s",
        summary_index: 0,
        delta: "Hm.",
      }),
    ],
    [
      "as text of an open model",
      event("response.reasoning_text.delta", { item_id: "s", delta: "Hm." }),
    ],
    [
      "in the end of their item",
      ended({ type: "reasoning", id: "s", summary: [{ type: "summary_text", text: "Hm." }] }, 1),
    ],
  ];

  test.each(thoughts)("keeps thoughts that come %s", async (_, chunk) => {
    const read = await readStreamed(
      "responses",
      begin + chunk + say("Hello", { item_id: "t", output_index: 2 }) + over(),
    );
    expect(read).toMatchObject({ ...complete, thought: "Hm." });
  });

  const call = { type: "function_call", id: "f", call_id: "c", name: "look_up" };
  const argued = event("response.function_call_arguments.delta", {
    item_id: "f",
    output_index: 0,
    delta: '{"a":1}',
  });
  const calls: [string, string][] = [
    [
      "that ends",
      added({ ...call, arguments: "" }) +
        argued +
        ended({ ...call, arguments: '{"a":1}', status: "completed" }),
    ],
    ["that does not end", added({ ...call, arguments: "" }) + argued],
    ["that never started", ended({ ...call, arguments: '{"a":1}' })],
    ["that ends twice", ended({ ...call, arguments: '{"a":1}' }).repeat(2)],
    ["whose input is an object", ended({ ...call, arguments: { a: 1 } })],
    [
      "without an id of its item",
      ended({ type: "function_call", call_id: 7, name: "look_up", arguments: '{"a":1}' }),
    ],
    ["in the end of the answer", over({ output: [{ ...call, arguments: '{"a":1}' }] })],
  ];

  test.each(calls)("makes a call %s", async (_, chunk) => {
    const read = await readStreamed("responses", begin + chunk + over());
    expect(read).toMatchObject({
      calls: [{ name: "look_up", input: { a: 1 } }],
      finish: "tool-calls",
      problem: null,
    });
  });

  test("reports usage in whole numbers only", async () => {
    const usage = (given: object) =>
      readStreamed("responses", begin + hello + over({ usage: given }));
    expect((await usage({ input_tokens: 3, output_tokens: "5" })).usage).toEqual([3, 5]);
    expect((await usage({ input_tokens: 3.5, output_tokens: 5 })).usage).toEqual([undefined, 5]);
  });

  test("is read from one whole JSON", async () => {
    const body = { object: "response", id: "r", status: "completed", output: [whole], error: null };
    expect(await readStreamed("responses", JSON.stringify(body))).toMatchObject(complete);
  });

  const refusals: [string, string][] = [
    ["an error event", event("error", { message: "No such model here." })],
    [
      "an error in an event",
      event("error", { error: { type: "x", message: "No such model here." } }),
    ],
    ["an error as text", 'data: {"error":"No such model here."}\n\n'],
    [
      "a failed answer",
      event("response.failed", {
        response: { error: { code: "invalid_prompt", message: "No such model here." } },
      }),
    ],
  ];

  test.each(refusals)("says the provider's words of %s", async (_, chunk) => {
    for (const body of [chunk, begin + chunk, begin + hello + chunk]) {
      const { problem } = await readStreamed("responses", body);
      expect(problem).toContain("No such model here.");
      expect(problem).not.toContain("in a moment");
    }
  });

  test("names a server that answers in chat completions", async () => {
    const body = 'data: {"choices":[{"delta":{"content":"Hello"}}]}\n\ndata: [DONE]\n\n';
    const { problem } = await readStreamed("responses", body);
    expect(problem).toContain("answers in the format of chat completions");
  });

  const stray = 'data: {"choices":[{"delta":{"role":"model"}}]}\n\n';

  test.each([
    ["after its start", `${begin}${stray}data: [DONE]\n\n`],
    ["before its start", `${stray}${begin}data: [DONE]\n\n`],
    ["alone", `${stray}data: [DONE]\n\n`],
    ["with words", `${begin}data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n${over()}`],
  ])("does not take a chunk of chat completions %s for another format", async (_, body) => {
    const { problem } = await readStreamed("responses", body);
    expect(problem).toContain("empty answer");
  });
});

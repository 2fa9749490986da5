import { describe, expect, test } from "vitest";
import { readStreamed } from "@/lib/llm/testing/streamed-answer";

const event = (data: { type: string; [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const begin = event({
  type: "message_start",
  message: { id: "m", role: "assistant", model: "m", content: [], usage: { input_tokens: 3 } },
});
const start = (index: unknown, content_block: object) =>
  event({ type: "content_block_start", index, content_block });
const change = (index: unknown, delta: object) =>
  event({ type: "content_block_delta", index, delta });
const say = (text: string, index: unknown = 0) => change(index, { type: "text_delta", text });
const stop = (index: unknown = 0) => event({ type: "content_block_stop", index });
const hello = start(0, { type: "text", text: "" }) + say("Hello") + stop();
const reason = (stop_reason: unknown, usage: object = { output_tokens: 5 }) =>
  event({ type: "message_delta", delta: { stop_reason }, usage });
const over = event({ type: "message_stop" });
const end = reason("end_turn") + over;

const complete = { text: "Hello", thought: "", calls: [], finish: "stop", problem: null };

describe("an answer in Anthropic's protocol", () => {
  const odd: [string, string][] = [
    ["an unknown event", event({ type: "novelty" })],
    ["an unknown block", start(9, { type: "novel_block", id: 4 })],
    ["an unknown block with an end", start(9, { type: "novel_block" }) + stop(9)],
    ["an unknown delta", change(0, { type: "novel_delta", value: 1 })],
    ["the end of a block that never started", stop(8)],
    ["a ping in an event", event({ type: "ping" })],
    ["an empty event", "data:\n\n"],
    ["a line that is no JSON", "data: {oops\n\n"],
    ["the start of the message again", begin],
    ["the start of another message", begin.replace('"m"', '"n"')],
    ["a delta that is null", event({ type: "content_block_delta", index: 0, delta: null })],
    ["comments", ": still here\n\n"],
  ];

  test.each(odd)("is complete with %s in it", async (_, chunk) => {
    const body = chunk + begin + chunk + hello + chunk + end + chunk;
    expect(await readStreamed("anthropic", body)).toMatchObject(complete);
  });

  const words: [string, string][] = [
    ["in a delta whose block never started", begin + say("Hello") + end],
    ["without the start of the message", hello + end],
    ["in the start of their block", begin + start(0, { type: "text", text: "Hello" }) + end],
    [
      "in two blocks with one index",
      begin +
        start(0, { type: "text", text: "Hel" }) +
        stop() +
        start(0, { type: "text", text: "lo" }) +
        end,
    ],
    ["in a block that starts twice", begin + start(0, { type: "text", text: "" }) + hello + end],
    [
      "in a block that does not end",
      begin + start(0, { type: "text", text: "" }) + say("Hello") + end,
    ],
    [
      "in a block whose index is text",
      begin + start("0", { type: "text", text: "" }) + say("Hello", "0") + end,
    ],
    [
      "in deltas without an index",
      begin + start(0, { type: "text" }) + say("Hel", undefined) + say("lo", null) + end,
    ],
    ["after the end", begin + end + say("Hello")],
    [
      "without types in the events",
      (begin + hello + end).replaceAll(/"type":"(?:message|content)_\w+",/g, ""),
    ],
  ];

  test.each(words)("keeps words that come %s", async (_, body) => {
    expect(await readStreamed("anthropic", body)).toMatchObject(complete);
  });

  const ends: [string, string][] = [
    ["a reason alone", reason("end_turn")],
    ["a stop alone", over],
    ["an end as of chat completions", "data: [DONE]\n\n"],
    ["an unknown reason", reason("eos") + over],
    ["usage of another shape", reason("stop", { output_tokens: "many" }) + over],
    ["no usage", event({ type: "message_delta", delta: { stop_reason: "stop" } }) + over],
  ];

  test.each(ends)("is complete with %s", async (_, last) => {
    expect(await readStreamed("anthropic", begin + hello + last)).toMatchObject(complete);
  });

  test("is cut when the body closes without an end", async () => {
    const { text, problem } = await readStreamed("anthropic", begin + hello);
    expect(text).toBe("Hello");
    expect(problem).toContain("stopped before the answer was complete");
  });

  test("is not complete at its limit of length", async () => {
    const { problem } = await readStreamed(
      "anthropic",
      begin + hello + reason("max_tokens") + over,
    );
    expect(problem).toContain("length limit");
  });

  test("keeps thoughts that come without their block", async () => {
    const body =
      begin + change(0, { type: "thinking_delta", thinking: "Hm." }) + say("Hello", 1) + end;
    expect(await readStreamed("anthropic", body)).toMatchObject({ ...complete, thought: "Hm." });
  });

  const input = (partial_json: string, index = 1) =>
    change(index, { type: "input_json_delta", partial_json });
  const called = start(1, { type: "tool_use", id: "t", name: "look_up", input: {} });
  const calls: [string, string][] = [
    ["that ends", called + input('{"a":1}') + stop(1)],
    ["that does not end", called + input('{"a"') + input(":1}")],
    [
      "whose input comes at its start",
      start(1, { type: "tool_use", id: "t", name: "look_up", input: { a: 1 } }) + stop(1),
    ],
    [
      "with a numeric id",
      start(1, { type: "tool_use", id: 4, name: "look_up" }) + input('{"a":1}'),
    ],
    ["that starts twice", called + called + input('{"a":1}') + stop(1)],
  ];

  test.each(calls)("makes a call %s", async (_, body) => {
    const read = await readStreamed("anthropic", begin + body + over);
    expect(read).toMatchObject({
      calls: [{ name: "look_up", input: { a: 1 } }],
      finish: "tool-calls",
      problem: null,
    });
  });

  test("makes no call that was cut off", async () => {
    const read = await readStreamed("anthropic", begin + called + input('{"a"'));
    expect(read.calls).toEqual([]);
    expect(read.problem).not.toBeNull();
  });

  test("reports usage in whole numbers only", async () => {
    const bad = begin.replace('"input_tokens":3', '"input_tokens":3.5');
    expect((await readStreamed("anthropic", begin + hello + end)).usage).toEqual([3, 5]);
    expect((await readStreamed("anthropic", bad + hello + end)).usage).toEqual([undefined, 5]);
    const huge = reason("end_turn", { output_tokens: 1e30 });
    expect((await readStreamed("anthropic", begin + hello + huge)).usage).toEqual([3, undefined]);
  });

  test("is read from one whole JSON", async () => {
    const body = JSON.stringify({
      type: "message",
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "text", text: "Hello" },
        { type: "tool_use", id: "t", name: "look_up", input: { a: 1 } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 1, output_tokens: 2 },
    });
    expect(await readStreamed("anthropic", body)).toMatchObject({
      text: "Hello",
      thought: "Hm.",
      calls: [{ name: "look_up", input: { a: 1 } }],
      problem: null,
    });
  });

  const refusals: [string, string][] = [
    [
      "as its first event",
      event({
        type: "error",
        error: { type: "invalid_request_error", message: "No such model here." },
      }),
    ],
    ["as text", event({ type: "error", error: "No such model here." })],
    ["after words", begin + hello + event({ type: "error", message: "No such model here." })],
    ["in the name of an event", `${begin}event: error\ndata: No such model here.\n\n`],
  ];

  test.each(refusals)("says the provider's words of an error %s", async (_, body) => {
    const { problem } = await readStreamed("anthropic", body);
    expect(problem).toContain("No such model here.");
    expect(problem).not.toContain("in a moment");
  });
});

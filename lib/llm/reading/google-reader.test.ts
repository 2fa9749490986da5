import { describe, expect, test } from "vitest";
import { readStreamed } from "@/lib/llm/testing/streamed-answer";

const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const parts = (list: unknown, more: object = {}) =>
  event({ candidates: [{ content: { role: "model", parts: list }, ...more }] });
const hello = parts([{ text: "Hello" }]);
const finish = (finishReason: unknown) => event({ candidates: [{ finishReason }] });
const stop = finish("STOP");

const complete = { text: "Hello", thought: "", calls: [], finish: "stop", problem: null };

describe("an answer in Google's protocol", () => {
  const odd: [string, string][] = [
    ["an unknown event", event({ novelty: [1] })],
    ["candidates that are null", event({ candidates: null })],
    ["a candidate that is null", event({ candidates: [null] })],
    ["content that is null", event({ candidates: [{ content: null }] })],
    ["an unknown part", parts([{ novelty: { a: 1 } }, 4, null])],
    ["a part whose text is null", parts([{ text: null }])],
    ["code of another shape", parts([{ executableCode: "print()" }])],
    ["sources of another shape", parts([], { groundingMetadata: { groundingChunks: "none" } })],
    ["an unspecified reason", finish("FINISH_REASON_UNSPECIFIED")],
    ["usage of another shape", event({ usageMetadata: { promptTokenCount: "many" } })],
    ["an error that is null", event({ error: null })],
    ["an empty event", "data:\n\n"],
    ["a line that is no JSON", "data: {oops\n\n"],
  ];

  test.each(odd)("is complete with %s in it", async (_, chunk) => {
    const body = chunk + hello + chunk + stop + chunk;
    expect(await readStreamed("google", body)).toMatchObject(complete);
  });

  const words: [string, string][] = [
    ["in a part that is no list", parts({ text: "Hello" })],
    ["in a part that is text", parts(["Hello"])],
    ["in content that is text", event({ candidates: [{ content: "Hello" }] })],
    [
      "with a signature of another shape",
      parts([{ text: "Hello", thoughtSignature: 4, thought: "no" }]),
    ],
    [
      "with sources of another shape",
      parts([{ text: "Hello" }], { groundingMetadata: { groundingChunks: 1 } }),
    ],
    ["with safety of another shape", parts([{ text: "Hello" }], { safetyRatings: "fine" })],
    [
      "in an event that was cut off",
      'data: {"candidates":[{"content":{"parts":[{"text":"Hello\n\n',
    ],
  ];

  test.each(words)("keeps words that come %s", async (_, chunk) => {
    expect(await readStreamed("google", chunk + stop)).toMatchObject(complete);
  });

  test.each(["EOS", "stop", "OTHER", 1])("is complete with the reason %s", async (reason) => {
    expect(await readStreamed("google", hello + finish(reason))).toMatchObject(complete);
  });

  test("is read with the names of fields as Python writes them", async () => {
    const call = { function_call: { name: "look_up", args: { a: 1 } } };
    const body = `data: ${JSON.stringify({ candidates: [{ content: { parts: [call] }, finish_reason: "STOP" }] })}\n\n`;
    expect(await readStreamed("google", body)).toMatchObject({
      calls: [{ name: "look_up", input: { a: 1 } }],
      finish: "tool-calls",
      problem: null,
    });
  });

  test("is complete with an end as of chat completions", async () => {
    expect(await readStreamed("google", `${hello}data: [DONE]\n\n`)).toMatchObject(complete);
  });

  test("keeps words after its end", async () => {
    const body = parts([{ text: "Hel" }]) + stop + parts([{ text: "lo" }]);
    expect(await readStreamed("google", body)).toMatchObject(complete);
  });

  const limits: [string, string][] = [
    ["MAX_TOKENS", "length limit"],
    ["SAFETY", "content filter"],
    ["MALFORMED_FUNCTION_CALL", "stopped before"],
    ["UNEXPECTED_TOOL_CALL", "stopped before"],
  ];

  test.each(limits)("is not complete with the reason %s", async (reason, said) => {
    const { text, problem } = await readStreamed("google", hello + finish(reason));
    expect(text).toBe("Hello");
    expect(problem).toContain(said);
  });

  test("is cut when the body closes without an end", async () => {
    const { text, problem } = await readStreamed("google", hello);
    expect(text).toBe("Hello");
    expect(problem).toContain("stopped before");
  });

  const calls: [string, unknown][] = [
    ["with a numeric id", { id: 7, name: "look_up", args: { a: 1 } }],
    ["with its input as JSON", { name: "look_up", args: '{"a":1}' }],
  ];

  test.each(calls)("makes a call %s", async (_, functionCall) => {
    expect(await readStreamed("google", parts([{ functionCall }]) + finish("eos"))).toMatchObject({
      calls: [{ name: "look_up", input: { a: 1 } }],
      finish: "tool-calls",
      problem: null,
    });
  });

  test("keeps pictures of either spelling", async () => {
    const body = parts([
      { inlineData: { mimeType: "image/png", data: "AAAA" } },
      { inline_data: { mime_type: "image/webp", data: "BBBB" } },
    ]);
    expect((await readStreamed("google", body + stop)).files).toEqual([
      "image/png AAAA",
      "image/webp BBBB",
    ]);
  });

  test("reports usage in whole numbers only", async () => {
    const usage = (usageMetadata: object) =>
      readStreamed("google", hello + stop + event({ usageMetadata }));
    expect((await usage({ promptTokenCount: 3, candidatesTokenCount: "5" })).usage).toEqual([3, 5]);
    expect((await usage({ promptTokenCount: 3.5, candidatesTokenCount: 5 })).usage).toEqual([
      undefined,
      5,
    ]);
  });

  test("is read from a list of events", async () => {
    const list = [
      { candidates: [{ content: { parts: [{ text: "Hel" }] } }] },
      { candidates: [{ content: { parts: [{ text: "lo" }] }, finishReason: "STOP" }] },
    ];
    expect(await readStreamed("google", JSON.stringify(list, null, 1))).toMatchObject(complete);
  });

  test.each([
    ["as text", { error: "No such model here." }],
    ["without a status", { error: { message: "No such model here." } }],
    ["with a code as text", { error: { code: "400", message: "No such model here.", status: 3 } }],
  ])("says the provider's words of an error %s", async (_, error) => {
    for (const body of [event(error), hello + event(error), JSON.stringify([error])]) {
      const { problem } = await readStreamed("google", body);
      expect(problem).toContain("No such model here.");
      expect(problem).not.toContain("in a moment");
    }
  });
});

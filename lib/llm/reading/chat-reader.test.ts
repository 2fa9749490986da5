import { describe, expect, test } from "vitest";
import { type ReadAnswer, readStreamed } from "@/lib/llm/testing/streamed-answer";

const event = (data: unknown) =>
  `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
const delta = (fields: object, finish_reason: unknown = null) =>
  event({ id: "c", created: 1, model: "m", choices: [{ index: 0, delta: fields, finish_reason }] });
const hello = delta({ content: "Hello" });
const stop = delta({}, "stop");
const done = event("[DONE]");

const complete = {
  text: "Hello",
  thought: "",
  calls: [],
  files: [],
  finish: "stop",
  problem: null,
} satisfies Partial<ReadAnswer>;

const protocols = ["chat", "compatible"] as const;

describe.each(protocols)("an answer of chat completions, read by the %s package", (protocol) => {
  const odd: [string, string][] = [
    ["usage without choices", event({ usage: { prompt_tokens: 1, completion_tokens: 1 } })],
    ["choices that are null", event({ id: "c", choices: null })],
    ["a numeric id", event({ id: 7, created: "now", model: 3, choices: [] })],
    ["the role model", delta({ role: "model", content: "" })],
    ["an empty event", "data:\n\ndata: \n\n"],
    ["a ping in JSON", event({ type: "ping" })],
    ["a bare number", event("17")],
    ["a list", event("[1, 2]")],
    ["a text", event('"still here"')],
    ["null", event("null")],
    ["an error that is null", event({ error: null, choices: [] })],
    ["a line that is no JSON", event("{oops")],
    ["content that is null", delta({ content: null, reasoning_content: null, tool_calls: null })],
    ["a delta that is null", event({ choices: [{ index: "0", delta: null }] })],
    ["log probabilities of another shape", event({ choices: [{ delta: {}, logprobs: [1] }] })],
    ["annotations of another shape", delta({ annotations: [{ type: "novel" }, 4] })],
    ["an event that has a name", `event: keepalive\nid: 4\nretry: soon\n${event("{}")}`],
    ["comments", ": OPENROUTER PROCESSING\n\n"],
  ];

  test.each(odd)("is complete with %s in it", async (_, chunk) => {
    const body = chunk + hello + chunk + stop + chunk + done + chunk;
    expect(await readStreamed(protocol, body)).toMatchObject(complete);
  });

  const words: [string, string][] = [
    ["without spaces after the name of the field", hello.replace("data: ", "data:")],
    ["with carriage returns", hello.replaceAll("\n", "\r\n")],
    ["with the name of the field twice", `data: ${hello}`],
    ["after a mark of the byte order", `\ufeff${hello}`],
    ["beside a number that is none", hello.replace('"index":0', '"index":0,"logprob":NaN')],
    ["beside a value that is none", hello.replace('"created":1', '"created":null.5')],
    ["in a dictionary of Python", hello.replaceAll('"', "'").replace("null", "None")],
    ["after an event that was cut off", `data: {\n${hello}`],
    ["after one that was cut off later", `data: {"choices":[{"index":0,\n${hello}`],
    ["before another event in one", hello.replace("\n\n", "{}\n\n")],
    [
      "in parts of a list",
      delta({
        content: [
          { type: "text", text: "Hel" },
          { type: "text", text: "lo" },
        ],
      }),
    ],
    ["in an object", delta({ content: { type: "text", text: "Hello" } })],
    ["as a whole message in an event", event({ choices: [{ message: { content: "Hello" } }] })],
    ["as a text of old completions", event({ choices: [{ text: "Hello" }] })],
    ["without an index", event({ choices: [{ delta: { content: "Hello" } }] })],
    [
      "in two events without an empty line between them",
      `${delta({ content: "Hel" }).trimEnd()}\n${delta({ content: "lo" })}`,
    ],
    [
      "in an event that was cut off",
      `${delta({ content: "Hel" })}data: {"choices":[{"delta":{"content":"lo\n\n`,
    ],
  ];

  test.each(words)("keeps words that come %s", async (_, chunk) => {
    expect(await readStreamed(protocol, chunk + stop + done)).toMatchObject(complete);
  });

  const ends: [string, string][] = [
    ["a lower-case end", event("[done]")],
    ["an end without a reason", done],
    ["an end in quotes", event('"[DONE]"')],
    ...["eos", "STOP", "eos_token", "stop_sequence", "end_turn", "COMPLETE", "1"].map(
      (reason): [string, string] => [`the reason ${reason}`, delta({}, reason)],
    ),
    ["no empty line after the last event", stop.trimEnd()],
    ["the end before the last words", `${done}${delta({ content: "" })}`],
  ];

  test.each(ends)("is complete with %s", async (_, end) => {
    expect(await readStreamed(protocol, hello + end)).toMatchObject(complete);
  });

  test("keeps words after its end", async () => {
    const body = delta({ content: "Hel" }) + stop + done + delta({ content: "lo" });
    expect(await readStreamed(protocol, body)).toMatchObject(complete);
  });

  test("is cut when the body closes without an end", async () => {
    const { text, problem } = await readStreamed(protocol, hello);
    expect(text).toBe("Hello");
    expect(problem).toMatch(/Connection lost|stopped before the answer was complete/);
  });

  const limits: [string, string][] = [
    ["length", "length limit"],
    ["max_tokens", "length limit"],
    ["model_length", "length limit"],
    ["content_filter", "content filter"],
    ["SAFETY", "content filter"],
    ["error", "stopped before"],
    ["insufficient_system_resource", "stopped before"],
  ];

  test.each(limits)("is not complete with the reason %s", async (reason, words) => {
    const { text, problem } = await readStreamed(protocol, hello + delta({}, reason) + done);
    expect(text).toBe("Hello");
    expect(problem).toContain(words);
  });

  const call = { id: "c1", type: "function", function: { name: "look_up", arguments: '{"a":1}' } };
  const calls: [string, string][] = [
    ["without an index", delta({ tool_calls: [call] })],
    ["with an index as text", delta({ tool_calls: [{ index: "0", ...call }] })],
    [
      "with arguments as an object",
      delta({
        tool_calls: [{ index: 0, id: 9, function: { name: "look_up", arguments: { a: 1 } } }],
      }),
    ],
    ["of the old kind", delta({ function_call: { name: "look_up", arguments: '{"a":1}' } })],
    [
      "with its name after its arguments",
      delta({ tool_calls: [{ index: 0, id: "c1", function: { arguments: '{"a"' } }] }) +
        delta({ tool_calls: [{ index: 0, function: { name: "look_up", arguments: ":1}" } }] }),
    ],
    [
      "with its name in each event",
      delta({
        tool_calls: [{ index: 0, id: "c1", function: { name: "look_up", arguments: '{"a"' } }],
      }) +
        delta({
          tool_calls: [{ index: 0, id: "c1", function: { name: "look_up", arguments: ":1}" } }],
        }),
    ],
    ["of a type that is null", delta({ tool_calls: [{ ...call, index: 0, type: null }] })],
  ];

  test.each(calls)("makes a call %s", async (_, chunk) => {
    const read = await readStreamed(protocol, chunk + delta({}, "eos"));
    expect(read).toMatchObject({
      calls: [{ name: "look_up", input: { a: 1 } }],
      finish: "tool-calls",
      problem: null,
    });
  });

  test("makes each of two calls at one index", async () => {
    const other = { ...call, id: "c2", function: { name: "look_up", arguments: '{"a":2}' } };
    const body =
      delta({
        tool_calls: [
          { index: 0, ...call },
          { index: 0, ...other },
        ],
      }) + done;
    const { calls: made } = await readStreamed(protocol, body);
    expect(made.map(({ input }) => input)).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test("makes a call without a name as one of an unknown tool", async () => {
    const body = delta({ tool_calls: [{ index: 0, id: "c1", function: { arguments: "{}" } }] });
    const { calls: made, problem } = await readStreamed(protocol, body + done);
    expect(made).toMatchObject([{ name: "unnamed_tool" }]);
    expect(problem).toBeNull();
  });

  const usages: [string, object, (number | undefined)[]][] = [
    ["whole numbers", { prompt_tokens: 11, completion_tokens: 7 }, [11, 7]],
    ["digits", { prompt_tokens: "11", completion_tokens: " 7 " }, [11, 7]],
    ["fractions", { prompt_tokens: 11.5, completion_tokens: 7.25 }, [undefined, undefined]],
    ["one fraction", { prompt_tokens: 11.5, completion_tokens: 7 }, [undefined, 7]],
    ["a number above 2^53", { prompt_tokens: 2 ** 64, completion_tokens: 7 }, [undefined, 7]],
    ["a negative number", { prompt_tokens: -1, completion_tokens: 7 }, [undefined, 7]],
    ["words", { prompt_tokens: "many", completion_tokens: null }, [undefined, undefined]],
    ["nothing", {}, [undefined, undefined]],
    [
      "more cached than sent",
      { prompt_tokens: 1, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 9 } },
      [1, 7],
    ],
  ];

  test.each(usages)("reports usage in %s", async (_, usage, expected) => {
    const { usage: read, text } = await readStreamed(
      protocol,
      hello + stop + event({ usage }) + done,
    );
    expect(text).toBe("Hello");
    expect(read).toEqual(expected);
  });

  test("keeps thoughts of either name, before and between its words", async () => {
    const body =
      delta({ reasoning_content: "Hm." }) +
      delta({ content: "Hel" }) +
      delta({ reasoning: "So." }) +
      delta({ content: "lo" }) +
      stop;
    expect(await readStreamed(protocol, body)).toMatchObject({ ...complete, thought: "Hm.So." });
  });

  test("keeps words after an error", async () => {
    const body = event({ error: "No such model here." }) + hello + stop + done;
    const { text, problem } = await readStreamed(protocol, body);
    expect(text).toBe("Hello");
    expect(problem).toContain("No such model here.");
  });

  test("skips what is nested too deeply to read", async () => {
    const deep =
      event(`{"choices":${"[".repeat(50_000)}`) + event(`${"[".repeat(9_000)}${"]".repeat(9_000)}`);
    expect(await readStreamed(protocol, hello + deep + stop)).toMatchObject(complete);
  });

  test("joins halves of a character and shows what is no character", async () => {
    const body = [
      '{"choices":[{"delta":{"content":"a\\ud83c"}}]}',
      '{"choices":[{"delta":{"content":"\\udf33b\\u0000"}}]}',
      '{"choices":[{"delta":{"content":"c\\ud83d"}}]}',
      "[DONE]",
    ];
    const { text } = await readStreamed(protocol, body.map(event).join(""));
    expect(text).toBe("a🌳b\ufffdc\ufffd");
  });

  test("keeps pictures among its words", async () => {
    const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const body = hello + delta({ images: [picture] }) + delta({ content: " again" }) + stop;
    expect(await readStreamed(protocol, body)).toMatchObject({
      text: "Hello again",
      files: ["image/png AAAA"],
      problem: null,
    });
  });

  test("is complete with a picture alone", async () => {
    const picture = { type: "image_url", image_url: "data:image/webp;base64,BBBB" };
    const read = await readStreamed(protocol, delta({ content: [picture] }) + done);
    expect(read).toMatchObject({ text: "", files: ["image/webp BBBB"], problem: null });
  });

  test("links a picture elsewhere", async () => {
    const images = [{ image_url: { url: "https://pictures.test/a b.png" } }];
    const { text } = await readStreamed(protocol, delta({ images }) + done);
    expect(text.trim()).toBe("[Image](https://pictures.test/a%20b.png)");
  });

  const whole = { id: 3, choices: [{ message: { role: "assistant", content: "Hello" } }] };
  const bodies: [string, string][] = [
    ["one whole JSON", JSON.stringify(whole)],
    ["JSON over several lines", JSON.stringify(whole, null, 2)],
    ["JSON in one event", event(whole) + done],
    [
      "one JSON a line",
      `${hello}${stop}`.replaceAll(/data: |\n\n/g, (mark) => (mark === "\n\n" ? "\n" : "")),
    ],
  ];

  test.each(bodies)("is read from %s", async (_, body) => {
    expect(await readStreamed(protocol, body)).toMatchObject(complete);
  });

  const refusals: [string, string][] = [
    ["an error as text", '{"error":"No such model here."}'],
    ["an error as an object", '{"error":{"message":"No such model here.","code":7}}'],
    ["an object of the kind error", '{"object":"error","message":"No such model here."}'],
    ["a detail", '{"detail":"No such model here."}'],
    ["a list of details", '{"detail":[{"msg":"No such model here."}]}'],
    ["a message and a code", '{"code":1302,"msg":"No such model here."}'],
    ["an error in a list", '[{"error":{"code":400,"message":"No such model here.","status":"X"}}]'],
    ["errors", '{"errors":[{"message":"No such model here."}]}'],
    ["plain text", "No such model here."],
  ];

  test.each(refusals)("says the provider's words of %s with status 400", async (_, body) => {
    const { problem } = await readStreamed(protocol, body, { status: 400 });
    expect(problem).toContain("No such model here.");
    expect(problem).not.toContain("in a moment");
  });

  test.each(refusals)("says the provider's words of %s with status 200", async (_, body) => {
    const { problem } = await readStreamed(protocol, body);
    expect(problem).toContain("No such model here.");
    expect(problem).not.toContain("in a moment");
  });

  test.each(refusals.slice(0, 6))(
    "says the provider's words of %s in the stream",
    async (_, body) => {
      const { text, problem } = await readStreamed(protocol, hello + event(body));
      expect(text).toBe("Hello");
      expect(problem).toContain("No such model here.");
    },
  );

  test("says the status and the title of a page", async () => {
    const page =
      "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body>";
    const { problem } = await readStreamed(protocol, page, {
      status: 502,
      contentType: "text/html",
    });
    expect(problem).toBe(
      "The provider is overloaded or down. Try again in a moment or choose another model. (Status 502: 502 Bad Gateway)",
    );
  });

  test("advises to wait only where that helps", async () => {
    const needs = '{"error":{"message":"tools param requires --jinja flag","code":500}}';
    const { problem } = await readStreamed(protocol, needs, { status: 500 });
    expect(problem).toContain("tools param requires --jinja flag");
    expect(problem).not.toContain("in a moment");
  });
});

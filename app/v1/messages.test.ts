import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, isStepCount, type ModelMessage, streamText, tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { attachedFile } from "@/lib/chat/wire/files";
import { fetchV1, serveV1 } from "./testing/v1-server";

const { keyWith, models, owner } = serveV1();
const echo = "compatible:fake/echo";
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const baseURL = "http://grove.test/v1";

/** The unmodified client of the AI SDK. */
async function claude(scopes: Parameters<typeof keyWith>[0] = {}) {
  const { secret } = await keyWith(scopes);
  return createAnthropic({ baseURL, apiKey: secret, fetch: fetchV1 })(echo);
}

const get_weather = tool({
  description: "The weather of a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `Sun in ${city}`,
});

type Answered = { readonly response: { readonly id?: string } };
const runOf = async ({ response }: Answered) =>
  owner().runs.get(`${response.id?.slice("msg_".length)}`);
async function pathOf(answer: Answered) {
  const run = await runOf(answer);
  return owner()
    .store.messages(run?.sessionId ?? "")
    .getHistory(run?.messageId);
}
const chatsOf = async (...answers: Answered[]) =>
  Promise.all(answers.map(async (each) => (await runOf(each))?.sessionId));

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly type?: string; readonly error?: { type: string; message: string } };
}

/** A request in the words of a program. */
async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const { secret } = await keyWith();
  const given = { "content-type": "application/json", "x-api-key": secret, ...headers };
  return fetchV1(`${baseURL}${path}`, {
    method: "POST",
    headers: given,
    body: JSON.stringify(body),
  });
}

async function sent(path: string, body: object, headers?: Record<string, string>): Promise<Sent> {
  const response = await post(path, body, headers);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const hello = { model: echo, max_tokens: 100, messages: [{ role: "user", content: "Hello" }] };

describe("a message", () => {
  test("is answered whole, with its system prompt and usage", async () => {
    const answer = await generateText({
      model: await claude(),
      instructions: "Be kind.",
      prompt: "Name a tree",
      maxOutputTokens: 77,
    });
    expect(answer).toMatchObject({
      text: "You said: Name a tree",
      finishReason: "stop",
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    expect(models().requests[0]).toMatchObject({
      max_tokens: 77,
      messages: [
        { role: "system", content: "Be kind." },
        { role: "user", content: "Name a tree" },
      ],
    });
  });

  test("is streamed", async () => {
    const { textStream, finishReason } = streamText({ model: await claude(), prompt: "A tree" });
    expect((await Array.fromAsync(textStream)).join("")).toBe("You said: A tree");
    expect(await finishReason).toBe("stop");
  });

  test.each(["whole", "streamed"])(
    "calls tools and takes their results in one chat, %s",
    async (way) => {
      const call = {
        model: await claude(),
        prompt: "Look at Oslo",
        tools: { get_weather },
        stopWhen: isStepCount(3),
      };
      const steps =
        way === "whole" ? (await generateText(call)).steps : await streamText(call).steps;
      const [first, second] = steps;
      expect(first?.toolCalls).toMatchObject([
        { toolName: "get_weather", input: { city: "Oslo" } },
      ]);
      expect(first?.finishReason).toBe("tool-calls");
      expect(second?.text).toBe("It says: Sun in Oslo");
      if (!first || !second) throw new Error("A step is missing.");
      expect((await pathOf(second)).map(({ role }) => role)).toEqual([
        "user",
        "assistant",
        "assistant",
        "assistant",
      ]);
      const [one, other] = await chatsOf(first, second);
      expect(other).toBe(one);
    },
  );

  test("shows its pictures to the model and to the person", async () => {
    const answer = await generateText({
      model: await claude(),
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "file", data: pixel, mediaType: "image/png" },
          ],
        },
      ],
    });
    expect(JSON.stringify(models().requests.at(-1)?.messages)).toContain("iVBORw0KGgo");
    const [question] = await pathOf(answer);
    expect(question?.parts.flatMap((part) => attachedFile(part)?.mediaType ?? [])).toEqual([
      "image/png",
    ]);
  });

  test("thinks aloud where the program asks for it, and not otherwise", {
    tags: "long",
  }, async () => {
    models().thought = "Hm, trees.";
    const model = await claude();
    const thinking = { type: "enabled", budgetTokens: 2_000 } as const;
    const call = { model, prompt: "Name a tree" };
    const answer = await generateText({ ...call, providerOptions: { anthropic: { thinking } } });
    expect(answer.reasoningText).toBe("Hm, trees.");
    expect(answer.text).toBe("You said: Name a tree");
    const streamed = streamText({ ...call, providerOptions: { anthropic: { thinking } } });
    expect(await streamed.reasoningText).toBe("Hm, trees.");
    expect((await generateText(call)).reasoningText).toBeUndefined();
  });

  test("that reached its length says so", async () => {
    models().end = "length";
    const { finishReason } = await generateText({ model: await claude(), prompt: "A tree" });
    expect(finishReason).toBe("length");
  });

  test("may ask for its answer in a schema, and fails for another answer", {
    tags: "long",
  }, async () => {
    const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
    const output_config = { format: { type: "json_schema", schema } };
    models().answer = '{"a":1}';
    const asked = await sent("/messages", { ...hello, output_config });
    expect(asked.body).toMatchObject({ content: [{ type: "text", text: '{"a":1}' }] });
    expect(models().requests[0]).toMatchObject({ response_format: { type: "json_schema" } });
    models().answer = "{}";
    expect(await sent("/messages", { ...hello, output_config })).toMatchObject({ status: 422 });
  });
});

describe("a history that is sent whole", () => {
  test("goes on in one chat, with its thoughts and calls", { tags: "long" }, async () => {
    models().thought = "Hm.";
    const model = await claude();
    const thinking = { type: "enabled", budgetTokens: 2_000 } as const;
    const messages: ModelMessage[] = [{ role: "user", content: "Look at Oslo" }];
    const ask = async () => {
      const answer = await generateText({
        ...{ model, messages, tools: { get_weather }, stopWhen: isStepCount(3) },
        providerOptions: { anthropic: { thinking } },
      });
      messages.push(...answer.responseMessages);
      return answer;
    };
    const first = await ask();
    messages.push({ role: "user", content: [{ type: "text", text: "And Rome?" }] });
    const second = await ask();
    const chats = await chatsOf(...first.steps, ...second.steps);
    expect(chats).toHaveLength(4);
    expect(new Set(chats).size).toBe(1);
    const last = second.steps.at(-1);
    expect(last && (await pathOf(last))).toHaveLength(8);
  });

  test("is known by the session in the user's id, in either form of it", {
    tags: "long",
  }, async () => {
    const session = "0f9c4d4e-6f0a-4a43-9d0f-1d2b8f6b8a11";
    const forms = [
      `user_ab12_account__session_${session}`,
      JSON.stringify({ device_id: "d", account_uuid: "", session_id: session }),
    ];
    for (const form of forms) {
      const id = form.replaceAll(session, crypto.randomUUID());
      const asked = async (content: string, user_id: string) => {
        const messages = [{ role: "user", content }];
        const { body } = await sent(
          "/messages",
          { ...hello, messages, metadata: { user_id } },
          one,
        );
        return { response: body as { id: string } };
      };
      const { secret } = await keyWith();
      const one = { "x-api-key": secret };
      const first = await asked("Fix the tests", id);
      const second = await asked("A summary, and go on", id);
      const third = await asked("Fix the tests", form);
      const chats = await chatsOf(first, second, third);
      expect(chats[1]).toBe(chats[0]);
      expect(chats[2]).not.toBe(chats[0]);
    }
  });

  test("leaves nothing with a key that keeps nothing", async () => {
    const before = (await owner().store.sessions.list()).sessions.length;
    const model = await claude({ keeps: "nothing" });
    const { text } = await generateText({ model, prompt: "Forget it" });
    expect(text).toBe("You said: Forget it");
    expect((await owner().store.sessions.list()).sessions.length).toBe(before);
  });

  test("has failed results and their pictures", async () => {
    const use = { type: "tool_use", id: "toolu_1", name: "look", input: {} };
    const image = { type: "base64", media_type: "image/png", data: pixel };
    const failed = {
      type: "tool_result",
      tool_use_id: "toolu_1",
      is_error: true,
      content: [
        { type: "text", text: "No such file" },
        { type: "image", source: image },
      ],
    };
    const messages = [
      { role: "user", content: "Look" },
      { role: "assistant", content: [use] },
      { role: "user", content: [failed, { type: "text", text: "Try again" }] },
    ];
    const { body } = await sent("/messages", { ...hello, messages });
    expect(body).toMatchObject({ content: [{ text: expect.stringMatching(/Try again$/) }] });
    expect(JSON.stringify(models().requests[0]?.messages)).toContain("No such file");
    const [, , result] = await pathOf({ response: body as { id: string } });
    expect(result?.parts[0]).toMatchObject({ state: "output-error", toolName: "look" });
    expect(result?.parts.flatMap((part) => attachedFile(part)?.mediaType ?? [])).toHaveLength(1);
  });
});

describe("the stream", () => {
  const events = async (response: Response) => {
    const lines = (await response.text()).trim().split("\n\n");
    return lines.map((event) => {
      const [name, data] = event.split("\n");
      const read = JSON.parse(`${data?.slice("data: ".length)}`);
      expect(name).toBe(`event: ${read.type}`);
      return read;
    });
  };

  test("has the events of the documentation, in its order, for what a coding agent sends", async () => {
    models().thought = "Hm.";
    const cached = { cache_control: { type: "ephemeral" } };
    const response = await post(
      "/messages?beta=true",
      {
        ...hello,
        stream: true,
        system: [{ type: "text", text: "Be kind.", ...cached }],
        messages: [{ role: "user", content: [{ type: "text", text: "Oslo", ...cached }] }],
        tools: [
          { name: "get_weather", input_schema: { type: "object" }, ...cached },
          { type: "web_search_20250305", name: "web_search", max_uses: 3 },
        ],
        thinking: { type: "adaptive" },
        context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
        metadata: { user_id: "somebody" },
      },
      { "anthropic-version": "2023-06-01", "anthropic-beta": "claude-code-20250219" },
    );
    const all = await events(response);
    expect(all.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`))).toEqual(
      [
        "message_start",
        "content_block_start 0",
        "content_block_delta 0",
        "content_block_delta 0",
        "content_block_stop 0",
        "content_block_start 1",
        "content_block_delta 1",
        "content_block_stop 1",
        "message_delta",
        "message_stop",
      ],
    );
    expect(all[0].message).toMatchObject({ type: "message", role: "assistant", content: [] });
    expect(all[5].content_block).toMatchObject({
      type: "tool_use",
      name: "get_weather",
      input: {},
    });
    expect(all[6].delta).toEqual({ type: "input_json_delta", partial_json: '{"city":"Oslo"}' });
    expect(all[8]).toMatchObject({
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { input_tokens: 7, output_tokens: 3 },
    });
    expect(models().requests[0]?.tools).toHaveLength(1);
  });

  test("ends with an error where the model fails", async () => {
    models().refuse = () => "This is too much for me.";
    const all = await events(await post("/messages", { ...hello, stream: true }));
    expect(all.at(-1)).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", message: expect.stringContaining("too much") },
    });
  });

  test("stops the answer when its reader goes", async () => {
    models().pauseMs = 20;
    const caller = new AbortController();
    const { textStream } = streamText({
      model: await claude(),
      prompt: "word ".repeat(400),
      abortSignal: caller.signal,
    });
    for await (const _ of textStream) break;
    const [run] = await owner().runs.running();
    caller.abort();
    await expect.poll(async () => (await owner().runs.running()).length).toBe(0);
    const stored = await owner()
      .store.messages(`${run?.sessionId}`)
      .getMessage(`${run?.messageId}`);
    expect(stored?.metadata).toMatchObject({ status: "stopped" });
  });
});

describe("an error has Anthropic's form", () => {
  test.each([
    ["an unknown model", { model: "nobody/m" }, 404, "not_found_error"],
    ["no messages", { messages: [] }, 400, "invalid_request_error"],
    ["no room for an answer", { max_tokens: 0 }, 400, "invalid_request_error"],
    ["a setting that is not taken", { top_k: 3 }, 400, "invalid_request_error"],
    [
      "a block that is not taken",
      { messages: [{ role: "user", content: [{ type: "container_upload", file_id: "f" }] }] },
      400,
      "invalid_request_error",
    ],
    [
      "a result without a call",
      { messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "t" }] }] },
      400,
      "invalid_request_error",
    ],
  ])("for %s", async (_, changes, status, type) => {
    const asked = await sent("/messages", { ...hello, ...changes });
    expect(asked).toMatchObject({ status, body: { type: "error", error: { type } } });
    expect(models().requests).toEqual([]);
  });

  test("for a wrong key, and for one beyond its scopes", async () => {
    const wrong = await sent("/messages", hello, { "x-api-key": "grove_no" });
    expect(wrong).toMatchObject({ status: 401, body: { error: { type: "authentication_error" } } });
    const { secret } = await keyWith({ canWrite: false });
    const reader = await sent("/messages", hello, { "x-api-key": secret });
    expect(reader).toMatchObject({ status: 403, body: { error: { type: "permission_error" } } });
  });

  test("in the words by which agents know that their prompt is too long", async () => {
    models().refuse = () => "This model's maximum context length is 10 tokens.";
    const { status, body } = await sent("/messages", hello);
    expect(status).toBe(400);
    expect(body.error?.message).toMatch(/^prompt is too long: /);
  });
});

test("a key is taken as a bearer, too, beside a key of Anthropic's", async () => {
  const { secret } = await keyWith();
  const headers = { authorization: `Bearer ${secret}`, "x-api-key": "sk-ant-api03-other" };
  expect(await sent("/messages", hello, headers)).toMatchObject({ status: 200 });
});

test("tokens are counted before they are sent", async () => {
  const { messages, model } = hello;
  const few = await sent("/messages/count_tokens", { model, messages });
  expect(few).toMatchObject({ status: 200, body: { input_tokens: expect.any(Number) } });
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } };
  const more = await sent("/messages/count_tokens", {
    model,
    system: "Be kind. ".repeat(100),
    messages: [...messages, { role: "user", content: [image] }],
  });
  const count = (asked: Sent) => Number((asked.body as { input_tokens?: number }).input_tokens);
  expect(count(few)).toBeGreaterThan(1);
  expect(count(more)).toBeGreaterThan(count(few) + 1_700);
  expect(models().requests).toEqual([]);
});

test("the models are listed in Anthropic's form for its clients", async () => {
  const { secret } = await keyWith({ aliases: { "claude-sonnet-5": echo } });
  const headers = { "x-api-key": secret, "anthropic-version": "2023-06-01" };
  const response = await fetchV1(`${baseURL}/models`, { headers });
  expect(await response.json()).toMatchObject({
    data: [{ type: "model", id: "claude-sonnet-5" }, { type: "model" }, { type: "model" }],
    has_more: false,
    first_id: "claude-sonnet-5",
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createKey, revokeKey } from "@/lib/chat/programs/keys";
import type { KeyScopes } from "@/lib/chat/wire/keys";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { services } from "@/lib/server/services";
import { type FakeModels, startFakeModels } from "./testing/model-server";
import { clientWith, closeServices, fetchV1 } from "./testing/v1-server";

let database: TestDatabase;
let folder: string;
let models: FakeModels;

beforeAll(async () => {
  [database, folder, models] = await Promise.all([
    createTestDatabase(),
    mkdtemp(join(tmpdir(), "grove-v1-")),
    startFakeModels(),
  ]);
  vi.stubEnv("DATABASE_URL", database.url);
  vi.stubEnv("GROVE_DATA_DIR", folder);
  vi.stubEnv("GROVE_DISCOVER_LOCAL", "0");
  vi.stubEnv("OPENAI_COMPATIBLE_NAME", "fake");
  vi.stubEnv("OPENAI_COMPATIBLE_BASE_URL", models.baseUrl);
});
afterAll(async () => {
  await closeServices();
  await models.close();
  await database.drop();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  models.requests.length = 0;
  models.pauseMs = 0;
});

const everything: KeyScopes = {
  usesApi: true,
  mcp: [],
  canWrite: true,
  usesMemory: false,
  models: null,
  monthlyLimit: null,
};
const owner = () => services().owner("local");
const keyWith = (scopes: Partial<KeyScopes> = {}) =>
  createKey(owner(), { name: "Tests", ...everything, ...scopes });
const client = async (scopes?: Partial<KeyScopes>) => clientWith((await keyWith(scopes)).secret);
const messagesOf = (sessionId: string) => owner().store.messages(sessionId);
const weather = {
  type: "function",
  name: "get_weather",
  description: "The weather of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } } },
  strict: false,
} as const;
const sessionOf = async (response: { id: string }) => {
  const run = await owner().runs.get(response.id.slice("resp_".length));
  if (!run) throw new Error("The response has no run.");
  return run.sessionId;
};

describe("a response", () => {
  test("is a chat with the question and the answer", async () => {
    const openai = await client();
    const response = await openai.responses.create({
      input: "Describe oak trees",
      metadata: { a: "b" },
    });
    expect(response).toMatchObject({
      status: "completed",
      output_text: "You said: Describe oak trees",
      metadata: { a: "b" },
      usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
    });
    const sessionId = await sessionOf(response);
    const info = await owner().store.sessions.get(sessionId);
    expect(info).toMatchObject({
      name: "Describe oak trees",
      metadata: { program: { name: "Tests" } },
    });
    const history = await messagesOf(sessionId).getHistory();
    expect(history.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("continues another, and two that continue one are siblings", async () => {
    const openai = await client();
    const first = await openai.responses.create({ input: "One" });
    const [second, third] = await Promise.all(
      ["Two", "Three"].map((input) =>
        openai.responses.create({ input, previous_response_id: first.id }),
      ),
    );
    expect(second?.output_text).toBe("You said: Two");
    expect(third?.output_text).toBe("You said: Three");
    const children = await messagesOf(await sessionOf(first)).getBranches(first.id.slice(5));
    expect(children).toHaveLength(2);
    expect(models.requests.at(-1)?.messages).toHaveLength(3);
  });

  test("keeps developer messages for those that continue it, and instructions only for itself", async () => {
    const openai = await client();
    const first = await openai.responses.create({
      instructions: "Be brief.",
      input: [
        { role: "developer", content: "Speak French." },
        { role: "user", content: "Hi" },
      ],
    });
    await openai.responses.create({ input: "Again", previous_response_id: first.id });
    const systems = models.requests.map(({ messages }) => messages[0]?.content);
    expect(systems).toEqual(["Be brief.\n\nSpeak French.", "Speak French."]);
  });

  test("streams events in order whose last holds the whole response", async () => {
    const openai = await client();
    const events = await Array.fromAsync(
      await openai.responses.create({ input: "Stream it", stream: true }),
    );
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
    expect(events.slice(0, 4).map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
    ]);
    const last = events.at(-1);
    if (last?.type !== "response.completed") throw new Error("The stream has no end.");
    const deltas = events.flatMap((event) =>
      event.type === "response.output_text.delta" ? [event.delta] : [],
    );
    expect(deltas.join("")).toBe("You said: Stream it");
    const stored = await openai.responses.retrieve(last.response.id);
    expect(stored.output).toEqual(last.response.output);
  });

  test("in the background is followed from any event", async () => {
    const openai = await client();
    models.pauseMs = 20;
    const queued = await openai.responses.create({ input: "Take your time", background: true });
    expect(queued.status).toBe("in_progress");
    const all = await Array.fromAsync(await openai.responses.retrieve(queued.id, { stream: true }));
    const rest = await Array.fromAsync(
      await openai.responses.retrieve(queued.id, { stream: true, starting_after: 5 }),
    );
    expect(all.at(-1)?.type).toBe("response.completed");
    expect(rest).toEqual(all.slice(6));
  });

  test("ends with a call of the program's tool, and goes on with its result", async () => {
    const openai = await client();
    const asked = await openai.responses.create({ input: "Weather in Oslo?", tools: [weather] });
    const [call] = asked.output;
    if (call?.type !== "function_call") throw new Error("No tool was called.");
    expect(call).toMatchObject({ name: "get_weather", arguments: '{"city":"Oslo"}' });
    expect(asked.status).toBe("completed");
    const answered = await openai.responses.create({
      previous_response_id: asked.id,
      input: [{ type: "function_call_output", call_id: call.call_id, output: "Rain" }],
      tools: [weather],
    });
    expect(answered.output_text).toBe("It says: Rain");
    const items = await openai.responses.inputItems.list(answered.id);
    expect(items.data).toMatchObject([
      { type: "function_call_output", call_id: call.call_id, output: "Rain" },
    ]);
  });

  test("lists many items of its request, oldest or newest first", async () => {
    const openai = await client();
    const input = Array.from({ length: 60 }, (_, n) => ({
      role: n % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: `Item ${n}`,
    }));
    const response = await openai.responses.create({ input });
    const items = await Array.fromAsync(
      openai.responses.inputItems.list(response.id, { order: "asc", limit: 25 }),
    );
    const texts = items.map((item) => (item.type === "message" ? item.content[0] : null));
    expect(texts.map((entry) => entry && "text" in entry && entry.text)).toEqual(
      input.map(({ content }) => content),
    );
    const newest = await openai.responses.inputItems.list(response.id, { limit: 1 });
    expect(newest.data).toMatchObject([{ content: [{ text: "Item 59" }] }]);
  });

  test("is cancelled with what came of it", async () => {
    const openai = await client();
    models.pauseMs = 50;
    const words = "word ".repeat(200);
    const running = await openai.responses.create({ input: words, background: true });
    const cancelled = await openai.responses.cancel(running.id);
    expect(cancelled.status).toBe("cancelled");
    expect((await openai.responses.retrieve(running.id)).status).toBe("cancelled");
  });

  test("that is deleted is gone, and its answer can be restored by a person", async () => {
    const openai = await client();
    const response = await openai.responses.create({ input: "Forget this" });
    await openai.responses.delete(response.id);
    await expect(openai.responses.retrieve(response.id)).rejects.toMatchObject({ status: 404 });
    const history = await messagesOf(await sessionOf(response)).getHistory();
    expect(history.map(({ role }) => role)).toEqual(["user"]);
  });

  test("that is not to be stored leaves no chat, but its usage", async () => {
    const { secret, key } = await keyWith();
    const before = (await owner().store.sessions.list()).sessions.length;
    const response = await clientWith(secret).responses.create({ input: "Secret", store: false });
    expect(response.output_text).toBe("You said: Secret");
    expect((await owner().store.sessions.list()).sessions.length).toBe(before);
    const rows = () =>
      database.sql`select 1 from chat_session where session_id = ${response.id.slice(5)}`;
    await expect.poll(async () => (await rows()).length).toBe(0);
    const usage = await database.sql`select 1 from chat_usage where key_id = ${key.id}`;
    expect(usage).toHaveLength(1);
  });

  test("that is not to be stored cannot continue a chat, which stays", async () => {
    const openai = await client();
    const first = await openai.responses.create({ input: "Keep this" });
    const sessionId = await sessionOf(first);
    for (const place of [
      { previous_response_id: first.id },
      { conversation: `conv_${sessionId}` },
    ]) {
      const refused = openai.responses.create({ input: "And this", store: false, ...place });
      await expect(refused).rejects.toMatchObject({ status: 400, param: "store" });
    }
    expect(await messagesOf(sessionId).getPathLength()).toBe(2);
  });

  test("asked for twice with one idempotency key is one", async () => {
    const openai = await client();
    const options = { headers: { "Idempotency-Key": "once" } };
    const [one, other] = await Promise.all([
      openai.responses.create({ input: "Only once" }, options),
      openai.responses.create({ input: "Only once" }, options),
    ]);
    expect(other.id).toBe(one.id);
    expect(await messagesOf(await sessionOf(one)).getPathLength()).toBe(2);
  });

  test("asked for at once with one idempotency key and another body is a conflict that stores nothing", async () => {
    const openai = await client();
    const options = { headers: { "Idempotency-Key": "one of two" } };
    const { sessions: before } = await owner().store.sessions.list({ limit: 500 });
    const more = { role: "user", content: "And more" } as const;
    const inputs = ["One body", [more, more]];
    const answers = await Promise.allSettled(
      inputs.map((input) => openai.responses.create({ input }, options)),
    );
    const winner = answers.findIndex(({ status }) => status === "fulfilled");
    const [won, lost] = winner === 0 ? answers : answers.toReversed();
    if (won?.status !== "fulfilled") throw new Error("Both were refused.");
    expect(lost).toMatchObject({ status: "rejected", reason: { status: 409 } });
    const length = await messagesOf(await sessionOf(won.value)).getPathLength();
    expect(length).toBe(winner === 0 ? 2 : 3);
    const { sessions } = await owner().store.sessions.list({ limit: 500 });
    expect(sessions).toHaveLength(before.length + 1);
  });

  test("followed after its events were removed ends with an event after the number asked for", async () => {
    const openai = await client();
    const response = await openai.responses.create({ input: "A b c d e f g h i j k l m n" });
    await database.sql`delete from chat_stream where run_id = ${response.id.slice(5)}`;
    const rest = await Array.fromAsync(
      await openai.responses.retrieve(response.id, { stream: true, starting_after: 15 }),
    );
    expect(rest).toMatchObject([{ type: "response.completed", sequence_number: 16 }]);
  });

  test("in a conversation waits for the answer being written there", async () => {
    const openai = await client();
    models.pauseMs = 30;
    const first = await openai.responses.create({ input: "One two three", background: true });
    const conversation = `conv_${await sessionOf(first)}`;
    const early = openai.responses.create({ input: "Too early", conversation });
    await expect(early).rejects.toMatchObject({ status: 409 });
    await Array.fromAsync(await openai.responses.retrieve(first.id, { stream: true }));
    const second = await openai.responses.create({ input: "Now", conversation });
    expect(second.conversation).toEqual({ id: conversation });
    expect(await messagesOf(await sessionOf(first)).getPathLength()).toBe(4);
  });

  test("with Grove's memory shows its tools as calls of a server", async () => {
    const openai = await client({ usesMemory: true });
    const response = await openai.responses.create({ input: "Remember me" });
    const [call] = response.output;
    expect(call).toMatchObject({ type: "mcp_call", server_label: "grove" });
    expect(models.requests[0]?.messages[0]?.role).toBe("system");
  });
});

describe("a request is refused", () => {
  test("without a key, with an unknown one, and with a revoked one", async () => {
    const { secret, key } = await keyWith();
    await expect(clientWith("grove_nobody").models.list()).rejects.toMatchObject({ status: 401 });
    await expect(clientWith(secret).models.list()).resolves.toBeDefined();
    await revokeKey(owner(), key.id);
    await expect(clientWith(secret).models.list()).rejects.toThrow(OpenAI.AuthenticationError);
  });

  test("beyond the scopes of its key", async () => {
    const reading = await client({ canWrite: false });
    await expect(reading.responses.create({ input: "Hi" })).rejects.toMatchObject({ status: 403 });
    const limited = await client({ models: ["none/such"] });
    await expect(limited.responses.create({ input: "Hi" })).rejects.toMatchObject({ status: 403 });
    expect((await limited.models.list()).data).toEqual([]);
  });

  test("when the key has spent its limit", async () => {
    const { key, secret } = await keyWith({ monthlyLimit: 0.5 });
    const usage = { kind: "answer", sessionId: "x", model: "m", inputTokens: 1 } as const;
    const spent = { ...usage, cachedTokens: 0, outputTokens: 1, cost: 0.6, isReported: true };
    await owner().usage.record({ ...spent, id: crypto.randomUUID(), keyId: key.id });
    const refused = clientWith(secret).responses.create({ input: "Hi" });
    await expect(refused).rejects.toMatchObject({ status: 429, code: "insufficient_quota" });
  });

  test.each([
    ["an unknown previous response", { input: "Hi", previous_response_id: "resp_nothing" }, 400],
    ["an unknown model", { input: "Hi", model: "no/such" }, 404],
    ["an empty input", { input: [] }, 400],
    [
      "an image",
      {
        input: [
          {
            role: "user",
            content: [{ type: "input_image", image_url: "http://x", detail: "auto" }],
          },
        ],
      },
      400,
    ],
    ["a tool it cannot offer", { input: "Hi", tools: [{ type: "web_search" }] }, 400],
    [
      "a result of no call",
      { input: [{ type: "function_call_output", call_id: "c", output: "x" }] },
      400,
    ],
  ])("with %s, and stores nothing", async (_, body, status) => {
    const openai = await client();
    const before = (await owner().store.sessions.list({ limit: 500 })).sessions.length;
    const refused = openai.responses.create(body as { input: string });
    await expect(refused).rejects.toMatchObject({ status });
    expect((await owner().store.sessions.list({ limit: 500 })).sessions.length).toBe(before);
  });
});

test.each([
  ["an unknown path", "GET", "/v1/threads", { status: 404, code: "not_found" }],
  ["a wrong method", "PUT", "/v1/responses", { status: 405, code: "method_not_allowed" }],
  ["a body that is no JSON", "POST", "/v1/responses", { status: 400, code: "invalid-body" }],
  [
    "a start that is no number",
    "GET",
    "/v1/responses/resp_x?stream=true&starting_after=x",
    { status: 400, code: "invalid_value" },
  ],
])("%s is answered by an error of OpenAI's shape", async (_, method, path, { status, code }) => {
  const { secret } = await keyWith();
  const headers = { authorization: `Bearer ${secret}` };
  const body = method === "GET" ? null : "{";
  const answer = await fetchV1(`http://grove.test${path}`, { method, headers, body });
  expect(answer.status).toBe(status);
  const { error } = await answer.json();
  expect(Object.keys(error).sort()).toEqual(["code", "message", "param", "type"]);
  expect(error.code).toBe(code);
});

test("a request above the limit of answers is refused and stores nothing", async () => {
  const openai = await client();
  models.pauseMs = 100;
  const words = "word ".repeat(100);
  const running = await Promise.all(
    Array.from({ length: 8 }, () => openai.responses.create({ input: words, background: true })),
  );
  const { sessions: before } = await owner().store.sessions.list({ limit: 500 });
  const model = "compatible:fake/echo";
  const messages = [{ role: "user", content: "One too many" } as const];
  await expect(openai.responses.create({ input: "One too many" })).rejects.toMatchObject({
    status: 429,
  });
  await expect(openai.chat.completions.create({ model, messages })).rejects.toMatchObject({
    status: 429,
  });
  const { sessions } = await owner().store.sessions.list({ limit: 500 });
  expect(sessions).toHaveLength(before.length);
  await Promise.all(running.map(({ id }) => openai.responses.cancel(id)));
});

test("a response that continues a deleted answer is refused", async () => {
  const openai = await client();
  const first = await openai.responses.create({ input: "Delete this" });
  await openai.responses.delete(first.id);
  const next = openai.responses.create({ input: "Go on", previous_response_id: first.id });
  await expect(next).rejects.toMatchObject({ status: 400, code: "previous_response_not_found" });
});

describe("a chat completion", () => {
  const question = { role: "user", content: "Name a tree" } as const;

  test("finds the path of its messages, so that a conversation is one chat", async () => {
    const openai = await client();
    const model = "compatible:fake/echo";
    const first = await openai.chat.completions.create({ model, messages: [question] });
    const answer = first.choices[0]?.message;
    expect(answer?.content).toBe("You said: Name a tree");
    const more = { role: "user", content: "Another" } as const;
    const messages = [
      question,
      { role: "assistant", content: answer?.content ?? "" } as const,
      more,
    ];
    const second = await openai.chat.completions.create({ model, messages });
    expect(second.choices[0]?.message.content).toBe("You said: Another");
    const run = await owner().runs.get(second.id.slice("chatcmpl-".length));
    expect(await messagesOf(run?.sessionId ?? "").getPathLength(run?.messageId)).toBe(4);
    const again = await openai.chat.completions.create({ model, messages: [question] });
    const sibling = await owner().runs.get(again.id.slice("chatcmpl-".length));
    expect(sibling).toMatchObject({ sessionId: run?.sessionId });
  });

  test("streams, with the usage when asked", async () => {
    const openai = await client();
    const chunks = await Array.fromAsync(
      await openai.chat.completions.create({
        model: "compatible:fake/echo",
        messages: [{ role: "system", content: "Be kind." }, question],
        stream: true,
        stream_options: { include_usage: true },
      }),
    );
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
    expect(text).toBe("You said: Name a tree");
    expect(chunks.at(-1)?.usage).toMatchObject({ total_tokens: 10 });
    expect(models.requests[0]?.messages[0]).toMatchObject({ role: "system", content: "Be kind." });
  });

  test("calls the program's tools and takes their results", async () => {
    const openai = await client();
    const model = "compatible:fake/echo";
    const { type, name, ...described } = weather;
    const tools = [{ type, function: { name, ...described } }];
    const first = await openai.chat.completions.create({ model, messages: [question], tools });
    const [choice] = first.choices;
    const [call] = choice?.message.tool_calls ?? [];
    expect(choice?.finish_reason).toBe("tool_calls");
    if (call?.type !== "function") throw new Error("No tool was called.");
    expect(call.function).toEqual({ name: "get_weather", arguments: '{"city":"Oslo"}' });
    const second = await openai.chat.completions.create({
      model,
      messages: [
        question,
        { role: "assistant", tool_calls: [call] },
        { role: "tool", tool_call_id: call.id, content: "Sun" },
      ],
      tools,
    });
    expect(second.choices[0]?.message.content).toBe("It says: Sun");
    const run = await owner().runs.get(second.id.slice("chatcmpl-".length));
    expect(await messagesOf(run?.sessionId ?? "").getPathLength(run?.messageId)).toBe(4);
  });

  test("finds an answer that its program kept without the white space around it", async () => {
    const openai = await client();
    const model = "compatible:fake/echo";
    const asked = { role: "user", content: "End with a space " } as const;
    const first = await openai.chat.completions.create({ model, messages: [asked] });
    const said = first.choices[0]?.message.content ?? "";
    expect(said).not.toBe(said.trim());
    const messages = [
      asked,
      { role: "assistant", content: said.trim() } as const,
      { role: "user", content: "Go on" } as const,
    ];
    const second = await openai.chat.completions.create({ model, messages });
    const run = await owner().runs.get(second.id.slice("chatcmpl-".length));
    const question = `${run?.parentId}`;
    const path = await messagesOf(run?.sessionId ?? "").getHistory(question);
    expect(path.at(-2)?.id).toBe(first.id.slice("chatcmpl-".length));
  });

  test("takes calls whose arguments are nested too deeply to be read", async () => {
    const openai = await client();
    const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const call = {
      id: "c",
      type: "function",
      function: { name: "deep", arguments: nested },
    } as const;
    const answer = await openai.chat.completions.create({
      model: "compatible:fake/echo",
      messages: [
        { role: "user", content: "Nest it" },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "c", content: "Deep" },
      ],
    });
    expect(answer.choices[0]?.message.content).toBe("It says: Deep");
  });

  test("refuses what it would ignore", async () => {
    const openai = await client();
    const asked = { model: "compatible:fake/echo", messages: [question] };
    await expect(openai.chat.completions.create({ ...asked, n: 2 })).rejects.toMatchObject({
      status: 400,
      param: "n",
    });
  });
});

test("a model is retrieved by its name", async () => {
  const openai = await client();
  const { data } = await openai.models.list();
  expect(data.map(({ id }) => id)).toContain("compatible:fake/echo");
  expect(await openai.models.retrieve("compatible:fake/echo")).toMatchObject({ object: "model" });
});

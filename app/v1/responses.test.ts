import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { Memory } from "@/lib/chat/memory/memory";
import { revokeKey } from "@/lib/chat/programs/keys";
import { services } from "@/lib/server/services";
import { clientWith, fetchV1, serveV1, weather } from "./testing/v1-server";

const { client, database, keyWith, models, owner } = serveV1();
const messagesOf = (sessionId: string) => owner().store.messages(sessionId);
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
    expect(models().requests.at(-1)?.messages).toHaveLength(3);
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
    const systems = models().requests.map(({ messages }) => messages[0]?.content);
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
    models().pauseMs = 20;
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
    const input = Array.from({ length: 61 }, (_, n) => ({
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
    expect(newest.data).toMatchObject([{ content: [{ text: "Item 60" }] }]);
  });

  test.each([true, false])(
    "is cancelled with what came of it, background: %s",
    async (background) => {
      const openai = await client();
      models().pauseMs = 50;
      const words = "word ".repeat(200);
      const stream = await openai.responses.create({ input: words, background, stream: true });
      // Leaving a loop would close the connection, which cancels the answer, too.
      const events = stream[Symbol.asyncIterator]();
      let type: string | undefined;
      while (type !== "response.output_text.delta") type = (await events.next()).value?.type;
      const [running] = await owner().runs.running();
      const cancelled = await openai.responses.cancel(`resp_${running?.id}`);
      expect(cancelled).toMatchObject({ status: "cancelled", incomplete_details: null });
      const stored = await openai.responses.retrieve(cancelled.id);
      expect(stored).toMatchObject(cancelled);
      expect(stored.output_text).not.toBe("");
      expect(`You said: ${words}`).toContain(stored.output_text);
    },
  );

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
      database().sql`select 1 from chat_session where session_id = ${response.id.slice(5)}`;
    await expect.poll(async () => (await rows()).length).toBe(0);
    const usage = await database().sql`select 1 from chat_usage where key_id = ${key.id}`;
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
    await database().sql`delete from chat_stream where run_id = ${response.id.slice(5)}`;
    const rest = await Array.fromAsync(
      await openai.responses.retrieve(response.id, { stream: true, starting_after: 15 }),
    );
    expect(rest).toMatchObject([{ type: "response.completed", sequence_number: 16 }]);
  });

  test("in a conversation waits for the answer being written there", async () => {
    const openai = await client();
    const held = Promise.withResolvers<void>();
    models().held = held.promise;
    const first = await openai.responses.create({ input: "One two three", background: true });
    const conversation = `conv_${await sessionOf(first)}`;
    const early = openai.responses.create({ input: "Too early", conversation });
    await expect(early).rejects.toMatchObject({ status: 409 });
    held.resolve();
    await Array.fromAsync(await openai.responses.retrieve(first.id, { stream: true }));
    const second = await openai.responses.create({ input: "Now", conversation });
    expect(second.conversation).toEqual({ id: conversation });
    expect(await messagesOf(await sessionOf(first)).getPathLength()).toBe(4);
  });

  test("reads images and files of its input, which are stored once and listed by their id", async () => {
    const openai = await client();
    const pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const note = Buffer.from("Water the ferns.").toString("base64");
    const first = await openai.responses.create({
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "Look at these" },
            { type: "input_image", image_url: `data:image/png;base64,${pixel}`, detail: "auto" },
            {
              type: "input_file",
              filename: "note.txt",
              file_data: `data:text/plain;base64,${note}`,
            },
          ],
        },
      ],
    });
    expect(JSON.stringify(models().requests.at(-1))).toContain("Water the ferns.");
    const { data } = await openai.responses.inputItems.list(first.id);
    expect(data).toMatchObject([
      {
        content: [
          { text: "Look at these" },
          { type: "input_image" },
          { type: "input_file", filename: "note.txt" },
        ],
      },
    ]);
    const again = { input: data as never, previous_response_id: first.id };
    await openai.responses.create(again);
    const files = await database().sql`select 1 from chat_file`;
    expect(files).toHaveLength(2);
  });

  test("whose process dies ends as failed, with what came of it", async () => {
    const openai = await client();
    const asked = await openai.responses.create({ input: "Hi", metadata: { a: "b" } });
    const known = await owner().runs.get(asked.id.slice(5));
    if (!known) throw new Error("The response has no run.");
    const { sessionId, parentId, model, request } = known;
    const run = { id: "dead", messageId: "dead", sessionId, parentId, model, request };
    const started = await owner().runs.start(run, -1, { maxRunning: 100 });
    await owner().runs.appendChunks("dead", 0, [
      { type: "text-start", id: "1" },
      { type: "text-delta", id: "1", delta: "Half of it" },
    ]);
    expect(await openai.responses.retrieve("resp_dead")).toMatchObject({ status: "in_progress" });
    if (started) await services().runner.recover(owner(), started.run);
    expect(await openai.responses.retrieve("resp_dead")).toMatchObject({
      status: "failed",
      error: { code: "server_error" },
      output: [{ content: [{ text: "Half of it" }] }],
      metadata: { a: "b" },
    });
  });

  test("in the background goes on when its reader has gone, and is stored whole", async () => {
    const openai = await client();
    models().pauseMs = 20;
    const asked = { input: "A b c d e f", background: true } as const;
    const stream = await openai.responses.create({ ...asked, stream: true });
    let id = "";
    for await (const event of stream) {
      if (event.type === "response.created") id = event.response.id;
      if (event.type === "response.output_text.delta") break;
    }
    const rest = await openai.responses.retrieve(id, { stream: true });
    await Array.fromAsync(rest);
    expect((await openai.responses.retrieve(id)).output_text).toBe("You said: A b c d e f");
  });

  test("with Grove's memory shows its tools as calls of a server", async () => {
    const openai = await client({ usesMemory: true });
    const response = await openai.responses.create({ input: "Remember me" });
    const [call] = response.output;
    expect(call).toMatchObject({ type: "mcp_call", server_label: "grove" });
    expect(models().requests[0]?.messages[0]?.role).toBe("system");
  });
});

test("takes up what changed in memory after a break, when no provider caches the prompt", {
  tags: "long",
}, async () => {
  const memory = new Memory(owner(), null);
  const block = (await memory.list()).find(({ label }) => label === "memory");
  const openai = await client({ usesMemory: true });
  const { id: conversation } = await openai.conversations.create();
  const isKnown = async () => {
    models().requests.length = 0;
    await openai.responses.create({ conversation, input: "Hello" });
    return JSON.stringify(models().requests[0]?.messages[0]).includes("Keeps a heron");
  };
  expect(await isKnown()).toBe(false);
  await memory.write(block?.id ?? "", { content: "Keeps a heron" });
  expect(await isKnown()).toBe(false);
  await database().sql`update chat_session set updated_at = updated_at - interval '5 minutes'`;
  expect(await isKnown()).toBe(true);
});

describe("a key for a part of memory", () => {
  test("gives its models that part alone, also in a chat whose prompt holds all of it", {
    tags: "long",
  }, async () => {
    const memory = new Memory(owner(), null);
    const idOf = async (label: string) =>
      (await memory.list()).find((block) => block.label === label)?.id ?? "";
    await memory.write(await idOf("memory"), { content: "Keeps a pelican" });
    await memory.write(await idOf("soul"), { content: "Speak like a sailor" });
    const [all, part] = [
      await client({ usesMemory: true }),
      await client({ usesMemory: true, blocks: [await idOf("soul")] }),
    ];
    const { id: conversation } = await all.conversations.create();
    for (const [openai, knowsAll] of [
      [all, true],
      [part, false],
      [all, true],
    ] as const) {
      models().requests.length = 0;
      await openai.responses.create({ conversation, input: "Hello" });
      for (const { messages, tools } of models().requests) {
        const prompt = JSON.stringify(messages[0]);
        expect(prompt).toContain("sailor");
        expect(prompt.includes("pelican")).toBe(knowsAll);
        expect(JSON.stringify(tools).includes("session_search")).toBe(knowsAll);
      }
      expect(models().requests.length).toBeGreaterThan(0);
    }
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

  test("when requests that are answered may spend the rest of its limit", async () => {
    const { key, secret } = await keyWith({ monthlyLimit: 0.5 });
    const { responses } = clientWith(secret);
    const before = await responses.create({ input: "Hi" });
    const { sessionId = "", parentId = "" } =
      (await owner().runs.get(before.id.slice("resp_".length))) ?? {};
    const id = crypto.randomUUID();
    const run = { id, sessionId, messageId: id, parentId, model: "m", keyId: key.id };
    await owner().runs.start({ ...run, reserved: 0.5 }, 60_000, { maxRunning: 100 });
    const refused = responses.create({ input: "Hi" });
    await expect(refused).rejects.toMatchObject({ status: 429, code: "insufficient_quota" });
    await owner().runs.finish(id, "stopped");
    await expect(responses.create({ input: "Hi" })).resolves.toBeDefined();
  });

  test.each([
    ["an unknown previous response", { input: "Hi", previous_response_id: "resp_nothing" }, 400],
    ["an unknown model", { input: "Hi", model: "no/such" }, 404],
    ["an empty input", { input: [] }, 400],
    [
      "the address of an image",
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
    ["a tool without a name", { input: "Hi", tools: [{ type: "function" }] }, 400],
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

test("a body of 100 MB is refused before it is read, and stores nothing", async () => {
  const { secret } = await keyWith();
  const { sessions: before } = await owner().store.sessions.list({ limit: 500 });
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1_000_000;
      if (sent > 100_000_000) controller.close();
      else controller.enqueue(new Uint8Array(1_000_000).fill(32));
    },
  });
  const answer = await fetchV1("http://grove.test/v1/responses", {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body,
    duplex: "half",
  } as RequestInit);
  expect(answer.status).toBe(413);
  expect(sent).toBeLessThan(30_000_000);
  const { sessions } = await owner().store.sessions.list({ limit: 500 });
  expect(sessions).toHaveLength(before.length);
});

test("a response that continues a deleted answer is refused", async () => {
  const openai = await client();
  const first = await openai.responses.create({ input: "Delete this" });
  await openai.responses.delete(first.id);
  const next = openai.responses.create({ input: "Go on", previous_response_id: first.id });
  await expect(next).rejects.toMatchObject({ status: 400, code: "previous_response_not_found" });
});

test("a model is retrieved by its name", async () => {
  const openai = await client();
  const { data } = await openai.models.list();
  expect(data.map(({ id }) => id)).toContain("compatible:fake/echo");
  expect(await openai.models.retrieve("compatible:fake/echo")).toMatchObject({ object: "model" });
});

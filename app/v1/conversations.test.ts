import type { ResponseReasoningItem } from "openai/resources/responses/responses";
import { describe, expect, test } from "vitest";
import { serveV1, weather } from "./testing/v1-server";

const { client, models, owner } = serveV1();

const textsOf = (items: readonly unknown[]) =>
  items.map((item) => (item as { content: [{ text: string }] }).content[0].text);
const said = (role: "user" | "assistant" | "developer", content: string) => ({ role, content });
const sessionIdOf = ({ id }: { id: string }) => id.slice("conv_".length);

describe("a conversation", () => {
  test("keeps its items as they were given, and is a chat named after its first question", async () => {
    const openai = await client();
    const items = [
      said("developer", "Be brief."),
      said("user", "Weather in Oslo?"),
      { type: "function_call", call_id: "c1", name: "get_weather", arguments: "no JSON" } as const,
      { type: "function_call_output", call_id: "c1", output: "Rain" } as const,
      said("assistant", "It rains."),
    ];
    const { id, metadata } = await openai.conversations.create({ items, metadata: { a: "b" } });
    expect(metadata).toEqual({ a: "b" });
    const listed = await Array.fromAsync(openai.conversations.items.list(id, { order: "asc" }));
    expect(listed).toMatchObject([
      { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
      { type: "message", role: "user" },
      { type: "function_call", call_id: "c1", name: "get_weather", arguments: "no JSON" },
      { type: "function_call_output", call_id: "c1", output: "Rain" },
      { role: "assistant", content: [{ type: "output_text", text: "It rains." }] },
    ]);
    const info = await owner().store.sessions.get(sessionIdOf({ id }));
    expect(info).toMatchObject({
      name: "Weather in Oslo",
      metadata: { program: { name: "Tests" } },
    });
  });

  test("is none of the person's temporary chats", async () => {
    const openai = await client();
    const { sessions } = owner().temporary.store;
    const id = `temporary-${crypto.randomUUID()}`;
    await sessions.create("Mine", { id, expiresAfterMs: 60_000 });
    const asked = `conv_${id}`;
    await expect(openai.conversations.retrieve(asked)).rejects.toMatchObject({ status: 404 });
    await expect(openai.conversations.delete(asked)).rejects.toMatchObject({ status: 404 });
    await expect(
      openai.responses.create({ conversation: asked, input: "Hello" }),
    ).rejects.toMatchObject({ status: 404 });
    expect(await sessions.get(id)).toMatchObject({ name: "Mine" });
  });

  test("keeps encrypted reasoning as it came, and sends it to no model", async () => {
    const openai = await client();
    const reasoning: ResponseReasoningItem = {
      type: "reasoning",
      id: "rs_elsewhere",
      summary: [],
      encrypted_content: "c2VjcmV0",
    };
    const items = [said("user", "One"), reasoning, said("assistant", "Two")];
    const { id } = await openai.conversations.create({ items });
    const { data } = await openai.conversations.items.list(id, { order: "asc" });
    expect(data).toMatchObject([
      { role: "user" },
      { type: "reasoning", summary: [], encrypted_content: "c2VjcmV0" },
      { role: "assistant" },
    ]);
    const response = await openai.responses.create({
      conversation: id,
      input: [{ ...reasoning, encrypted_content: "bW9yZQ" }, said("user", "Three")],
    });
    const listed = await openai.responses.inputItems.list(response.id, { order: "asc" });
    expect(listed.data[0]).toMatchObject({ type: "reasoning", encrypted_content: "bW9yZQ" });
    const sent = models().requests.at(-1)?.messages;
    expect(sent?.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(JSON.stringify(sent)).not.toMatch(/c2VjcmV0|bW9yZQ/);
  });

  test("lists its items oldest or newest first, page by page", { tags: "long" }, async () => {
    const openai = await client();
    const items = Array.from({ length: 250 }, (_, n) => said(n % 2 ? "assistant" : "user", `${n}`));
    const { id } = await openai.conversations.create({ items });
    const asc = await Array.fromAsync(
      openai.conversations.items.list(id, { order: "asc", limit: 30 }),
    );
    expect(textsOf(asc)).toEqual(items.map(({ content }) => content));
    const desc = await Array.fromAsync(openai.conversations.items.list(id, { limit: 99 }));
    expect(textsOf(desc)).toEqual(items.map(({ content }) => content).reverse());
    const none = await openai.conversations.items.list(id, {
      after: asc.at(-1)?.id ?? "",
      order: "asc",
    });
    expect(none.data).toEqual([]);
    const after = asc.at(-1)?.id ?? "";
    for (const [unknown, place] of [
      ["conv_unknown", after],
      [id, "msg_unknown"],
    ] as const) {
      await expect(
        openai.conversations.items.list(unknown, { after: place }),
      ).rejects.toMatchObject({ status: 404 });
    }
  });

  test.each(["asc", "desc"] as const)(
    "lists on, %s, behind a place where items were added and deleted since, and not behind a deleted one",
    async (order) => {
      const openai = await client();
      const items = Array.from({ length: 8 }, (_, n) => said("user", `${n}`));
      const { id } = await openai.conversations.create({ items });
      const page = (after: string) =>
        openai.conversations.items.list(id, { order, limit: 2, ...(after && { after }) });
      const all = await Array.fromAsync(openai.conversations.items.list(id, { order }));
      const [texts, ids] = [textsOf(all), all.map((item) => `${item.id}`)];
      const first = await page("");
      const second = await page(ids[1] ?? "");
      expect([...textsOf(first.data), ...textsOf(second.data)]).toEqual(texts.slice(0, 4));
      for (const gone of [2, 4])
        await openai.conversations.items.delete(ids[gone] ?? "", {
          conversation_id: id,
        });
      await openai.conversations.items.create(id, { items: [said("user", "8")] });
      expect(textsOf((await page(ids[1] ?? "")).data)).toEqual([texts[3], texts[5]]);
      expect(textsOf((await page(ids[3] ?? "")).data)).toEqual([texts[5], texts[6]]);
      await openai.conversations.items.delete(ids[1] ?? "", { conversation_id: id });
      await expect(page(ids[1] ?? "")).rejects.toMatchObject({ status: 404 });
      const rest = await Array.fromAsync(openai.conversations.items.list(id, { order, limit: 2 }));
      const left = [0, 3, 5, 6, 7].map((n) => texts[n]);
      expect(textsOf(rest)).toEqual(order === "asc" ? [...left, "8"] : ["8", ...left]);
    },
  );

  test("changes its metadata, and is gone when it is deleted, until a person restores it", async () => {
    const openai = await client();
    const { id } = await openai.conversations.create({ items: [said("user", "Hi")] });
    await openai.conversations.update(id, { metadata: { topic: "trees" } });
    expect(await openai.conversations.retrieve(id)).toMatchObject({ metadata: { topic: "trees" } });
    expect(await openai.conversations.delete(id)).toEqual({
      id,
      object: "conversation.deleted",
      deleted: true,
    });
    await expect(openai.conversations.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await owner().store.sessions.restore(sessionIdOf({ id }));
    expect(await openai.conversations.retrieve(id)).toMatchObject({ id });
  });

  test("is no chat before its first item, and one with the words of its metadata then", async () => {
    const openai = await client();
    const count = async () => (await owner().store.sessions.list({ limit: 500 })).sessions.length;
    const before = await count();
    const { id, created_at } = await openai.conversations.create({ metadata: { a: "b" } });
    const place = { conversation_id: id };
    await expect(openai.conversations.items.retrieve("msg_1", place)).rejects.toMatchObject({
      status: 404,
    });
    expect((await openai.conversations.items.list(id)).data).toEqual([]);
    await openai.conversations.update(id, { metadata: { topic: "trees" } });
    const unknownCall = { type: "function_call_output", call_id: "c9", output: "Rain" } as const;
    await expect(
      openai.conversations.items.create(id, { items: [unknownCall] }),
    ).rejects.toMatchObject({ status: 400 });
    expect(await count()).toBe(before);
    await openai.conversations.items.create(id, { items: [said("user", "Hi")] });
    expect(await count()).toBe(before + 1);
    const begun = { id, created_at, metadata: { topic: "trees" } };
    expect(await openai.conversations.retrieve(id)).toMatchObject(begun);
    const never = await openai.conversations.create();
    await openai.conversations.delete(never.id);
    await expect(openai.conversations.retrieve(never.id)).rejects.toMatchObject({ status: 404 });
  });

  test("becomes the chat of the response whose items it is given, unless another key made it", {
    tags: "long",
  }, async () => {
    const [openai, foreign] = await Promise.all([client(), client()]);
    const count = async () => (await owner().store.sessions.list({ limit: 500 })).sessions.length;
    const [one, other] = await Promise.all(
      [openai, foreign].map((each) => each.conversations.create()),
    );
    if (!one || !other) throw new Error("There are no conversations.");
    const response = await openai.responses.create({ input: "Mine alone" });
    const before = await count();
    const items = [said("user", "Mine alone"), said("assistant", response.output_text)];
    await foreign.conversations.items.create(other.id, { items });
    expect(await count()).toBe(before + 1);
    await openai.conversations.items.create(one.id, { items });
    expect(await count()).toBe(before + 1);
    const { data } = await openai.conversations.items.list(one.id);
    expect(data[0]?.id).toBe(response.output[0]?.id);
    const next = await openai.responses.create({ conversation: one.id, input: "More" });
    expect(next.conversation).toEqual({ id: one.id });
    expect(await openai.responses.retrieve(next.id)).toMatchObject({
      conversation: { id: one.id },
    });
    await openai.conversations.delete(one.id);
    await expect(openai.conversations.retrieve(one.id)).rejects.toMatchObject({ status: 404 });
  });

  test("gives and deletes single items, and no item of another conversation", {
    tags: "long",
  }, async () => {
    const openai = await client();
    const [one, other] = await Promise.all(
      ["One", "Other"].map((text) => openai.conversations.create({ items: [said("user", text)] })),
    );
    if (!one || !other) throw new Error("There are no conversations.");
    const added = await openai.conversations.items.create(one.id, {
      items: [said("assistant", "Two"), said("user", "Three")],
    });
    const [second, third] = added.data;
    if (!second?.id || !third?.id) throw new Error("There are no items.");
    const place = { conversation_id: one.id };
    expect(await openai.conversations.items.retrieve(second.id, place)).toEqual(second);
    const foreign = { conversation_id: other.id };
    await expect(openai.conversations.items.retrieve(second.id, foreign)).rejects.toMatchObject({
      status: 404,
    });
    await expect(openai.conversations.items.delete(second.id, foreign)).rejects.toMatchObject({
      status: 404,
    });
    await openai.conversations.items.delete(third.id, place);
    await openai.conversations.items.delete(second.id, place);
    await openai.conversations.items.create(one.id, { items: [said("assistant", "New")] });
    const { data } = await openai.conversations.items.list(one.id, { order: "asc" });
    expect(textsOf(data)).toEqual(["One", "New"]);
  });

  test("takes items at once, one request after the other", { tags: "long" }, async () => {
    const openai = await client();
    const { id } = await openai.conversations.create();
    const texts = Array.from({ length: 8 }, (_, n) => `Item ${n}`);
    await Promise.all(
      texts.map((text) => openai.conversations.items.create(id, { items: [said("user", text)] })),
    );
    const { data } = await openai.conversations.items.list(id, { order: "asc" });
    expect(textsOf(data).sort()).toEqual(texts);
  });
});

describe("a response in a conversation", () => {
  test("reads its items with their instructions, and is added to them", async () => {
    const openai = await client();
    const items = [
      said("developer", "Speak French."),
      said("user", "One"),
      said("assistant", "Un"),
    ];
    const { id } = await openai.conversations.create({ items });
    const first = await openai.responses.create({
      conversation: id,
      input: "Two",
      tools: [weather],
    });
    expect(
      models()
        .requests.at(-1)
        ?.messages.map(({ role }) => role),
    ).toEqual(["system", "user", "assistant", "user"]);
    const [call] = first.output;
    if (call?.type !== "function_call") throw new Error("No tool was called.");
    await openai.responses.create({
      conversation: { id },
      input: [{ type: "function_call_output", call_id: call.call_id, output: "Sun" }],
    });
    const [system] = models().requests.at(-1)?.messages ?? [];
    expect(system).toMatchObject({ role: "system", content: "Speak French." });
    const listed = await Array.fromAsync(openai.conversations.items.list(id, { order: "asc" }));
    expect(listed.slice(3)).toMatchObject([
      { role: "user", content: [{ text: "Two" }] },
      { type: "function_call", id: call.id },
      { type: "function_call_output", output: "Sun" },
      { role: "assistant", content: [{ text: "It says: Sun" }] },
    ]);
  });

  test("refuses a second one at the same time, which stores nothing", async () => {
    const openai = await client();
    const gate = Promise.withResolvers<void>();
    models().held = gate.promise;
    const { id } = await openai.conversations.create({ items: [said("user", "Begin")] });
    const answers = ["One", "Two"].map((input) =>
      openai.responses.create({ conversation: id, input }),
    );
    await expect(Promise.race(answers)).rejects.toMatchObject({
      status: 409,
      code: "conversation_locked",
    });
    gate.resolve();
    await Promise.allSettled(answers);
    const { data } = await openai.conversations.items.list(id);
    expect(data).toHaveLength(3);
  });

  test("does not see what a person adds, unless it continues the person's answer", async () => {
    const openai = await client();
    const { id } = await openai.conversations.create();
    const first = await openai.responses.create({ conversation: id, input: "From a program" });
    const tree = owner().store.messages(sessionIdOf({ id }));
    const question = { role: "user", parts: [{ type: "text", text: "From a person" }] } as const;
    await tree.appendMessage({ id: "person", ...question }, first.id.slice(5));
    await openai.responses.create({ conversation: id, input: "Go on" });
    expect(JSON.stringify(models().requests.at(-1))).not.toContain("From a person");
    const { data } = await openai.conversations.items.list(id);
    expect(data).toHaveLength(4);
    expect((await tree.getLatestLeaf())?.id).toBe("person");
  });

  test("whose answer is deleted goes on after its question", async () => {
    const openai = await client();
    const { id } = await openai.conversations.create();
    await openai.responses.create({ conversation: id, input: "One" });
    const second = await openai.responses.create({ conversation: id, input: "Two" });
    await openai.responses.delete(second.id);
    const { data } = await openai.conversations.items.list(id, { order: "asc" });
    expect(textsOf(data)).toEqual(["One", "You said: One", "Two"]);
  });
});

describe("a program that sends its whole history", () => {
  test("goes on in the same chat, also after a tool of its own", async () => {
    const openai = await client();
    const question = { role: "user", content: "Weather in Oslo?" } as const;
    const first = await openai.responses.create({ input: [question], tools: [weather] });
    const [call] = first.output;
    if (call?.type !== "function_call") throw new Error("No tool was called.");
    const result = { type: "function_call_output", call_id: call.call_id, output: "Sun" } as const;
    const second = await openai.responses.create({ input: [question, call, result] });
    expect(second.output_text).toBe("It says: Sun");
    const run = await owner().runs.get(second.id.slice(5));
    expect(run?.sessionId).toBe((await owner().runs.get(first.id.slice(5)))?.sessionId);
    const items = await openai.responses.inputItems.list(second.id, { order: "asc" });
    expect(items.data).toMatchObject([{ role: "user" }, { id: call.id }, { output: "Sun" }]);
  });

  test("begins another chat when it has changed its history", { tags: "long" }, async () => {
    const openai = await client();
    const first = await openai.responses.create({ input: "One" });
    const [answer] = first.output;
    if (answer?.type !== "message") throw new Error("There is no answer.");
    const second = await openai.responses.create({
      input: [said("user", "Another one"), answer, said("user", "Two")],
    });
    const run = await owner().runs.get(second.id.slice(5));
    expect(run?.sessionId).not.toBe((await owner().runs.get(first.id.slice(5)))?.sessionId);
  });
});

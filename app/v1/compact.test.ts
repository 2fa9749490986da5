import { expect, test } from "vitest";
import { clientWith, serveV1 } from "./testing/v1-server";

const { client, database, keyWith, models, owner } = serveV1();
const model = "compatible:fake/echo";
const long = (name: string) => `${name} ${"leaf ".repeat(40)}`;

async function conversation() {
  const openai = await client();
  const first = await openai.responses.create({ model, input: long("One") });
  const second = await openai.responses.create({
    model,
    input: long("Two"),
    previous_response_id: first.id,
  });
  const third = await openai.responses.create({
    model,
    input: long("Three"),
    previous_response_id: second.id,
  });
  const sessionId = (await owner().runs.get(first.id.slice(5)))?.sessionId ?? "";
  return { openai, sessionId, last: third };
}

test("a compacted response is its user's messages and a place, from which a response continues with a summary", {
  tags: "long",
}, async () => {
  const { openai, sessionId, last } = await conversation();
  models().answer = "They spoke of leaves.";
  const compacted = await openai.responses.compact({ model, previous_response_id: last.id });
  expect(compacted.output.map(({ type }) => type)).toEqual([
    "message",
    "message",
    "message",
    "compaction",
  ]);
  expect(compacted.usage.output_tokens).toBeGreaterThan(0);
  const next = await openai.responses.create({
    model,
    input: [...compacted.output, { role: "user", content: "Four" }] as never,
  });
  const run = await owner().runs.get(next.id.slice(5));
  expect(run?.sessionId).toBe(sessionId);
  const sent = models().requests.at(-1)?.messages ?? [];
  expect(JSON.stringify(sent)).toContain("They spoke of leaves.");
  expect(JSON.stringify(sent)).not.toContain(long("One"));
  const { entries } = await owner().store.messages(sessionId).getWindow({ overlays: false });
  expect(entries).toHaveLength(8);
});

test("a compaction of a short input stores it and keeps all of it", { tags: "long" }, async () => {
  const openai = await client();
  const compacted = await openai.responses.compact({ model: model as never, input: "Short" });
  expect(compacted).toMatchObject({ object: "response.compaction", usage: { total_tokens: 0 } });
  await openai.responses.create({
    model,
    input: [...compacted.output, { role: "user", content: "More" }] as never,
  });
  expect(models().requests.at(-1)?.messages).toMatchObject([
    { role: "user", content: "Short\n\nMore" },
  ]);
});

test("a compaction that is not stored leaves nothing, and holds what a response continues from", async () => {
  const openai = await client();
  const answer = (text: string) => ({ role: "assistant", content: text });
  const input = [
    { role: "developer", content: "Be brief." },
    { role: "user", content: long("One") },
    answer(long("Yes")),
    { role: "user", content: "Two" },
    { type: "function_call", call_id: "c1", name: "get_weather", arguments: "{}" },
    { type: "function_call_output", call_id: "c1", output: long("Sun") },
    answer(long("It shines")),
    { role: "user", content: "Last" },
  ];
  models().answer = "They spoke of leaves.";
  const before = await storedCounts();
  const compacted = await openai.responses.compact({ model, input, store: false } as never);
  expect(compacted.output.map(({ type }) => type)).toEqual([
    ...["message", "message", "message"],
    "compaction",
  ]);
  expect(compacted.usage.output_tokens).toBeGreaterThan(0);
  expect(await storedCounts()).toEqual(before);
  for (const store of [false, true]) {
    await openai.responses.create({
      model,
      store,
      input: [...compacted.output, { role: "user", content: "Go on" }] as never,
    });
    expect(models().requests.at(-1)?.messages).toMatchObject([
      { role: "system", content: "Be brief." },
      { role: "user", content: "They spoke of leaves.\n\nTwo" },
      { role: "assistant", tool_calls: [{ id: expect.stringMatching(/^[a-z0-9]{9}$/) }] },
      { role: "tool", content: long("Sun") },
      { role: "assistant", content: long("It shines") },
      { role: "user", content: "Last\n\nGo on" },
    ]);
  }
});

test("a compaction that is not stored takes no stored response", async () => {
  const { openai, last } = await conversation();
  const request = { model, previous_response_id: last.id, store: false } as never;
  await expect(openai.responses.compact(request)).rejects.toMatchObject({
    status: 400,
    param: "store",
  });
  const stored = await openai.responses.compact({ model: model as never, input: "Short" });
  const next = { model, input: stored.output as never, store: false };
  await expect(openai.responses.create(next)).rejects.toMatchObject({ status: 400 });
});

async function storedCounts() {
  const [counts] = await database().sql`
    select
      (select count(*) from chat_session) as sessions,
      (select count(*) from chat_message) as messages,
      (select count(*) from chat_compaction) as compactions,
      (select count(*) from chat_run) as runs`;
  return counts;
}

test("a compaction's cost counts for its key", { tags: "long" }, async () => {
  const { last } = await conversation();
  const { key, secret } = await keyWith();
  models().answer = "They spoke of leaves.";
  await clientWith(secret).responses.compact({ model, previous_response_id: last.id });
  const rows = await database().sql`select kind from chat_usage where key_id = ${key.id}`;
  expect(rows).toMatchObject([{ kind: "summary" }]);
});

test.each([
  ["nothing to compact", {}],
  ["a compaction made elsewhere", { input: [{ type: "compaction", encrypted_content: "e30" }] }],
  ["an unknown response", { previous_response_id: "resp_nothing" }],
])("is refused with %s", async (_, body) => {
  const openai = await client();
  await expect(openai.responses.compact({ model, ...body } as never)).rejects.toMatchObject({
    status: 400,
  });
});

import { expect, test } from "vitest";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { serveV1, weather } from "./testing/v1-server";

const { client, database, models, owner } = serveV1();

const said = (role: "user" | "assistant", content: string) => ({ role, content });
const reference = (id: string | null | undefined) =>
  ({ type: "item_reference", id: `${id}` }) as const;

test("a reference to an item of a response or a conversation reads as that item", {
  tags: "long",
}, async () => {
  const openai = await client();
  const first = await openai.responses.create({ input: "One" });
  const { id } = await openai.conversations.create({ items: [said("user", "Two")] });
  const { data } = await openai.conversations.items.list(id);
  await openai.responses.create({
    input: [{ id: `${data[0]?.id}` }, reference(first.output[0]?.id), said("user", "Three")],
  });
  expect(models().requests.at(-1)?.messages).toMatchObject([
    { role: "user", content: "Two" },
    { role: "assistant", content: "You said: One" },
    { role: "user", content: "Three" },
  ]);
  const added = await openai.conversations.items.create(id, {
    items: [reference(first.output[0]?.id)],
  });
  expect(added.data).toMatchObject([{ content: [{ text: "You said: One" }] }]);
});

test("a history of references goes on in its chat, also with the result of a call", {
  tags: "long",
}, async () => {
  const openai = await client();
  const first = await openai.responses.create({ input: "Weather in Oslo?", tools: [weather] });
  const [call] = first.output;
  if (call?.type !== "function_call") throw new Error("No tool was called.");
  const { data } = await openai.responses.inputItems.list(first.id);
  const second = await openai.responses.create({
    input: [
      reference(data[0]?.id),
      reference(call.id),
      { type: "function_call_output", call_id: call.call_id, output: "Sun" },
    ],
  });
  expect(second.output_text).toBe("It says: Sun");
  const run = await owner().runs.get(second.id.slice(5));
  expect(run?.sessionId).toBe((await owner().runs.get(first.id.slice(5)))?.sessionId);
});

test("a response that is not stored takes references, and leaves nothing to refer to", {
  tags: "long",
}, async () => {
  const openai = await client();
  const first = await openai.responses.create({ input: "One" });
  const input = [reference(first.output[0]?.id), said("user", "Two")];
  const second = await openai.responses.create({ input, store: false });
  expect(second.output_text).toBe("You said: Two");
  const missing = { input: [reference(second.output[0]?.id)] };
  await expect(openai.responses.create(missing)).rejects.toMatchObject({ status: 404 });
});

test("a reference to an item of another owner, or of nobody, is refused and stores nothing", {
  tags: "long",
}, async () => {
  const openai = await client();
  const other = newOwner(database().sql);
  const { id: sessionId } = await other.store.sessions.create("Theirs");
  const id = `${sessionId}-0`;
  const parts = [{ type: "text", text: "Secret" }];
  await other.store.messages(sessionId).appendMessage({ id, role: "user", parts });
  const before = await owner().store.sessions.list();
  for (const itemId of [`msg_${id}`, "msg_nothing", "fc_nothing_0"]) {
    const input = [reference(itemId), said("user", "Hi")];
    await expect(openai.responses.create({ input })).rejects.toMatchObject({
      status: 404,
      param: "input",
    });
  }
  expect(await owner().store.sessions.list()).toEqual(before);
});

test("a reference to a deleted item is refused", async () => {
  const openai = await client();
  const first = await openai.responses.create({ input: "One" });
  const [answer] = first.output;
  await openai.responses.delete(first.id);
  const input = [reference(answer?.id)];
  await expect(openai.responses.create({ input })).rejects.toMatchObject({ status: 404 });
});

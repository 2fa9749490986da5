import { expect, test } from "vitest";
import { FoundChats } from "./found-chats";
import { chatGptChat } from "./testing/chatgpt-export";
import { foundIn, jsonFile } from "./testing/found-in";

async function found(...values: unknown[]) {
  const chats = new FoundChats();
  for (const each of await foundIn(jsonFile(values))) chats.add(each);
  chats.end();
  return chats.take();
}

const chat = (title: string, id: string) =>
  chatGptChat([{ id: "q", text: "Hello there" }], { title, id, conversation_id: id });

test("Chats with one id are taken once, and named", async () => {
  const { chats, problems } = await found(chat("One", "a"), chat("Two", "a"), chat("Three", "b"));
  expect(chats.map(({ title }) => title)).toEqual(["One", "Three"]);
  expect(problems).toEqual([
    {
      name: "“Two”",
      message: "The files hold chats with one id more than once. The first of each is taken.",
    },
  ]);
});

test("Chats without ids are told apart by their content", async () => {
  const { chats } = await found(chat("One", ""), chat("Two", ""), chat("Two", ""));
  expect(chats.map(({ title }) => title)).toEqual(["One", "Two"]);
});

test("A chat that cannot be converted costs only itself", { tags: "long" }, async () => {
  const input = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const deep = `{"title":"Deep","chat_messages":[{"content":[{"type":"tool_use","input":${input}}]}]}`;
  const file = new File([`[${deep},${JSON.stringify(chat("One", "a"))}]`], "conversations.json");
  const chats = new FoundChats();
  for (const each of await foundIn(file)) chats.add(each);
  const { chats: taken, problems } = chats.take();
  expect(taken.map(({ title }) => title)).toEqual(["One"]);
  expect(problems).toHaveLength(1);
});

test("A sentence in a field that no reader knows is named", async () => {
  const { chats } = await found({ ...chat("One", "a"), recap_v2: "They greeted each other." });
  expect(chats[0]?.losses).toEqual(["Words in fields that Grove does not read: “recap_v2”."]);
});

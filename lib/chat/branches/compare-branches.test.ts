import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Conversation, chatProcess, demoModel, newOwner } from "@/lib/chat/testing/chat-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { compareBranches } from "./compare-branches";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function conversation() {
  return new Conversation(newOwner(database.sql), chatProcess(), await demoModel());
}

const ids = (side: { entries: { message: { id: string } }[] }) =>
  side.entries.map(({ message }) => message.id);

describe("comparing two branches", () => {
  test("gives what each has after the last shared message, with sums over its answers", async () => {
    const chat = await conversation();
    const { owner, sessionId } = chat;
    const first = await chat.ask("Where shall we go?");
    const question = await chat.say("And then?", { parentId: first.id });
    const left = await chat.ask("By boat?", { parentId: first.id });
    const compared = await compareBranches(owner, sessionId, { left: left.id, right: question });
    expect(compared.ancestor?.message.id).toBe(first.id);
    expect(compared.left).toMatchObject({
      leafId: left.id,
      messageCount: 2,
      inputTokens: left.metadata?.inputTokens,
      outputTokens: left.metadata?.outputTokens,
      models: ["demo/grove-demo"],
      memory: [],
    });
    expect(ids(compared.left).at(-1)).toBe(left.id);
    expect(ids(compared.right)).toEqual([question]);
    expect(compared.right).toMatchObject({ inputTokens: 0, cost: null, models: [] });
  });

  test("shows originals instead of summaries, and other roots", async () => {
    const chat = await conversation();
    const { owner, sessionId } = chat;
    const messages = owner.store.messages(sessionId);
    for (const text of ["one", "two", "three"]) await chat.say(text);
    const path = (await messages.getHistory()).map(({ id }) => id);
    const [one, two, three] = path as [string, string, string];
    await messages.addCompaction("S", one, two);
    const other = await chat.say("elsewhere", { parentId: null });
    const compared = await compareBranches(owner, sessionId, { left: three, right: other });
    expect(compared.ancestor).toBeNull();
    expect(ids(compared.left)).toEqual([one, two, three]);
    expect(ids(compared.right)).toEqual([other]);
  });

  test("gives the first messages of each side, as many as are asked for, and counts all", async () => {
    const chat = await conversation();
    const start = await chat.say("Start");
    const other = await chat.say("Other", { parentId: start });
    let leaf = start;
    for (const text of ["one", "two", "three"]) leaf = await chat.say(text, { parentId: leaf });
    const request = { left: leaf, right: other };
    const some = await compareBranches(chat.owner, chat.sessionId, { ...request, limit: 2 });
    expect(some.left).toMatchObject({ messageCount: 3 });
    const all = await compareBranches(chat.owner, chat.sessionId, request);
    expect(ids(some.left)).toEqual(ids(all.left).slice(0, 2));
    expect(ids(all.left)).toHaveLength(3);
  });

  test("lists what each wrote into memory, line by line", { tags: "long" }, async () => {
    const chat = await conversation();
    const { owner, sessionId } = chat;
    const start = await chat.say("Hello.");
    const left = await chat.ask("Remember that I like tea.", { parentId: start });
    const right = await chat.ask("Remember that I like boats.", { parentId: start });
    const compared = await compareBranches(owner, sessionId, { left: left.id, right: right.id });
    expect(compared.left.memory).toMatchObject([
      { label: "memory", messageId: left.id, removed: [] },
    ]);
    expect(compared.left.memory[0]?.added?.join()).toContain("tea");
    expect(compared.right.memory[0]?.added?.join()).toContain("boats");
    expect(compared.right.memory[0]?.added?.join()).not.toContain("tea");
  });

  test("knows neither a message nor a session of somebody else", async () => {
    const chat = await conversation();
    const id = await chat.say("Mine.");
    const request = { left: id, right: "nowhere" };
    await expect(compareBranches(chat.owner, chat.sessionId, request)).rejects.toMatchObject({
      code: "message-not-found",
    });
    const stranger = newOwner(database.sql);
    const both = { left: id, right: id };
    await expect(compareBranches(stranger, chat.sessionId, both)).rejects.toMatchObject({
      code: "session-not-found",
    });
  });
});

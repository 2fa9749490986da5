import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
  textOf,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { sendRequest } from "@/lib/chat/wire/messages";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { SessionNotFoundError } from "@/lib/session";
import { sendMessage } from "./send-message";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function conversation(): Conversation {
  const model = resolvedModel(new ManualModel().model);
  return new Conversation(newOwner(database.sql), chatProcess(), model);
}

const parentOf = async (chat: Conversation, id: string) => {
  const tree = await chat.owner.store.messages(chat.sessionId).getTree();
  return tree.find((node) => node.id === id)?.parentId;
};

describe("sending a message", () => {
  test("twice with one id stores one and answers the same", async () => {
    const chat = conversation();
    const first = await chat.send("Hello", { id: "m", generate: false });
    const second = await chat.send("Hello", { id: "m", generate: false });
    expect(second).toEqual(first);
    expect(await chat.owner.store.messages(chat.sessionId).getPathLength()).toBe(1);
  });

  test("ten times at once stores one", async () => {
    const chat = conversation();
    const sent = await Promise.all(
      Array.from({ length: 10 }, () => chat.send("Hello", { id: "m", generate: false })),
    );
    expect(new Set(sent.map(({ entry }) => JSON.stringify(entry))).size).toBe(1);
    expect(await chat.owner.store.messages(chat.sessionId).getPathLength()).toBe(1);
  });

  test("with an id that holds another text is a conflict", async () => {
    const chat = conversation();
    await chat.say("Hello", { id: "m" });
    await expect(chat.say("Goodbye", { id: "m" })).rejects.toMatchObject({
      code: "message-conflict",
    });
  });

  test("continues the active leaf unless told otherwise", async () => {
    const chat = conversation();
    const first = await chat.say("First");
    const second = await chat.say("Second");
    expect(await parentOf(chat, second)).toBe(first);
  });

  test("after a leaf that is no longer the newest makes a sibling under it", async () => {
    const chat = conversation();
    const first = await chat.say("First");
    const second = await chat.say("Second", { expectedLeaf: first });
    const late = await chat.send("Late", { expectedLeaf: first, generate: false });
    expect(await parentOf(chat, late.entry.message.id)).toBe(first);
    expect(late.entry.siblings).toEqual({ index: 1, count: 2, previousId: second, nextId: null });
  });

  test("by somebody who saw an empty session never lands after what they did not see", async () => {
    const chat = conversation();
    await chat.say("First", { expectedLeaf: null });
    const late = await chat.say("Also first", { expectedLeaf: null });
    expect(await parentOf(chat, late)).toBeNull();
  });

  test("under null makes a root beside the others", async () => {
    const chat = conversation();
    const first = await chat.say("First");
    const { entry } = await chat.send("First, edited", { parentId: null, generate: false });
    expect(entry.parentId).toBeNull();
    expect(entry.siblings).toMatchObject({ index: 1, count: 2, previousId: first });
  });

  test("under an unknown message stores nothing", async () => {
    const chat = conversation();
    await chat.say("First");
    await expect(chat.say("Second", { parentId: "unknown" })).rejects.toMatchObject({
      code: "message-not-found",
    });
    expect(await chat.owner.store.messages(chat.sessionId).getPathLength()).toBe(1);
  });

  test("to an unknown session is not found and makes none", async () => {
    const chat = conversation();
    await expect(chat.say("Hello", { newSession: undefined })).rejects.toThrow(
      SessionNotFoundError,
    );
    expect(await chat.owner.store.sessions.get(chat.sessionId)).toBeNull();
  });

  test("to a new session makes it, with its title", async () => {
    const chat = conversation();
    await chat.say("Hello", { newSession: { title: "Greetings\u0000" } });
    expect(await chat.owner.store.sessions.get(chat.sessionId)).toMatchObject({
      name: "Greetings␀",
      source: "web",
      messageCount: 1,
    });
  });

  test("to a session of somebody else is not found", async () => {
    const chat = conversation();
    await chat.say("Mine");
    const stranger = { ...chat.answering, owner: newOwner(database.sql) };
    const request = sendRequest.parse({ id: "m", parts: [{ type: "text", text: "Hi" }] });
    await expect(sendMessage(stranger, chat.sessionId, request)).rejects.toThrow(
      SessionNotFoundError,
    );
  });

  test("shows U+0000 and half characters as replaced, and keeps the rest as it is", async () => {
    const chat = conversation();
    const id = await chat.say("a\u0000b\ud800c \u{1f333} e\u0301");
    expect(textOf(await chat.message(id))).toBe("a␀b\ufffdc \u{1f333} e\u0301");
  });

  test.each([
    ["a file", [{ type: "file", url: "data:" }], "parts.0"],
    [
      "a text that is none",
      [
        { type: "text", text: "x" },
        { type: "text", text: 7 },
      ],
      "parts.1",
    ],
    ["nothing but blanks", [{ type: "text", text: " \n " }], "parts"],
    ["too long a text", [{ type: "text", text: "x".repeat(200_001) }], "parts.0.text"],
  ])("of %s is refused, naming the part", async (_, parts, field) => {
    const chat = conversation();
    await expect(chat.say("", { parts })).rejects.toMatchObject({ code: "bad-parts", field });
    expect(await chat.owner.store.sessions.get(chat.sessionId)).toBeNull();
  });

  test("stores no metadata that a browser sends", async () => {
    const chat = conversation();
    const metadata = { cost: 0, model: "x", status: "complete" };
    const parts = [{ type: "text", text: "Hi" }];
    const request = sendRequest.parse({
      id: "q1",
      parts,
      metadata,
      newSession: {},
      generate: false,
    });
    await sendMessage(chat.answering, chat.sessionId, { ...request, metadata } as typeof request);
    expect(await chat.owner.store.messages(chat.sessionId).getMessage("q1")).not.toHaveProperty(
      "metadata",
    );
  });

  test("keeps no more of a part than its text", async () => {
    const chat = conversation();
    const id = await chat.say("", {
      parts: [{ type: "text", text: "Hi", state: "streaming", x: 1 }],
    });
    expect((await chat.message(id)).parts).toEqual([{ type: "text", text: "Hi" }]);
  });

  test("with a model makes it the session's", async () => {
    const chat = conversation();
    await chat.say("Hello", { model: "test/other" });
    expect(await chat.owner.store.sessions.get(chat.sessionId)).toMatchObject({
      model: "test/other",
    });
  });
});

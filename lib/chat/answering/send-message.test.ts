import { SessionNotFoundError } from "grove-session";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession } from "@/lib/chat/sessions/open-session";
import { entryOf } from "@/lib/chat/sessions/transcript";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
  textOf,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { sendRequest } from "@/lib/chat/wire/messages";
import { identifier } from "@/lib/postgres/connections/sql";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
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

/** Rows of an owner by table, in every table that has owners. */
async function rowCounts({ owner }: Conversation): Promise<Record<string, number>> {
  const { sql } = database;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'owner_id' order by 1`;
  const counts = tables.map(async ({ name }) => {
    const [row] = await sql<[{ count: number }]>`
      select count(*)::integer as count from ${identifier(name)} where owner_id = ${owner.spaceId}`;
    return [name, row.count] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

describe("a refused message stores nothing", () => {
  const unavailable = () => Promise.reject(new Error("unavailable"));
  const refusals: Record<string, (chat: Conversation) => Promise<unknown>> = {
    "of no text": (chat) => chat.send(" "),
    "of another kind": (chat) => chat.send("", { parts: [{ type: "file", url: "x" }] }),
    "of too much text": (chat) => chat.send("a".repeat(200_001)),
    "to an unknown session": (chat) => chat.send("Hi", { newSession: undefined }),
    "under an unknown message": (chat) => chat.send("Hi", { parentId: "nowhere" }),
    "after an unknown leaf": (chat) => chat.send("Hi", { expectedLeaf: "nowhere" }),
    "under itself": (chat) => chat.send("Hi", { id: "m", parentId: "m" }),
    "with a blank id": (chat) => chat.send("Hi", { id: " " }),
    "with the id of a summary": (chat) => chat.send("Hi", { id: "compaction_1" }),
    "with a blank id of its answer": (chat) => chat.send("Hi", { answerId: " " }),
    "for an unknown model": ({ answering, sessionId }) =>
      sendMessage(
        { ...answering, chooseModel: unavailable },
        sessionId,
        sendRequest.parse({
          id: "m",
          parts: [{ type: "text", text: "Hi" }],
          newSession: {},
          model: "nobody/nothing",
        }),
      ),
  };

  test.each(Object.entries(refusals))("%s", async (_, refused) => {
    const chat = conversation();
    const before = await rowCounts(chat);
    await expect(refused(chat)).rejects.toThrow();
    expect(await rowCounts(chat)).toEqual(before);
  });

  test("with the id of an answer as that of its own", async () => {
    const chat = conversation();
    await chat.say("Hello", { id: "m" });
    const before = await rowCounts(chat);
    await expect(chat.send("Next", { answerId: "m" })).rejects.toMatchObject({
      code: "message-conflict",
    });
    expect(await rowCounts(chat)).toEqual(before);
  });

  test("at the limit of answers, and to a process that is ending", { tags: "long" }, async () => {
    const model = new ManualModel();
    const chat = new Conversation(
      newOwner(database.sql),
      chatProcess(),
      resolvedModel(model.model),
    );
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, n) => chat.send(`Q${n}`, { parentId: null })),
    );
    // Other answers are being written meanwhile.
    const ofMessages = async () => {
      const { chat_session, chat_branch, chat_message, chat_run } = await rowCounts(chat);
      return { chat_session, chat_branch, chat_message, chat_run };
    };
    const before = await ofMessages();
    const next = new Conversation(chat.owner, chat.process, resolvedModel(model.model));
    await expect(next.send("Q8")).rejects.toMatchObject({ code: "too-many-runs" });
    expect(await ofMessages()).toEqual(before);
    for (const [n] of runs.entries()) model.turn(n).finish();
    await Promise.all(runs.map(({ run }) => chat.process.ended(run?.id ?? "")));
    await chat.process.runner.end({ drainMs: 0, storeMs: 0 });
    const ended = await ofMessages();
    await expect(next.send("Q9")).rejects.toMatchObject({ code: "shutting-down" });
    expect(await ofMessages()).toEqual(ended);
  });

  test("to a deleted session", async () => {
    const chat = conversation();
    await chat.say("Hello");
    await chat.owner.store.sessions.delete(chat.sessionId);
    const before = await rowCounts(chat);
    await expect(chat.send("Next")).rejects.toMatchObject({ code: "session-exists" });
    await expect(chat.send("Next", { newSession: undefined })).rejects.toThrow(
      SessionNotFoundError,
    );
    expect(await rowCounts(chat)).toEqual(before);
  });
});

describe("sending a message again", () => {
  test("under another parent is a conflict", async () => {
    const chat = conversation();
    await chat.say("First", { id: "m1" });
    await chat.say("Second", { id: "m2", parentId: "m1" });
    for (const parentId of [null, "m2"]) {
      await expect(chat.say("Second", { id: "m2", parentId })).rejects.toMatchObject({
        code: "message-conflict",
      });
    }
    await chat.say("Second", { id: "m2", parentId: "m1" });
  });

  test("is still the same message once its parent was deleted", async () => {
    const chat = conversation();
    await chat.say("First", { id: "m1" });
    await chat.say("Second", { id: "m2", parentId: "m1" });
    await chat.owner.store.messages(chat.sessionId).deleteMessages(["m1"]);
    expect(await chat.say("Second", { id: "m2", parentId: "m1" })).toBe("m2");
  });

  test("with another id of its answer is a conflict, and without one finds its answer", async () => {
    const model = new ManualModel();
    const chat = new Conversation(
      newOwner(database.sql),
      chatProcess(),
      resolvedModel(model.model),
    );
    await chat.send("Hello", { id: "m", answerId: "a" });
    const again = chat.send("Hello", { id: "m", answerId: "b" });
    await expect(again).rejects.toMatchObject({ code: "message-conflict" });
    expect((await chat.send("Hello", { id: "m" })).run?.id).toBe("a");
    model.turn().say("Hi").finish();
    await chat.process.ended("a");
    expect((await chat.send("Hello", { id: "m" })).run?.id).toBe("a");
    const late = chat.send("Hello", { id: "m", answerId: "b" });
    await expect(late).rejects.toMatchObject({ code: "message-conflict" });
    expect(model.calls).toHaveLength(1);
  });
});

describe("creating a session again", () => {
  test("with another title is a conflict, whatever it is called since", async () => {
    const owner = newOwner(database.sql);
    await createSession(owner, { id: "tea", title: "Tea" });
    await owner.store.sessions.update("tea", { name: "Coffee" });
    expect(await createSession(owner, { id: "tea", title: "Tea" })).toMatchObject({
      name: "Coffee",
    });
    expect(await createSession(owner, { id: "tea" })).toMatchObject({ name: "Coffee" });
    await expect(createSession(owner, { id: "tea", title: "Water" })).rejects.toMatchObject({
      code: "session-exists",
    });
  });
});

describe("sending a message", () => {
  test("twice with one id stores one and answers the same", async () => {
    const chat = conversation();
    const first = await chat.send("Hello", { id: "m", generate: false });
    const second = await chat.send("Hello", { id: "m", generate: false });
    expect(second).toEqual(first);
    expect(await chat.owner.store.messages(chat.sessionId).getPathLength()).toBe(1);
  });

  test("replies with the entry that a page reads", async () => {
    const chat = conversation();
    const { sessionId, owner } = chat;
    const shown = async (given: Parameters<typeof chat.send>[1]) => {
      const answerId = crypto.randomUUID();
      const { entry } = await chat.send("Hi", { ...given, answerId });
      expect(entry).toEqual(await entryOf(owner, sessionId, entry.message.id));
      return entry;
    };
    const root = await shown({});
    const { message } = await shown({ parentId: root.message.id });
    expect((await shown({ parentId: root.message.id })).siblings).toMatchObject({
      ...{ index: 1, count: 2, nextId: null },
    });
    expect((await shown({ parentId: null })).siblings.count).toBe(2);
    await shown({ parentId: message.id });
    await shown({ parentId: undefined });
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

import { connect } from "grove-session/postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { deleteSession } from "@/lib/chat/data/deletions";
import { Memory } from "@/lib/chat/memory/memory";
import { Conversation, chatProcess, demoModel, newOwner } from "@/lib/chat/testing/chat-fixture";
import { keptIdOf, temporaryIdOf } from "@/lib/chat/wire/temporary-id";
import { identifier } from "@/lib/postgres/connections/sql";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { openSession } from "./open-session";
import { searchEverything } from "./search";
import { changeSession, forkSession } from "./session-detail";
import { keepTemporaryChat, notePresence, refusalOfKept } from "./temporary-chat";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function temporaryChat(question: string) {
  const kept = newOwner(database.sql);
  const temporary = kept.temporaryChats;
  const sessionId = temporaryIdOf(crypto.randomUUID());
  const chats = chatProcess();
  const chat = new Conversation(temporary, chats, await demoModel(), sessionId);
  const { run, entry } = await chat.send(question, { newSession: {} });
  if (!run) throw new Error("No answer began.");
  await chats.ended(run.id);
  return { kept, temporary, sessionId, questionId: entry.message.id };
}

/** In every table with a column of texts. */
async function placesOf(word: string): Promise<string[]> {
  const columns = await database.sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb')`;
  const found = await Promise.all(
    columns.map(async ({ table, column }) => {
      const { sql } = database;
      const rows = await sql`
        select 1 from ${identifier(table)} where ${identifier(column)}::text like ${`%${word}%`} limit 1`;
      return rows.length > 0 ? [`${table}.${column}`] : [];
    }),
  );
  return found.flat();
}

test("a temporary chat is in no list, no search and no export, and has no title", async () => {
  const { kept, temporary, sessionId } = await temporaryChat("Tell me about quinces");
  expect((await kept.store.sessions.list({})).sessions).toEqual([]);
  expect(await kept.store.sessions.get(sessionId)).toBeNull();
  const { signal } = new AbortController();
  const found = await searchEverything(kept, {
    input: "quinces",
    sessionId: null,
    limit: 5,
    signal,
  });
  expect([found.hits, found.sessions]).toEqual([[], []]);
  const lines = await Array.fromAsync(kept.data.export({}));
  expect(lines.join("")).not.toContain("quinces");
  const info = await temporary.store.sessions.get(sessionId);
  expect(info).toMatchObject({ name: "", metadata: { memoryMode: "off" } });
});

test("its model gets my instructions, and nothing of my memory and knowledge", async () => {
  const { kept, temporary, sessionId } = await temporaryChat("Hello");
  const blocks = await new Memory(kept, null).list();
  const id = blocks.find(({ label }) => label === "memory")?.id ?? "";
  await new Memory(kept, null).write(id, { content: "Keeps bees", expectedVersion: 0 });
  const own = { label: "diet", description: "Food", kind: "writable", scope: "owner" } as const;
  const section = { ...own, writers: "both", maxTokens: 100 } as const;
  await new Memory(kept, null).create(section);
  const labels = (await new Memory(temporary, sessionId).list()).map(({ label }) => label);
  expect(labels.toSorted()).toEqual(["skills", "soul", "todos"]);
  const session = await openSession(temporary, sessionId);
  await session.refreshSystemPrompt();
  const prompt = await session.freezeSystemPrompt();
  expect(JSON.stringify(prompt)).toContain("every memory is a document");
  expect(JSON.stringify(prompt)).not.toContain("bees");
  await expect(
    new Memory(temporary, sessionId).create({ ...section, label: "moods" }),
  ).rejects.toMatchObject({ code: "bad-block" });
});

test("it ends a day after its last message", async () => {
  const { temporary, sessionId } = await temporaryChat("Hello");
  const info = await temporary.store.sessions.get(sessionId);
  const hours = ((info?.expiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThan(24.1);
});

test("nothing of it is left once it has ended", { tags: "long" }, async () => {
  const word = `medlar${crypto.randomUUID().slice(0, 8)}`;
  const { temporary, sessionId } = await temporaryChat(`Tell me about ${word}`);
  expect(await placesOf(word)).not.toEqual([]);
  await deleteSession(temporary, sessionId);
  expect(await placesOf(word)).toEqual([]);
  await deleteSession(temporary, sessionId);
});

test("a prompt that is rendered while it ends does not bring it back", async () => {
  const { temporary, sessionId } = await temporaryChat("Hello");
  await deleteSession(temporary, sessionId);
  await temporary.store.promptCache(sessionId).setFrozen({ prompt: "Late", versions: null });
  expect(await temporary.store.sessions.get(sessionId)).toBeNull();
});

test("a kept one becomes a chat with all of its messages and a title, and is no longer temporary", async () => {
  const { kept, temporary, sessionId, questionId } = await temporaryChat("Tell me about quinces");
  const before = await temporary.store.messages(sessionId).getHistory();
  const info = await keepTemporaryChat({ temporary, kept }, sessionId);
  expect(info).toMatchObject({
    id: keptIdOf(sessionId),
    name: "Tell me about quinces",
    expiresAt: null,
    metadata: { memoryMode: "on" },
  });
  const after = await kept.store.messages(info.id).getHistory();
  expect(after.map(({ id, parts }) => ({ id, parts }))).toEqual(
    before.map(({ id, parts }) => ({ id, parts })),
  );
  expect(after[0]?.id).toBe(questionId);
  expect(await temporary.store.sessions.get(sessionId)).toBeNull();
  expect((await keepTemporaryChat({ temporary, kept }, sessionId)).id).toBe(info.id);
});

test("it is not kept over another chat, and loses nothing", async () => {
  const { kept, temporary, sessionId } = await temporaryChat("Tell me about quinces");
  await kept.store.sessions.create("Another", { id: keptIdOf(sessionId) });
  await expect(keepTemporaryChat({ temporary, kept }, sessionId)).rejects.toThrow();
  expect(await temporary.store.messages(sessionId).getHistory()).toHaveLength(2);
});

test("it cannot be forked, as the fork would stay", async () => {
  const { temporary, sessionId, questionId } = await temporaryChat("Hello");
  await expect(
    forkSession(temporary, sessionId, { messageId: questionId, withSideBranches: false }),
  ).rejects.toThrow("A temporary chat cannot be forked. Keep it first.");
});

test("ends soon after its last tab closed, unless one comes back", async () => {
  const { temporary, sessionId } = await temporaryChat("Tell me about pears");
  const minutesLeft = async () => {
    const info = await temporary.store.sessions.get(sessionId);
    return ((info?.expiresAt?.getTime() ?? 0) - Date.now()) / 60_000;
  };
  await notePresence(temporary, sessionId, { isOpen: false });
  expect(await minutesLeft()).toBeLessThan(10.1);
  await notePresence(temporary, sessionId, { isOpen: true });
  expect(await minutesLeft()).toBeGreaterThan(23 * 60);
});

test("never changes memory, even when asked to", async () => {
  const { temporary, sessionId } = await temporaryChat("Tell me about plums");
  for (const memoryMode of ["on", "ask"] as const)
    await expect(changeSession(temporary, sessionId, { memoryMode })).rejects.toThrow("Keep it");
});

test("an imported chat gets no id of a temporary one", async () => {
  const { kept } = await temporaryChat("Tell me about figs");
  const other = newOwner(database.sql);
  const chat = new Conversation(other, chatProcess(), await demoModel());
  await chat.say("Tell me about limes");
  const exported = await Array.fromAsync(other.data.export({}));
  const renamed = exported.map((line) =>
    line.replaceAll(`"${chat.sessionId}"`, `"temporary-temporary-${chat.sessionId}"`),
  );
  const lines = (async function* () {
    yield* renamed;
  })();
  await kept.data.import(lines, { onSettings: async () => [] });
  const { sessions } = await kept.store.sessions.list({});
  expect(sessions.map(({ id }) => id)).toEqual([chat.sessionId]);
});

/** Until `count` statements wait for locks. */
function waiting(count: number): Promise<void> {
  return expect
    .poll(
      async () => {
        const rows = await database.sql`
          select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return rows.length;
      },
      { interval: 5, timeout: 5_000 },
    )
    .toBe(count);
}

const another = (id: string) => ({
  id,
  role: "user" as const,
  parts: [{ type: "text", text: id }],
});

test("a message that is sent while it is kept is refused with a sentence, and none is left behind", {
  tags: "long",
}, async () => {
  const { kept, temporary, sessionId, questionId } = await temporaryChat("Tell me about quinces");
  const id = keptIdOf(sessionId);
  const other = connect(database.url, { max: 1 });
  onTestFinished(() => other.end({ timeout: 1 }));
  await other`begin`;
  await other`insert into chat_session (owner_id, session_id) values (${kept.spaceId}, ${id})`;
  const keeping = keepTemporaryChat({ temporary, kept }, sessionId);
  await waiting(1);
  const messages = temporary.store.messages(sessionId);
  const sending = messages.appendMessage(another("late")).catch((error: unknown) => error);
  const labelling = messages.setLabel(questionId, "Late").catch((error: unknown) => error);
  const answer = { id: "late", sessionId, messageId: "late", parentId: questionId, model: "m" };
  const answering = temporary.runs
    .start(answer, 60_000, { maxRunning: 8 })
    .catch((error: unknown) => error);
  await waiting(4);
  await other`rollback`;
  await keeping;
  for (const refused of [await sending, await labelling, await answering])
    expect(await refusalOfKept(kept, sessionId, refused)).toMatchObject({ code: "chat-kept" });
  expect(await kept.store.messages(id).getMessage("late")).toBeNull();
  expect(await kept.store.messages(id).getHistory()).toHaveLength(2);
});

test("its id makes no other chat after it was kept", { tags: "long" }, async () => {
  const { kept, temporary, sessionId } = await temporaryChat("Tell me about quinces");
  await keepTemporaryChat({ temporary, kept }, sessionId);
  const creating = temporary.store.sessions.create("", { id: sessionId });
  const refused = await creating.catch((error: unknown) => error);
  expect(await refusalOfKept(kept, sessionId, refused)).toMatchObject({ code: "chat-kept" });
  const messages = temporary.store.messages(sessionId);
  await expect(messages.appendMessage(another("late"))).rejects.toMatchObject({
    code: "session-not-found",
  });
});

test("each of many messages that are sent while it is kept is in the chat or refused", async () => {
  const { kept, temporary, sessionId } = await temporaryChat("Tell me about quinces");
  const messages = temporary.store.messages(sessionId);
  const acknowledged: string[] = [];
  const send = async (n: number) => {
    await messages.appendMessage(another(`m${n}`)).then(
      () => acknowledged.push(`m${n}`),
      () => undefined,
    );
  };
  const sending = Array.from({ length: 12 }, (_, n) => send(n));
  const keeping = keepTemporaryChat({ temporary, kept }, sessionId);
  await Promise.all([...sending, keeping, keepTemporaryChat({ temporary, kept }, sessionId)]);
  const stored = await kept.store.messages(keptIdOf(sessionId)).getHistory();
  expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
});

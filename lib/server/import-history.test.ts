import { PostgresSessionStore } from "grove-session/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChatRecords, chatRecords, enclosingLines } from "@/lib/history/chat-records";
import { readChatGpt } from "@/lib/history/chatgpt";
import { chatGptChat, type Said } from "@/lib/history/testing/chatgpt-export";
import { importLines } from "@/lib/postgres/internal";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function imported(ownerId: string, chats: readonly (ChatRecords | null)[]) {
  const { header, end } = enclosingLines(chats.length, new Date());
  async function* lines() {
    yield header;
    for (const chat of chats) yield* chat?.lines ?? [];
    yield end;
  }
  return importLines(database.sql, lines(), { ownerId });
}

const conversation = (id: string, said: readonly Said[]) =>
  chatRecords(readChatGpt(chatGptChat(said, { id, conversation_id: id })), () => null);

test("A chat of another product comes in with its branches, and a second time changes nothing", async () => {
  const ownerId = crypto.randomUUID();
  const chat = conversation("one", [
    { id: "q", text: "Which tree?" },
    { id: "a1", parent: "q", role: "assistant", text: "An oak.", at: 1_700_000_001 },
    { id: "a2", parent: "q", role: "assistant", text: "A maple.", at: 1_700_000_002 },
    { id: "q2", parent: "a1", text: "How tall?", at: 1_700_000_003 },
  ]);
  expect(await imported(ownerId, [chat])).toMatchObject({
    sessions: { imported: 1 },
    problems: [],
  });
  const messages = new PostgresSessionStore(database.sql, ownerId).messages("one");
  const history = async (leaf?: string) =>
    (await messages.getHistory(leaf)).map(({ id, parts }) => [id, parts[0]?.text]);
  expect(await history()).toEqual([
    ["q", "Which tree?"],
    ["a1", "An oak."],
    ["q2", "How tall?"],
  ]);
  expect(await history("a2")).toEqual([
    ["q", "Which tree?"],
    ["a2", "A maple."],
  ]);
  expect(await imported(ownerId, [chat])).toMatchObject({
    sessions: { imported: 0, already: 1 },
    problems: [],
  });
});

test("Whatever ids and texts an export holds, each of its chats comes in or is named", async () => {
  const hostile = ["__proto__", "a b", "x".repeat(5_000), "compaction_1", "\u0000", "\ud800"];
  const chats = hostile.map((id, at) =>
    conversation(id, [
      { id, text: `Text ${at}\u0000 \ud800` },
      { id: "answer", parent: id, role: "assistant", text: "Yes" },
    ]),
  );
  expect(await imported(crypto.randomUUID(), chats)).toMatchObject({
    sessions: { imported: hostile.length, failed: 0 },
    problems: [],
  });
});

test("The same words of two people never meet", async () => {
  const chat = conversation("shared", [{ id: "q", text: "Mine" }]);
  const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
  await imported(one, [chat]);
  expect(await imported(other, [chat])).toMatchObject({ sessions: { imported: 1, already: 0 } });
});

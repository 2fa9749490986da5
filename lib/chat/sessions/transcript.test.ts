import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { changeSession, forkSession, sessionDetail } from "./session-detail";
import { transcript } from "./transcript";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function talk() {
  const model = new ManualModel();
  const chat = new Conversation(newOwner(database.sql), chatProcess(), resolvedModel(model.model));
  const question = await chat.say("Question");
  return { chat, model, question };
}

describe("transcript", () => {
  test("shows messages as they were stored, with parents, siblings and times", async () => {
    const { chat, model, question } = await talk();
    model.turn().say("Answer").finish();
    const answer = await chat.ask("Next");
    const { entries, leafId, hasMore, runs } = await transcript(chat.owner, chat.sessionId, {});
    expect(entries.map((entry) => [entry.message.role, entry.parentId])).toEqual([
      ["user", null],
      ["user", question],
      ["assistant", entries[1]?.message.id],
    ]);
    expect(entries[2]?.message).toMatchObject({
      id: answer.id,
      parts: answer.parts,
      metadata: answer.metadata,
    });
    expect(entries[2]?.siblings).toEqual({ index: 0, count: 1, previousId: null, nextId: null });
    expect(new Date(entries[0]?.createdAt ?? "").getTime()).toBeGreaterThan(Date.now() - 60_000);
    expect({ leafId, hasMore, runs }).toEqual({ leafId: answer.id, hasMore: false, runs: [] });
  });

  test("tells of the answers being written in the session, and of no others", async () => {
    const { chat, model } = await talk();
    const other = new Conversation(
      chat.owner,
      chat.process,
      resolvedModel(new ManualModel().model),
    );
    await other.say("Elsewhere");
    const { run } = await chat.send("Next");
    const { runs } = await transcript(chat.owner, chat.sessionId, {});
    expect(runs).toEqual([run]);
    expect(run).toMatchObject({ status: "running", parentId: expect.any(String) });
    expect((await transcript(chat.owner, other.sessionId, {})).runs).toEqual([]);
    model.turn().finish();
    await chat.process.ended(run?.id ?? "");
  });

  test("shows a summary as one line with the range it covers", async () => {
    const { chat, question } = await talk();
    const second = await chat.say("Second");
    await chat.say("Third");
    const messages = chat.owner.store.messages(chat.sessionId);
    const compaction = await messages.addCompaction("In short", question, second, {
      tokensBefore: 900,
      tokensAfter: 300,
      rangeTokens: 612,
      model: "demo/grove-demo",
      cost: 0.002,
    });
    const { entries } = await transcript(chat.owner, chat.sessionId, {});
    expect(entries).toHaveLength(2);
    expect(entries[0]?.compaction).toEqual({
      id: compaction.id,
      summary: "In short",
      fromMessageId: question,
      toMessageId: second,
      createdAt: compaction.createdAt.toISOString(),
      messageCount: 2,
      rangeTokens: 612,
      summaryTokens: 3,
      model: "demo/grove-demo",
      cost: 0.002,
    });
  });

  test("knows the size of a range from what its summary saved, where nothing else was noted", async () => {
    const { chat, question } = await talk();
    await chat.say("Second");
    const messages = chat.owner.store.messages(chat.sessionId);
    const saved = { tokensBefore: 900, tokensAfter: 300 };
    await messages.addCompaction("In short", question, question, saved);
    const { entries } = await transcript(chat.owner, chat.sessionId, {});
    expect(entries[0]?.compaction).toMatchObject({ rangeTokens: 603, summaryTokens: 3 });
  });

  test("of an empty session is empty; an unknown leaf or session is not found", async () => {
    const { chat } = await talk();
    const { owner } = chat;
    const { id } = await owner.store.sessions.create("Empty");
    expect(await transcript(owner, id, {})).toEqual({
      entries: [],
      leafId: null,
      hasMore: false,
      runs: [],
      summaries: [],
    });
    await expect(transcript(owner, id, { leafId: "x" })).rejects.toMatchObject({
      code: "message-not-found",
    });
    await expect(transcript(owner, "x", {})).rejects.toMatchObject({ code: "session-not-found" });
  });
});

describe("a session", () => {
  test("tells where it comes from and what came from it", async () => {
    const { chat, question } = await talk();
    const { owner, sessionId } = chat;
    await changeSession(owner, sessionId, { title: "Trees" });
    const fork = await forkSession(owner, sessionId, {
      messageId: question,
      withSideBranches: false,
    });
    expect(fork).toMatchObject({
      title: "Trees (branch)",
      parentSessionId: sessionId,
      forkedAtMessageId: question,
    });
    expect((await sessionDetail(owner, sessionId)).forks).toEqual([
      { id: fork.id, title: "Trees (branch)" },
    ]);
    expect(await sessionDetail(owner, fork.id)).toMatchObject({
      parent: { id: sessionId, title: "Trees" },
      activeLeafId: question,
    });
  });

  test("is changed only where a change is given", async () => {
    const { chat } = await talk();
    const changed = await changeSession(chat.owner, chat.sessionId, {
      pinned: true,
      tags: ["a"],
    });
    expect(changed).toMatchObject({
      title: "",
      pinned: true,
      archived: false,
      tags: ["a"],
      memoryMode: "on",
    });
    expect(await changeSession(chat.owner, chat.sessionId, { memoryMode: "off" })).toMatchObject({
      pinned: true,
      memoryMode: "off",
    });
    expect(await changeSession(chat.owner, chat.sessionId, { memoryMode: "ask" })).toMatchObject({
      memoryMode: "ask",
    });
  });
});

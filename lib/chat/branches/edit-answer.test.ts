import type { SessionMessage } from "grove-session";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receiptOf } from "@/lib/chat/answering/answer-receipt";
import { markdownLines } from "@/lib/chat/data/markdown-lines";
import { searchEverything } from "@/lib/chat/sessions/search";
import { requireSession } from "@/lib/chat/sessions/transcript";
import { Conversation, chatProcess, demoModel, newOwner } from "@/lib/chat/testing/chat-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { editAnswer, editedAnswer } from "./edit-answer";
import { answerVersions } from "./keep-answer";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe("editedAnswer", () => {
  const call = { type: "tool-web_search", toolCallId: "c", state: "output-available", output: {} };
  const original: SessionMessage = {
    id: "a",
    role: "assistant",
    parts: [
      { type: "reasoning", text: "Hm" },
      { type: "text", text: "I look it up.", providerMetadata: { some: { id: "x" } } },
      call,
      { type: "text", text: "It is blue." },
    ],
    metadata: { status: "stopped", model: "test/model", runId: "a", cost: 1, thoughtMs: [5] },
  };

  test("changes texts only, and keeps who wrote it, not what it cost", () => {
    expect(editedAnswer(original, { id: "b", texts: ["I look it up.", "It is red."] })).toEqual({
      id: "b",
      role: "assistant",
      parts: [
        { type: "reasoning", text: "Hm" },
        { type: "text", text: "I look it up." },
        call,
        { type: "text", text: "It is red." },
      ],
      metadata: { status: "complete", model: "test/model", thoughtMs: [5], editedFrom: "a" },
    });
  });

  test("leaves an emptied text out", () => {
    const { parts } = editedAnswer(original, { id: "b", texts: [" ", "It is red."] });
    expect(parts.map(({ type }) => type)).toEqual(["reasoning", "tool-web_search", "text"]);
  });

  test.each([
    ["a question", { ...original, role: "user" as const }, ["a", "b"], /Only an answer/],
    ["of another number of texts", original, ["a"], /has changed/],
    ["emptied", original, ["", " "], /is empty/],
    ["that waits", { ...original, metadata: { status: "paused" } }, ["a", "b"], /waits for you/],
  ])("refuses one %s", (_, message, texts, problem) => {
    expect(() => editedAnswer(message, { id: "b", texts })).toThrow(problem);
  });
});

test("an edited answer is a version, marked wherever it is shown; the original stays", {
  tags: "long",
}, async () => {
  const owner = newOwner(database.sql);
  const chat = new Conversation(owner, chatProcess(), await demoModel());
  const { sessionId } = chat;
  const first = await chat.ask("Please greet me");
  const parentId = (await owner.store.messages(sessionId).getHistory())[0]?.id ?? "";
  const at = { sessionId, messageId: first.id };
  const texts = ["A pelican says hello."];
  const entry = await editAnswer(owner, at, { id: "edited", texts });
  expect(entry).toMatchObject({ parentId, siblings: { index: 1, count: 2 } });
  expect(await editAnswer(owner, at, { id: "edited", texts })).toEqual(entry);
  expect(await chat.message(first.id)).toEqual(first);

  const versions = await answerVersions(owner, { sessionId, messageId: parentId });
  expect(versions.map(({ isEdited }) => isEdited)).toEqual([false, true]);

  const own = await receiptOf(owner, sessionId, "edited");
  expect(own).toEqual({ ...(await receiptOf(owner, sessionId, first.id)), isOfOriginal: true });
  const next = await chat.ask("And again", { parentId: "edited" });
  const receipt = await receiptOf(owner, sessionId, next.id);
  expect(receipt?.messages.map(({ preview, isEdited = false }) => [preview, isEdited])).toEqual([
    ["Please greet me", false],
    ["A pelican says hello.", true],
    ["And again", false],
  ]);

  const found = await searchEverything(owner, { input: "pelican", sessionId: null, limit: 5 });
  expect(found.hits).toMatchObject([{ id: "edited", isEdited: true }]);
  const info = await requireSession(owner, sessionId);
  const lines = markdownLines(owner.store.messages(sessionId), { info, leafId: undefined });
  const heads = (await Array.fromAsync(lines)).join("").match(/^## .*$/gm) ?? [];
  expect(heads.map((head) => head.endsWith(" · Edited by you"))).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

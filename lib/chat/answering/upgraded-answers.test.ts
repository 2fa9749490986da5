import type { UIMessageChunk } from "ai";
import type { SessionMessagePart } from "grove-session";
import { migrate } from "grove-session/postgres";
import type { JSONValue } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newOwner, textOf } from "@/lib/chat/testing/chat-fixture";
import { endedAnswer, halfAnAnswer, manualChat, sweep } from "@/lib/chat/testing/run-fixture";
import { weatherSource } from "@/lib/chat/tools/testing/weather-tool";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { withVersion } from "@/lib/postgres/testing/version-folder";
import { decideCall } from "./decide-call";

const ownerId = "person";
const call = { toolCallId: "call", input: { city: "Rome" } };
const asking = {
  ...{ type: "tool-weather", state: "approval-requested", approval: { id: "approval" } },
  ...call,
};
const pause = {
  number: 1,
  calls: [{ approvalId: "approval", toolCallId: "call", decision: null }],
};
const approved = { approvalId: "approval", toolCallId: "call", decision: { approved: true } };
const asked: UIMessageChunk[] = [
  { type: "start", messageId: "answer" },
  { type: "start-step" },
  { type: "tool-input-available", toolName: "weather", ...call },
  { type: "tool-approval-request", approvalId: "approval", toolCallId: "call" },
  { type: "finish-step" },
];
const paused = {
  ...{ status: "paused", runId: "answer", model: "test/model" },
  ...{ choice: "default", inputTokens: 7 },
};

interface Left {
  readonly status: "running" | "paused";
  readonly pause?: JSONValue;
  readonly chunks?: readonly UIMessageChunk[];
}

/** Runs as processes of version 0.2 left them, by their chats. */
const left: Readonly<Record<string, Left>> = {
  paused: { status: "paused", pause },
  withdrawn: { status: "paused", pause },
  "stored, not paused": {
    status: "running",
    chunks: [...asked, { type: "finish", messageMetadata: paused }],
  },
  writing: { status: "running", chunks: halfAnAnswer },
  "gone on": {
    ...{ status: "running", pause: { number: 1, calls: [approved] } },
    chunks: [
      { type: "start", messageId: "answer" },
      { type: "tool-output-available", toolCallId: "call", output: "Sunny" },
      { type: "start-step" },
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "It is " },
    ],
  },
};

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  const { sql } = database;
  await withVersion({ count: 1 }, (root) => migrate(sql, { root }));
  for (const [id, { status, pause: waits, chunks = [] }] of Object.entries(left)) {
    await sql`insert into chat_session (owner_id, session_id) values (${ownerId}, ${id})`;
    await sql`
      insert into chat_run (owner_id, run_id, session_id, message_id, parent_id, model, status, lease_until, pause)
      values (
        ${ownerId}, ${`answer of ${id}`}, ${id}, ${`answer of ${id}`}, ${`question of ${id}`}, 'test/model', ${status},
        now() + interval '1 hour', ${waits ? JSON.stringify(waits) : null}::text::jsonb
      )`;
    await sql`
      insert into chat_stream (owner_id, run_id, n, size, delta)
      values (${ownerId}, ${`answer of ${id}`}, 0, ${chunks.length}, ${JSON.stringify(chunks)})`;
  }
  await migrate(sql);
});
afterAll(() => database.drop());

/** The chat in the upgraded app, with the messages that the version before had stored. */
async function upgraded(sessionId: string, parts: SessionMessagePart[] | null) {
  const { source, calls } = weatherSource({ policy: "ask" });
  const owner = newOwner(database.sql, ownerId, { toolSources: () => [source] });
  const chat = manualChat(database.sql, { owner, sessionId });
  const messages = owner.store.messages(sessionId);
  const question = { type: "text", text: "Weather?" };
  const answerId = `answer of ${sessionId}`;
  const questionId = `question of ${sessionId}`;
  await messages.appendMessage({ id: questionId, role: "user", parts: [question] }, null);
  if (parts) {
    const metadata = { ...paused, runId: answerId };
    const answer = { id: answerId, role: "assistant" as const, parts, metadata };
    await messages.appendMessage(answer, questionId);
  }
  await database.sql`
    update chat_run set lease_until = now() - interval '1 minute'
    where owner_id = ${ownerId} and run_id = ${answerId}`;
  return { ...chat, answerId, calls, owner };
}

test("An answer that version 0.2 had paused goes on with the person's word", async () => {
  const chat = await upgraded("paused", [{ type: "step-start" }, asking]);
  const { model, conversation, answerId, calls } = chat;
  model.turn().say("It is sunny.").finish();
  const place = { sessionId: "paused", messageId: answerId, approvalId: "approval" };
  await decideCall(conversation.answering, place, { decision: "approve", forChat: false });
  const done = await endedAnswer(chat, answerId);
  expect(calls).toEqual(["Rome"]);
  expect(textOf(done)).toBe("It is sunny.");
  expect(done.metadata).toMatchObject({ status: "complete", choice: "default", inputTokens: 17 });
});

test("An answer that version 0.2 had paused stops without its call when the chat goes on", async () => {
  const { conversation, answerId, calls, owner, model } = await upgraded("withdrawn", [asking]);
  model.turn().say("Fine.").finish();
  await conversation.ask("Never mind", { parentId: answerId });
  const stopped = await conversation.message(answerId);
  expect(stopped.parts).toMatchObject([{ state: "output-denied" }]);
  expect(stopped.metadata).toEqual({ ...paused, status: "stopped", runId: answerId });
  expect(await owner.runs.get(answerId)).toMatchObject({ status: "stopped" });
  expect(calls).toEqual([]);
});

test("An answer that version 0.2 had stored waits once its pause is stored, too", async () => {
  const id = "stored, not paused";
  const { owner, answerId } = await upgraded(id, [{ type: "step-start" }, asking]);
  await sweep(database.sql, owner);
  expect(await owner.runs.get(answerId)).toMatchObject({ status: "paused", pause });
});

test("An answer that version 0.2 was writing is kept as interrupted", async () => {
  const { owner, conversation, answerId } = await upgraded("writing", null);
  await sweep(database.sql, owner);
  const answer = await conversation.message(answerId);
  expect(textOf(answer)).toBe("Half an answer");
  expect(answer.metadata).toEqual({
    ...{ status: "interrupted", runId: answerId, model: "test/model" },
  });
});

test("An answer that version 0.2 was going on with keeps what it was before", async () => {
  const chat = await upgraded("gone on", [{ type: "step-start" }, asking]);
  await sweep(database.sql, chat.owner);
  const answer = await chat.conversation.message(chat.answerId);
  expect(answer.parts).toMatchObject([
    { type: "step-start" },
    { state: "output-available", output: "Sunny" },
    { type: "step-start" },
    { type: "text", text: "It is " },
  ]);
  expect(answer.metadata).toMatchObject({ status: "interrupted", inputTokens: 7 });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  Conversation,
  chatProcess,
  demoModel,
  newOwner,
  resolvedModel,
  textIn,
  textOf,
} from "@/lib/chat/testing/chat-fixture";
import { begunAnswer, sweep } from "@/lib/chat/testing/run-fixture";
import { startRunRequest } from "@/lib/chat/wire/messages";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { receiptOf } from "./answer-receipt";
import { answerMessage } from "./send-message";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** An answer that was stopped after some words, and a way to go on with one. */
async function stoppedAnswer(text = "The kettle is") {
  const chat = await begunAnswer(database.sql, text);
  const { conversation, owner, process, run, questionId: parentId } = chat;
  const { sessionId } = conversation;
  await process.runner.stop(owner, run.id);
  await process.ended(run.id);
  const goOn = (continues: string, answerId: string) => {
    const request = startRunRequest.parse({ answerId, parentId, continues });
    return answerMessage(conversation.answering, sessionId, request);
  };
  const goneOn = async (continues: string, answerId: string) => {
    await goOn(continues, answerId);
    await process.ended(answerId);
    return conversation.message(answerId);
  };
  return { ...chat, sessionId, first: run.id, goOn, goneOn };
}

test("a stopped answer goes on as a version, in the same text; the first stays", async () => {
  const { model, conversation, owner, sessionId, first, goneOn } = await stoppedAnswer();
  const before = await conversation.message(first);
  model.turn(1).say("kettle is on, ").say("and hot.").finish();
  const second = await goneOn(first, "second");
  expect(textOf(second)).toBe("The kettle is on, and hot.");
  expect(second.parts.filter(({ type }) => type === "text")).toHaveLength(1);
  expect(second.metadata).toMatchObject({ status: "complete", continuedFrom: first });
  expect(await conversation.message(first)).toEqual(before);

  const said = model.calls[1]?.prompt.slice(-3).map(({ role, content }) => [role, content]);
  expect(said).toMatchObject([
    ["user", [{ text: "Question" }]],
    ["assistant", [{ text: "The kettle is" }]],
    ["user", [{ text: expect.stringContaining("was cut off") }]],
  ]);
  const receipt = await receiptOf(owner, sessionId, "second");
  expect(receipt?.messages).toMatchObject([
    { role: "user", preview: "Question" },
    { id: first, preview: "The kettle is", goesOn: true },
    { id: "grove_continue", preview: expect.stringContaining("was cut off") },
  ]);
  expect(receipt?.messages.every(({ since }) => since === undefined)).toBe(true);
});

test("its viewers read the kept text first", async () => {
  const { model, conversation, first, goOn } = await stoppedAnswer();
  model.turn(1).say(" on.").finish();
  await goOn(first, "second");
  expect(textIn(await conversation.watch("second"))).toBe("The kettle is on.");
});

test("can be stopped and go on again", async () => {
  const { model, conversation, owner, process, first, goOn, goneOn } = await stoppedAnswer();
  model.turn(1).say(" on, and");
  await goOn(first, "second");
  await model.turn(1).opened;
  await conversation.readsUpTo("second", "text-delta");
  await expect
    .poll(async () => textIn(process.runner.live.get(owner.spaceId, "second")?.chunks ?? []))
    .toBe("The kettle is on, and");
  await process.runner.stop(owner, "second");
  await process.ended("second");
  expect(textOf(await conversation.message("second"))).toBe("The kettle is on, and");
  model.turn(2).say(" hot.").finish();
  expect(textOf(await goneOn("second", "third"))).toBe("The kettle is on, and hot.");
});

test("a model that writes on gets no words of Grove's", async () => {
  const { model, conversation, first, goOn, process } = await stoppedAnswer("The ket");
  const goesOn = resolvedModel(model.model, { goesOn: true });
  Object.assign(conversation.answering, { chooseModel: async () => goesOn });
  model.turn(1).say("tle is on.").finish();
  await goOn(first, "second");
  await process.ended("second");
  expect(textOf(await conversation.message("second"))).toBe("The kettle is on.");
  expect(model.calls[1]?.prompt.at(-1)).toMatchObject({
    role: "assistant",
    content: [{ text: "The ket" }],
  });
});

test("a process that dies meanwhile loses neither part", { tags: "long" }, async () => {
  const { model, conversation, owner, first, goOn } = await stoppedAnswer();
  model.turn(1).say(" on, and");
  await goOn(first, "second");
  await expect
    .poll(async () => textIn((await owner.runs.readChunks("second", 0)) as never))
    .toBe("The kettle is on, and");
  await database.sql`update chat_run set lease_until = now() - interval '1 minute'
    where owner_id = ${owner.spaceId} and run_id = 'second'`;
  await sweep(database.sql, owner);
  const second = await conversation.message("second");
  expect(textOf(second)).toBe("The kettle is on, and");
  expect(second.metadata).toMatchObject({ status: "interrupted", continuedFrom: first });
  expect(textOf(await conversation.message(first))).toBe("The kettle is");
});

describe("is refused", () => {
  test("for a whole answer, and for one to another question", { tags: "long" }, async () => {
    const { model, conversation, first, goOn, goneOn, sessionId } = await stoppedAnswer();
    model.turn(1).say(" on.").finish();
    await goneOn(first, "second");
    await expect(goOn("second", "third")).rejects.toThrow("cannot go on");
    const other = await conversation.say("Another question");
    const request = startRunRequest.parse({ answerId: "x", parentId: other, continues: first });
    const asked = answerMessage(conversation.answering, sessionId, request);
    await expect(asked).rejects.toThrow("another question");
  });
});

test("the demo goes on with what it would have said", async () => {
  const owner = newOwner(database.sql);
  const chat = new Conversation(owner, chatProcess(), await demoModel());
  const whole = await chat.ask("Tell me about tea");
  const messages = owner.store.messages(chat.sessionId);
  const [question] = await messages.getHistory();
  const parentId = question?.id ?? "";
  const half = textOf(whole).slice(0, 40);
  const parts = [{ type: "text", text: half }];
  const metadata = { status: "stopped", model: "demo/grove-demo" };
  await messages.appendMessage({ id: "half", role: "assistant", parts, metadata }, parentId);
  const request = startRunRequest.parse({ answerId: "on", parentId, continues: "half" });
  await answerMessage(chat.answering, chat.sessionId, request);
  await chat.process.ended("on");
  expect(textOf(await chat.message("on"))).toBe(textOf(whole));
});

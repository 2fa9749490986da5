import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
  textIn,
  textOf,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { begunAnswer, demoChat, manualChat } from "@/lib/chat/testing/run-fixture";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { answerParts } from "./answer-message";
import { receiptOf } from "./answer-receipt";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe("an answer", () => {
  test("is stored whole, with usage, cost, status and the receipt of what it was given", async () => {
    const { model, conversation, owner } = manualChat(database.sql);
    model.turn().say("Hello ").say("there").finish();
    const answer = await conversation.ask("Hi");
    const id = answer.id;
    expect(answer).toMatchObject({ role: "assistant", metadata: { runId: id } });
    expect(answer.metadata).toEqual({
      status: "complete",
      runId: id,
      model: "test/model",
      inputTokens: 10,
      outputTokens: 5,
      cost: 0.000015,
      input: { estimated: expect.any(Number), reported: 10 },
    });
    expect(textOf(answer)).toBe("Hello there");
    const receipt = (await receiptOf(owner, conversation.sessionId, id)) as ReceiptWire;
    expect(receipt).toMatchObject({
      model: "test/model",
      messages: [{ role: "user", preview: "Hi" }],
      skills: [],
      usage: { inputTokens: 10, outputTokens: 5 },
      cost: 0.000015,
    });
    expect(receipt.finishedAt).not.toBeNull();
    expect(receipt.blocks.map(({ label }) => label)).toEqual(["soul", "memory", "todos"]);
    expect(await owner.store.sessions.get(conversation.sessionId)).toMatchObject({
      inputTokens: 10,
      outputTokens: 5,
      cost: 0.000015,
      messageCount: 2,
    });
  });

  test("reads to a viewer exactly as it is stored", async () => {
    const conversation = await demoChat(database.sql);
    const { run } = await conversation.send("Think about trees, please");
    const id = run?.messageId ?? "";
    const chunks = await conversation.watch(id);
    const stored = await conversation.message(id);
    expect(await answerParts(chunks)).toEqual(stored.parts);
    expect(textIn(chunks)).toBe(textOf(stored));
    expect(chunks.at(-1)).toEqual({ type: "finish", messageMetadata: stored.metadata });
  });

  test("reads the same from the log after it has ended", async () => {
    const conversation = await demoChat(database.sql);
    const { run } = await conversation.send("Tell me about tea");
    const id = run?.messageId ?? "";
    const seen = await conversation.watch(id);
    await conversation.process.ended(id);
    expect(await conversation.watch(id)).toEqual(seen);
    expect(await conversation.watch(id, 5)).toEqual(seen.slice(5));
  });

  test("gives a viewer who joins at chunk n the rest", async () => {
    const { conversation, run, turn } = await begunAnswer(database.sql, "one ");
    const all = conversation.watch(run.id);
    turn.say("two ").say("three").finish();
    const chunks = await all;
    for (let n = 0; n <= chunks.length; n++)
      expect(await conversation.watch(run.id, n)).toEqual(chunks.slice(n));
  });

  test("is followed by its owner alone, even where another owner's run has the same id", async () => {
    const ids = { id: "question", answerId: "same-id" };
    const mine = manualChat(database.sql);
    const { process } = mine;
    const other = new ManualModel();
    const theirs = new Conversation(newOwner(database.sql), process, resolvedModel(other.model));
    const myTurn = mine.model.turn().say("for ");
    await mine.conversation.send("Question", ids);
    await mine.conversation.readsUpTo("same-id", "text-delta");
    const theirTurn = other.turn().say("for ");
    await theirs.send("Question", ids);
    await theirs.readsUpTo("same-id", "text-delta");
    myTurn.say("me").finish();
    expect(textIn(await mine.conversation.watch("same-id"))).toBe("for me");
    theirTurn.say("them").finish();
    expect(textIn(await theirs.watch("same-id"))).toBe("for them");
  });

  test("goes on when its viewers leave", async () => {
    const { conversation, process, run, turn, owner } = await begunAnswer(database.sql, "one ");
    const leave = new AbortController();
    const viewer = process.runner.follow(owner, { runId: run.id, after: 0, signal: leave.signal });
    await viewer.next();
    leave.abort();
    await viewer.return(undefined);
    turn.say("two").finish();
    expect(await process.ended(run.id)).toBe("complete");
    expect(textOf(await conversation.message(run.messageId))).toBe("one two");
  });

  test("does not wait for listeners of its end", async () => {
    const never = Promise.withResolvers<void>();
    const { model, conversation } = manualChat(database.sql, { finished: () => never.promise });
    model.turn().say("Done").finish();
    const { run } = await conversation.send("Hi");
    expect(textIn(await conversation.watch(run?.id ?? ""))).toBe("Done");
    never.resolve();
  });
});

describe("asking again", () => {
  test("with the same answer id starts nothing twice, before and after the end", async () => {
    const { model, conversation, run, turn, questionId, process } = await begunAnswer(
      database.sql,
      "one",
    );
    const again = { id: questionId, answerId: run.messageId };
    expect((await conversation.send("Question", again)).run).toMatchObject({
      id: run.id,
      status: "running",
    });
    turn.finish();
    await process.ended(run.id);
    expect((await conversation.send("Question", again)).run).toMatchObject({
      id: run.id,
      status: "complete",
    });
    expect(model.calls).toHaveLength(1);
  });

  test("makes the new answer the one that the session opens at, whichever was shown", async () => {
    const { conversation, run, turn, questionId, model, process } = await begunAnswer(
      database.sql,
      "one",
    );
    turn.finish();
    await process.ended(run.id);
    model.turn(1).say("two").finish();
    const { id } = await conversation.askAgain(questionId);
    const messages = conversation.owner.store.messages(conversation.sessionId);
    expect((await messages.getLatestLeaf())?.id).toBe(id);
  });

  test("at the same moment starts one answer", async () => {
    const { model, conversation, process } = manualChat(database.sql);
    const ids = { id: "question", answerId: "answer" };
    const sent = await Promise.all([1, 2, 3, 4, 5].map(() => conversation.send("Hi", ids)));
    model.turn().say("Hello").finish();
    await process.ended("answer");
    expect(new Set(sent.map(({ run }) => run?.id))).toEqual(new Set(["answer"]));
    expect(model.calls).toHaveLength(1);
    expect(await conversation.owner.store.messages(conversation.sessionId).getPathLength()).toBe(2);
  });

  test("takes the limit of its installation", async () => {
    const model = new ManualModel();
    const process = chatProcess({ maxRunning: 1 });
    const chat = new Conversation(newOwner(database.sql), process, resolvedModel(model.model));
    const { run } = await chat.send("Q1", { parentId: null });
    await expect(chat.send("Q2", { parentId: null })).rejects.toThrow("1 answer is already");
    model.turn().finish();
    await process.ended(run?.id ?? "");
    const next = await chat.send("Q2", { parentId: null });
    model.turn(1).finish();
    await process.ended(next.run?.id ?? "");
  });

  test("finds the run that is there when no more may begin", { tags: "long" }, async () => {
    const { conversation, model } = manualChat(database.sql);
    for (let n = 0; n < 8; n++)
      await conversation.send(`Q${n}`, { answerId: `a${n}`, id: `q${n}`, parentId: null });
    await expect(conversation.send("Q8", { parentId: null })).rejects.toMatchObject({
      code: "too-many-runs",
    });
    expect(
      (await conversation.send("Q3", { answerId: "a3", id: "q3", parentId: null })).run?.id,
    ).toBe("a3");
    for (let n = 0; n < 8; n++) model.turn(n).finish();
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => conversation.process.ended(`a${n}`)));
  });

  test("is refused when the id of the answer belongs to another message", async () => {
    const { conversation } = manualChat(database.sql);
    const question = await conversation.say("Question");
    await expect(conversation.send("Next", { answerId: question })).rejects.toMatchObject({
      code: "message-conflict",
    });
    await expect(conversation.send("Next", { answerId: "compaction_1" })).rejects.toMatchObject({
      code: "invalid-argument",
    });
  });

  test("under another session's answer id is a conflict", async () => {
    const { run, turn, owner, process } = await begunAnswer(database.sql, "one");
    turn.finish();
    await process.ended(run.id);
    const other = new Conversation(owner, process, resolvedModel(new ManualModel().model));
    await expect(other.send("Hi", { answerId: run.id })).rejects.toMatchObject({
      code: "message-conflict",
    });
  });
});

describe("memory", () => {
  test("is written with the answer it came from, and the answer tells the version", async () => {
    const conversation = await demoChat(database.sql);
    const answer = await conversation.ask("Remember that my cat is called Miezi");
    expect(answer.metadata).toMatchObject({
      status: "complete",
      writes: [{ label: "memory", version: 1, lines: { added: 1, removed: 0 } }],
    });
    const [version] = await conversation.owner.blocks
      .text({ label: "memory", sessionId: null })
      .versions();
    expect(version).toMatchObject({
      version: 1,
      provenance: { author: "model", sessionId: conversation.sessionId, messageId: answer.id },
    });
    expect(version?.content).toContain("Miezi");
  });

  test("tells every version an answer wrote, and none that a person wrote meanwhile", async () => {
    const { model, conversation, owner } = manualChat(database.sql);
    model
      .turn(0)
      .call("set_context", { label: "memory", content: "A", action: "append" })
      .finish("tool-calls");
    const { run } = await conversation.send("Remember A and B");
    await model.turn(1).opened;
    await owner.blocks
      .text({ label: "memory", sessionId: null })
      .set("By hand", { provenance: { author: "person" } });
    model
      .turn(1)
      .call("set_context", { label: "memory", content: "B", action: "append" })
      .finish("tool-calls");
    model
      .turn(2)
      .call("set_context", { label: "knowledge", content: "Text", metadata: { title: "A Title" } })
      .finish("tool-calls");
    await model.turn(3).opened;
    await owner.blocks
      .text({ label: "memory", sessionId: null })
      .set("By hand again", { provenance: { author: "person" } });
    model.turn(3).say("Done").finish();
    await conversation.process.ended(run?.id ?? "");
    const line = { added: 1, removed: 0 };
    expect((await conversation.message(run?.messageId ?? "")).metadata?.writes).toEqual([
      { blockId: "memory", label: "memory", version: 1, lines: line },
      { blockId: "memory", label: "memory", version: 3, lines: line },
      { blockId: "knowledge", label: "knowledge", key: "a-title", version: 1, lines: line },
    ]);
  });

  test("is not written again by another answer to the same question", async () => {
    const conversation = await demoChat(database.sql);
    const text = "Remember that my cat is called Miezi";
    const first = await conversation.ask(text, { id: "question" });
    const second = await conversation.askAgain("question");
    expect(second.id).not.toBe(first.id);
    expect(second.metadata?.writes).toBeUndefined();
    expect(textOf(second)).toContain("I know that already, so I wrote nothing.");
    expect(
      await conversation.owner.blocks.text({ label: "memory", sessionId: null }).versions(),
    ).toHaveLength(1);
  });

  test("switched off offers no tool that writes", async () => {
    const { model, conversation, owner } = manualChat(database.sql);
    await conversation.say("Hello");
    await owner.store.sessions.update(conversation.sessionId, { metadata: { memoryMode: "off" } });
    model.turn().say("Hi").finish();
    await conversation.ask("Remember that I like tea");
    const names = model.calls[0]?.tools?.map(({ name }) => name) ?? [];
    expect(names).not.toContain("set_context");
    expect(names).toContain("session_search");
  });
});

describe("a question deleted while it is answered", () => {
  test("does not take the answer with it", async () => {
    const { conversation, process, run, turn, questionId, owner } = await begunAnswer(
      database.sql,
      "Still ",
    );
    const messages = owner.store.messages(conversation.sessionId);
    await messages.deleteMessages([questionId]);
    turn.say("here").finish();
    expect(await process.ended(run.id)).toBe("complete");
    expect(textOf(await conversation.message(run.messageId))).toBe("Still here");
  });
});

describe("an interrupted tool call", () => {
  test("is given to the next call as a failed one", async () => {
    const { model, conversation, process, run, owner, turn } = await begunAnswer(
      database.sql,
      "Let me look. ",
    );
    turn.call("unheard_of", {});
    await process.runner.stop(owner, run.id);
    await process.ended(run.id);
    model.turn(1).say("Fine").finish();
    expect((await conversation.ask("Go on")).metadata?.status).toBe("complete");
    const prompt = model.calls[1]?.prompt ?? [];
    const kinds = prompt.flatMap(({ content }) =>
      typeof content === "string" ? [] : content.map(({ type }) => type),
    );
    expect(kinds.filter((kind) => kind === "tool-result")).toHaveLength(
      kinds.filter((kind) => kind === "tool-call").length,
    );
  });
});

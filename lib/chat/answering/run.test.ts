import { isToolUIPart } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession } from "@/lib/chat/sessions/open-session";
import {
  Conversation,
  chatProcess,
  demoModel,
  newOwner,
  resolvedModel,
  textIn,
  textOf,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { answerParts } from "./answer-message";
import { ChunkLog } from "./chunk-log";
import { LiveRun } from "./live-runs";
import { writeAnswer } from "./write-answer";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A conversation with a model the test controls. */
function manual() {
  const model = new ManualModel();
  const conversation = new Conversation(
    newOwner(database.sql),
    chatProcess(),
    resolvedModel(model.model),
  );
  return { model, conversation, owner: conversation.owner, process: conversation.process };
}

async function demo() {
  return new Conversation(newOwner(database.sql), chatProcess(), await demoModel());
}

/** A question whose answer has begun with `text`. */
async function begun(text: string) {
  const setting = manual();
  const { model, conversation } = setting;
  model.turn().say(text);
  const { run, entry } = await conversation.send("Question");
  if (!run) throw new Error("No answer was asked for.");
  if (text !== "") await conversation.readsUpTo(run.id, "text-delta");
  return { ...setting, run, questionId: entry.message.id, turn: model.turn() };
}

describe("an answer", () => {
  test("is stored whole, with usage, cost, status and the receipt of what it was given", async () => {
    const { model, conversation, owner } = manual();
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
    const receipt = (await owner.runs.receiptOf(conversation.sessionId, id)) as ReceiptWire;
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

  test("keeps exactly what the model was given in its receipt", async () => {
    const { model, conversation, owner } = manual();
    model.turn(0).say("One").finish();
    model.turn(1).say("Two").finish();
    await conversation.ask("First");
    const second = await conversation.ask("Second");
    const receipt = (await owner.runs.receiptOf(conversation.sessionId, second.id)) as ReceiptWire;
    const [system, ...messages] = model.calls[1]?.prompt ?? [];
    expect(system).toMatchObject({ role: "system", content: receipt.prompt });
    expect(receipt.messages.map(({ role, preview }) => [role, preview])).toEqual([
      ["user", "First"],
      ["assistant", "One"],
      ["user", "Second"],
    ]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(model.calls[1]?.tools?.map(({ name }) => name).sort()).toEqual(receipt.tools.toSorted());
  });

  test("reads to a viewer exactly as it is stored", async () => {
    const conversation = await demo();
    const { run } = await conversation.send("Think about trees, please");
    const id = run?.messageId ?? "";
    const chunks = await conversation.watch(id);
    const stored = await conversation.message(id);
    expect(await answerParts(chunks)).toEqual(stored.parts);
    expect(textIn(chunks)).toBe(textOf(stored));
    expect(chunks.at(-1)).toEqual({ type: "finish", messageMetadata: stored.metadata });
  });

  test("reads the same from the log after it has ended", async () => {
    const conversation = await demo();
    const { run } = await conversation.send("Tell me about tea");
    const id = run?.messageId ?? "";
    const seen = await conversation.watch(id);
    await conversation.process.ended(id);
    expect(await conversation.watch(id)).toEqual(seen);
    expect(await conversation.watch(id, 5)).toEqual(seen.slice(5));
  });

  test("gives a viewer who joins at chunk n the rest", async () => {
    const { conversation, run, turn } = await begun("one ");
    const all = conversation.watch(run.id);
    turn.say("two ").say("three").finish();
    const chunks = await all;
    for (let n = 0; n <= chunks.length; n++)
      expect(await conversation.watch(run.id, n)).toEqual(chunks.slice(n));
  });

  test("is followed by its owner alone, even where another owner's run has the same id", async () => {
    const ids = { id: "question", answerId: "same-id" };
    const mine = manual();
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
    const { conversation, process, run, turn, owner } = await begun("one ");
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
    const { model, conversation } = manual();
    const process = chatProcess({ finished: () => never.promise });
    const heard = new Conversation(conversation.owner, process, resolvedModel(model.model));
    model.turn().say("Done").finish();
    const { run } = await heard.send("Hi");
    expect(textIn(await heard.watch(run?.id ?? ""))).toBe("Done");
    never.resolve();
  });
});

describe("asking again", () => {
  test("with the same answer id starts nothing twice, before and after the end", async () => {
    const { model, conversation, run, turn, questionId, process } = await begun("one");
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

  test("at the same moment starts one answer", async () => {
    const { model, conversation, process } = manual();
    const ids = { id: "question", answerId: "answer" };
    const sent = await Promise.all([1, 2, 3, 4, 5].map(() => conversation.send("Hi", ids)));
    model.turn().say("Hello").finish();
    await process.ended("answer");
    expect(new Set(sent.map(({ run }) => run?.id))).toEqual(new Set(["answer"]));
    expect(model.calls).toHaveLength(1);
    expect(await conversation.owner.store.messages(conversation.sessionId).getPathLength()).toBe(2);
  });

  test("finds the run that is there when no more may begin", async () => {
    const { conversation, model } = manual();
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
    const { conversation } = manual();
    const question = await conversation.say("Question");
    await expect(conversation.send("Next", { answerId: question })).rejects.toMatchObject({
      code: "message-conflict",
    });
    await expect(conversation.send("Next", { answerId: "compaction_1" })).rejects.toMatchObject({
      code: "invalid-argument",
    });
  });

  test("under another session's answer id is a conflict", async () => {
    const { run, turn, owner, process } = await begun("one");
    turn.finish();
    await process.ended(run.id);
    const other = new Conversation(owner, process, resolvedModel(new ManualModel().model));
    await expect(other.send("Hi", { answerId: run.id })).rejects.toMatchObject({
      code: "message-conflict",
    });
  });
});

describe("stopping", () => {
  test("keeps what was written and marks it", async () => {
    const { conversation, process, run, owner } = await begun("Half an ans");
    const seen = conversation.watch(run.id);
    await process.runner.stop(owner, run.id);
    expect(await process.ended(run.id)).toBe("stopped");
    const answer = await conversation.message(run.messageId);
    expect(textOf(answer)).toBe("Half an ans");
    expect(answer.metadata).toEqual({ status: "stopped", runId: run.id, model: "test/model" });
    expect(textIn(await seen)).toBe("Half an ans");
    expect(await owner.runs.get(run.id)).toMatchObject({ status: "stopped" });
  });

  test("works from another process", async () => {
    const { process, run, owner } = await begun("Half");
    await chatProcess().runner.stop(owner, run.id);
    expect(await process.ended(run.id)).toBe("stopped");
  });

  test("an answer that has ended changes nothing, an unknown one is not found", async () => {
    const { conversation, process, run, owner, turn } = await begun("All");
    turn.finish();
    await process.ended(run.id);
    await process.runner.stop(owner, run.id);
    expect((await conversation.message(run.messageId)).metadata?.status).toBe("complete");
    await expect(process.runner.stop(owner, "unknown")).rejects.toMatchObject({
      code: "run-not-found",
    });
  });
});

describe("a model that fails", () => {
  test.each([
    [
      "breaks the connection",
      "cut",
      (turn: ReturnType<ManualModel["turn"]>) => turn.break(new TypeError("terminated")),
    ],
    [
      "reports an error",
      "overloaded",
      (turn: ReturnType<ManualModel["turn"]>) =>
        turn.report(new Error("overloaded_error")).finish("error"),
    ],
    [
      "ends with the reason error",
      "cut",
      (turn: ReturnType<ManualModel["turn"]>) => turn.finish("error"),
    ],
    [
      "reaches its length limit",
      "cut",
      (turn: ReturnType<ManualModel["turn"]>) => turn.finish("length"),
    ],
    [
      "is filtered",
      "refused",
      (turn: ReturnType<ManualModel["turn"]>) => turn.finish("content-filter"),
    ],
    ["hangs up without a word", "cut", (turn: ReturnType<ManualModel["turn"]>) => turn.hangUp()],
  ])("when it %s leaves its text, marked failed with %s", async (_, code, fail) => {
    const { conversation, process, run, turn } = await begun("So far so good");
    fail(turn);
    expect(await process.ended(run.id)).toBe("failed");
    const answer = await conversation.message(run.messageId);
    expect(textOf(answer)).toBe("So far so good");
    expect(answer.metadata).toMatchObject({ status: "failed", error: { code } });
    expect(answer.metadata?.error?.message).toMatch(/\.$/);
  });

  test.each([
    ["simulate a rate limit", "rate-limited"],
    ["simulate a bad key", "bad-key"],
    ["simulate an overflow", "context-overflow"],
    ["simulate an overload", "overloaded"],
  ])("before its first word (%s) leaves an empty answer marked %s", async (question, code) => {
    const conversation = await demo();
    const answer = await conversation.ask(question);
    expect(textOf(answer)).toBe("");
    expect(answer.metadata).toMatchObject({ status: "failed", error: { code } });
  });

  test("can be asked again beside the failed answer, which the next call does not choke on", async () => {
    const { model, conversation, process, run, turn, questionId } = await begun("");
    turn.break(new TypeError("terminated"));
    await process.ended(run.id);
    model.turn(1).say("Now").finish();
    const again = await conversation.askAgain(questionId);
    expect(textOf(again)).toBe("Now");
    const siblings = await conversation.owner.store
      .messages(conversation.sessionId)
      .getBranches(questionId);
    expect(siblings.map(({ id }) => id)).toEqual([run.messageId, again.id]);
  });
});

describe("memory", () => {
  test("is written with the answer it came from, and the answer tells the version", async () => {
    const conversation = await demo();
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
    const { model, conversation, owner } = manual();
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
    const conversation = await demo();
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
    const { model, conversation, owner } = manual();
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
    const { conversation, process, run, turn, questionId, owner } = await begun("Still ");
    const messages = owner.store.messages(conversation.sessionId);
    await messages.deleteMessages([questionId]);
    turn.say("here").finish();
    expect(await process.ended(run.id)).toBe("complete");
    expect(textOf(await conversation.message(run.messageId))).toBe("Still here");
  });
});

describe("an interrupted tool call", () => {
  test("is given to the next call as a failed one", async () => {
    const { model, conversation, process, run, owner, turn } = await begun("Let me look. ");
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

test.each([
  [
    Object.assign(new Error("write"), { code: "CONNECTION_CLOSED" }),
    "The database does not answer",
  ],
  [new Error("column x does not exist"), "Grove could not read this chat"],
])(
  "An answer whose input cannot be read (%s) is no fault of the model",
  async (cause, sentence) => {
    const { model, conversation, owner } = manual();
    const parentId = await conversation.say("Question");
    const { sessionId } = conversation;
    const run = { id: "a", messageId: "a", sessionId, parentId, model: "test/model" };
    const started = await owner.runs.start(run, 9_000, { maxRunning: 1 });
    if (!started) throw new Error("Not started.");
    const end = await writeAnswer({
      owner,
      run: started.run,
      live: new LiveRun(),
      log: new ChunkLog(owner, "a", null),
      resolved: resolvedModel(model.model),
      prepared: {
        session: () => openSession(owner, sessionId),
        found: [],
        input: () => Promise.reject(cause),
      },
      variation: 0,
      maxCharacters: 1_000,
    });
    expect((await conversation.message("a")).metadata).toMatchObject({
      status: "failed",
      error: { code: "unread", message: expect.stringContaining(sentence) },
    });
    expect(end.unread).toMatchObject({ cause });
    expect(model.calls).toHaveLength(0);
  },
);

describe("the limits of an answer", () => {
  test("let 100 tools run in one answer, drop the rest and say why it ended", async () => {
    const { model, conversation } = manual();
    const turn = model.turn();
    for (let n = 0; n < 130; n++)
      turn.call("search_context", { label: "knowledge", query: "tree" });
    turn.finish("tool-calls");
    const answer = await conversation.ask("Search everything");
    const calls = answer.parts.filter(isToolUIPart);
    expect(calls).toHaveLength(100);
    expect(calls.every(({ state }) => state === "output-available")).toBe(true);
    expect(answer.metadata).toMatchObject({
      status: "failed",
      error: { code: "cut", message: expect.stringContaining("limit of tool calls") },
    });
    expect(model.calls).toHaveLength(1);
  });

  test("keep a million characters, end there and say so", async () => {
    const { model, conversation } = manual();
    const turn = model.turn().say("🌳".repeat(499_800));
    turn.say("🌲".repeat(499_800)).say("more");
    const answer = await conversation.ask("Write for ever");
    expect(textOf(answer)).toBe(`${"🌳".repeat(499_800)}${"🌲".repeat(100)}`);
    expect(answer.metadata).toMatchObject({
      status: "failed",
      error: { code: "cut", message: expect.stringContaining("limit of characters") },
    });
  });

  test("report an answer of a provider's own notes as empty", async () => {
    const { model, conversation } = manual();
    model.turn().note().finish();
    expect((await conversation.ask("Hello?")).metadata?.error?.code).toBe("empty");
  });

  test.each(["", " \n"])("report an empty answer (%j) as a failure", async (text) => {
    const { model, conversation } = manual();
    model.turn().say(text).finish();
    expect((await conversation.ask("Hello?")).metadata).toMatchObject({
      status: "failed",
      error: { code: "empty", retryable: true },
    });
  });
});

describe("the receipt", () => {
  test("names the versions that were in the prompt, not those written since", async () => {
    const { model, conversation, owner } = manual();
    const receiptOf = async (id: string) =>
      (await owner.runs.receiptOf(conversation.sessionId, id)) as ReceiptWire;
    await owner.blocks.text({ label: "memory", sessionId: null }).set("One");
    model.turn(0).say("First").finish();
    const first = await conversation.ask("First");
    await owner.blocks.text({ label: "memory", sessionId: null }).set("Two");
    model.turn(1).say("Second").finish();
    const second = await conversation.ask("Second");
    const frozen = [
      { blockId: "soul", label: "soul", version: 0 },
      { blockId: "memory", label: "memory", version: 1 },
      { blockId: "todos", label: "todos", version: 0 },
    ];
    expect((await receiptOf(first.id)).blocks).toEqual(frozen);
    expect((await receiptOf(second.id)).blocks).toEqual(frozen);
  });

  test("names what the answer used: blocks that say something, entries found, skills loaded", async () => {
    const { model, conversation, owner } = manual();
    await owner.blocks.text({ label: "memory", sessionId: null }).set("Likes tea");
    await owner.blocks
      .searchable({ label: "knowledge", sessionId: null })
      .write("boiler", { title: "Boiler", content: "Pressure is 2 bar" });
    await owner.blocks
      .loadable({ label: "skills", sessionId: null })
      .write("brew", { title: "Brew", content: "Boil water" });
    model
      .turn(0)
      .call("search_context", { label: "knowledge", query: "pressure" })
      .call("load_context", { label: "skills", key: "brew" })
      .finish("tool-calls");
    model.turn(1).say("Done").finish();
    const answer = await conversation.ask("How hot?");
    const receipt = (await owner.runs.receiptOf(conversation.sessionId, answer.id)) as ReceiptWire;
    expect(receipt.used).toEqual([
      { label: "soul", key: null, how: "prompt" },
      { label: "memory", key: null, how: "prompt" },
      { label: "knowledge", key: null, how: "prompt" },
      { label: "skills", key: null, how: "prompt" },
      { label: "skills", key: "brew", how: "loaded" },
      { label: "knowledge", key: "boiler", how: "found" },
    ]);
  });
});

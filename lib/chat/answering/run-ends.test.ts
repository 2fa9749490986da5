import { createAnthropic } from "@ai-sdk/anthropic";
import { extractReasoningMiddleware, isToolUIPart, wrapLanguageModel } from "ai";
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
import { begunAnswer, demoChat, manualChat, withFaults } from "@/lib/chat/testing/run-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { noOutcome, reportOf } from "./model-stream";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe("stopping", () => {
  test("keeps what was written and marks it", async () => {
    const { conversation, process, run, owner } = await begunAnswer(database.sql, "Half an ans");
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
    const { process, run, owner } = await begunAnswer(database.sql, "Half");
    await chatProcess().runner.stop(owner, run.id);
    expect(await process.ended(run.id)).toBe("stopped");
  });

  test("an answer that has ended changes nothing, an unknown one is not found", async () => {
    const { conversation, process, run, owner, turn } = await begunAnswer(database.sql, "All");
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
    const { conversation, process, run, turn } = await begunAnswer(database.sql, "So far so good");
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
    const conversation = await demoChat(database.sql);
    const answer = await conversation.ask(question);
    expect(textOf(answer)).toBe("");
    expect(answer.metadata).toMatchObject({ status: "failed", error: { code } });
  });

  test("says whether tools are the reason that a first message does not fit", async () => {
    const tooLong = new Error("This model's maximum context length is 8192 tokens");
    const sentenceOf = async (chat: ReturnType<typeof manualChat>, text: string, call: number) => {
      chat.model.turn(call).break(tooLong);
      return (await chat.conversation.ask(text)).metadata?.error?.message;
    };
    const chat = manualChat(database.sql);
    // Grove's own tools are larger than this question, and yet no reason.
    expect(await sentenceOf(chat, "Hello", 0)).toContain("Shorten it");
    expect(await sentenceOf(chat, "And now?", 1)).toContain("This chat no longer fits");
    const long = await sentenceOf(manualChat(database.sql), "word ".repeat(4_000), 0);
    expect(long).toContain("Shorten it");
    const first = { messages: 4, tools: 36_000 };
    const { problem } = reportOf(
      { ...noOutcome(), error: tooLong },
      { first, thoughtMs: [], leftOut: null },
    );
    expect(problem?.message).toMatch(/of which tools take about 36,000 tokens\. Turn some off/);
  });

  test("can be asked again beside the failed answer, which the next call does not choke on", async () => {
    const { model, conversation, process, run, turn, questionId } = await begunAnswer(
      database.sql,
      "",
    );
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

test("An answer whose input cannot be read is no fault of the model", async () => {
  const cause = new Error("column x does not exist");
  const faultOf = (method: string) => (method === "getLoadedSkills" ? cause : null);
  const owner = withFaults(newOwner(database.sql), faultOf);
  const { model, conversation, process } = manualChat(database.sql, { owner });
  const answer = await conversation.ask("Question");
  expect(answer.metadata).toMatchObject({
    status: "failed",
    error: { code: "unread", message: expect.stringContaining("Grove could not read this chat") },
  });
  expect(process.failures).toMatchObject([{ cause }]);
  expect(model.calls).toHaveLength(0);
});

test("A question that cannot be stored is not answered", async () => {
  const cause = new Error("disk full");
  const faultOf = (method: string) => (method === "ask" ? cause : null);
  const owner = withFaults(newOwner(database.sql), faultOf);
  const { model, conversation, process } = manualChat(database.sql, { owner });
  await expect(conversation.send("Question", { answerId: "answer" })).rejects.toBe(cause);
  expect(await owner.runs.get("answer")).toBeNull();
  expect(process.runner.live.count).toBe(0);
  expect(model.calls).toHaveLength(0);
});

describe("a model whose chunks are in disorder", () => {
  test("is answered with all its words, for viewers too", async () => {
    const { conversation, process, run, turn } = await begunAnswer(database.sql, "Half ");
    const seen = conversation.watch(run.id);
    turn.sayAstray("an ").sayAstray("answer").finish();
    expect(await process.ended(run.id)).toBe("complete");
    expect(textOf(await conversation.message(run.id))).toBe("Half an answer");
    expect(textIn(await seen)).toBe("Half an answer");
    expect(process.failures).toEqual([]);
  });

  test("may begin a thought within a text", async () => {
    const model = new ManualModel();
    const middleware = extractReasoningMiddleware({ tagName: "think" });
    const thinking = wrapLanguageModel({ model: model.model, middleware });
    const owner = newOwner(database.sql);
    const conversation = new Conversation(owner, chatProcess(), resolvedModel(thinking));
    model.turn().say("<think>Hm.</think>Yes.<think></think> No.").finish();
    const answer = await conversation.ask("Question");
    expect(answer.metadata?.status).toBe("complete");
    expect(textOf(answer)).toContain("Yes.");
    expect(textOf(answer)).toContain("No.");
  });
});

/** A model of Anthropic's whose stream holds these events. */
function anthropicSaying(events: readonly { readonly type: string }[]) {
  const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const headers = { "content-type": "text/event-stream" };
  const fetch = async () => new Response(lines.join(""), { headers });
  return createAnthropic({ apiKey: "sk-test", fetch })("claude-sonnet-4-5");
}

test("A delta of Anthropic's whose block never began ends its answer, which can be stopped", async () => {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "m", type: "message", role: "assistant", content: [], model: "c", usage };
  const deltaOf = (index: number, text: string) => {
    return { type: "content_block_delta", index, delta: { type: "text_delta", text } };
  };
  const model = anthropicSaying([
    { type: "message_start", ...{ message } },
    deltaOf(7, "Half an "),
    deltaOf(7, "answer"),
    { type: "message_delta", ...{ delta: { stop_reason: "end_turn" }, usage } },
    { type: "message_stop" },
  ]);
  const owner = newOwner(database.sql);
  const conversation = new Conversation(owner, chatProcess(), resolvedModel(model));
  const answer = await conversation.ask("Question");
  expect(textOf(answer)).toBe("Half an answer");
  expect(answer.metadata?.status).toBe("complete");
  await conversation.process.runner.stop(owner, answer.id);
  expect(await owner.runs.running()).toEqual([]);
  expect(conversation.process.failures).toEqual([]);
});

describe("the limits of an answer", () => {
  test("let 100 tools run in one answer, drop the rest and say why it ended", {
    tags: "long",
  }, async () => {
    const { model, conversation } = manualChat(database.sql);
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

  test("keep a million characters, end there and say so", { tags: "long" }, async () => {
    const { model, conversation } = manualChat(database.sql);
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
    const { model, conversation } = manualChat(database.sql);
    model.turn().note().finish();
    expect((await conversation.ask("Hello?")).metadata?.error?.code).toBe("empty");
  });

  test.each(["", " \n"])("report an empty answer (%j) as a failure", async (text) => {
    const { model, conversation } = manualChat(database.sql);
    model.turn().say(text).finish();
    expect((await conversation.ask("Hello?")).metadata).toMatchObject({
      status: "failed",
      error: { code: "empty", retryable: true },
    });
  });
});

test("An answer without progress ends as interrupted, with its text and the reason", {
  tags: "long",
}, async () => {
  const limits = { stalledMs: 2_000, graceMs: 60_000 };
  const { model, conversation, process } = manualChat(database.sql, { limits });
  model.turn().say("Half an ");
  const { run } = await conversation.send("Question");
  await process.ended(run?.id ?? "");
  const answer = await conversation.message(run?.messageId ?? "");
  expect(textOf(answer)).toBe("Half an ");
  expect(answer.metadata).toMatchObject({
    status: "interrupted",
    error: { code: "timeout", message: expect.stringContaining("without progress") },
  });
});

describe("a process that ends", () => {
  test("waits for the answers it writes", async () => {
    const { turn, conversation, run, process } = await begunAnswer(database.sql);
    const ending = process.runner.end({ drainMs: 60_000, storeMs: 0 });
    turn.say("answer").finish();
    expect(await ending).toBe(0);
    const answer = await conversation.message(run.id);
    expect(textOf(answer)).toBe("Half an answer");
    expect(answer.metadata?.status).toBe("complete");
  });

  test("marks an answer that takes longer as interrupted with its text, and ends its viewers", async () => {
    const { conversation, run, process } = await begunAnswer(database.sql);
    const viewer = conversation.watch(run.id);
    expect(await process.runner.end({ drainMs: 0, storeMs: 60_000 })).toBe(0);
    const answer = await conversation.message(run.id);
    expect(textOf(answer)).toBe("Half an ");
    expect(answer.metadata).toMatchObject({ status: "interrupted" });
    expect(answer.metadata?.error).toBeUndefined();
    expect(await conversation.owner.runs.get(run.id)).toMatchObject({ status: "interrupted" });
    const chunks = await viewer;
    expect(textIn(chunks)).toBe("Half an ");
    expect(chunks.at(-1)).toMatchObject({ messageMetadata: { status: "interrupted" } });
  });

  test("begins no answer", async () => {
    const { conversation, process } = await begunAnswer(database.sql);
    const ending = process.runner.end({ drainMs: 0, storeMs: 60_000 });
    await expect(conversation.send("Another")).rejects.toMatchObject({ code: "shutting-down" });
    await ending;
  });

  test("does not mark an answer that somebody stopped as interrupted", async () => {
    const { conversation, run, process } = await begunAnswer(database.sql);
    await process.runner.stop(conversation.owner, run.id);
    await process.runner.end({ drainMs: 0, storeMs: 60_000 });
    expect((await conversation.message(run.id)).metadata?.status).toBe("stopped");
  });
});

test("A run whose row is gone ends for the model and for its viewers", {
  tags: "long",
}, async () => {
  const { model, conversation, run } = await begunAnswer(database.sql);
  const viewer = conversation.watch(run.id);
  await database.sql`delete from chat_run where owner_id = ${conversation.owner.spaceId}`;
  expect(textIn(await viewer)).toBe("Half an ");
  expect(model.calls[0]?.abortSignal?.aborted).toBe(true);
});

import { type ToolSet, tool } from "ai";
import type { SessionMessagePart } from "grove-session";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { receiptOf } from "@/lib/chat/answering/answer-receipt";
import { contextView } from "@/lib/chat/answering/context-view";
import { type ModelOutcome, streamModel } from "@/lib/chat/answering/model-stream";
import { forkSession } from "@/lib/chat/sessions/session-detail";
import { entryOf, transcript } from "@/lib/chat/sessions/transcript";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { modelInput, sendOutputInFull } from "./model-input";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const contract = "clause ".repeat(4_300);
const page = "y".repeat(312_450);
const mark = "… [truncated: the first 20,000 of 312,450 characters]";

function talk({ contextWindow = 1_000_000 } = {}) {
  const model = new ManualModel();
  const resolved = resolvedModel(model.model, { contextWindow });
  const chat = new Conversation(newOwner(database.sql), chatProcess(), resolved);
  const ask = (text: string) => {
    model
      .turn(model.calls.length)
      .say(`Answer to ${text.slice(0, 20)}`)
      .finish();
    return chat.ask(text);
  };
  const prompt = (call: number) => JSON.stringify(model.calls.at(call)?.prompt);
  return { model, chat, resolved, ask, prompt };
}

/** A conversation in which a tool has fetched a page of 312,450 characters. */
async function withLargeOutput() {
  const setting = talk();
  const { chat, ask } = setting;
  await chat.say("Fetch the page");
  const fetched: SessionMessagePart = {
    type: "dynamic-tool",
    toolName: "fetch",
    toolCallId: "c1",
    state: "output-available",
    input: { url: "https://example.org" },
    output: page,
  };
  const parts = [fetched, { type: "text", text: "Here it is." }];
  await chat.owner.store
    .messages(chat.sessionId)
    .appendMessage({ id: crypto.randomUUID(), role: "assistant", parts });
  const messageId = (await transcript(chat.owner, chat.sessionId, {})).leafId ?? "";
  const sendInFull = (value: boolean) =>
    sendOutputInFull(chat.owner, { sessionId: chat.sessionId, messageId, toolCallId: "c1", value });
  const context = () =>
    contextView(chat.owner, { sessionId: chat.sessionId, resolved: setting.resolved });
  const receiptAfter = async (text: string) => {
    const { id } = await ask(text);
    return (await receiptOf(chat.owner, chat.sessionId, id)) as ReceiptWire;
  };
  return { ...setting, messageId, sendInFull, context, receiptAfter };
}

describe("a text", () => {
  test("of 30,000 characters is given whole in the third request and in the thirtieth", {
    tags: "long",
  }, async () => {
    const { ask, prompt } = talk();
    await ask(contract);
    for (let n = 2; n <= 30; n++) await ask(`Question ${n}`);
    expect(prompt(2)).toContain(contract.trim());
    expect(prompt(29)).toContain(contract.trim());
  });

  test("of the model is given whole as well", { tags: "long" }, async () => {
    const { model, chat, ask, prompt } = talk();
    model.turn(0).say(contract).finish();
    await chat.ask("Write it");
    for (let n = 2; n <= 6; n++) await ask(`Question ${n}`);
    expect(prompt(5)).toContain(contract.trim());
  });
});

describe("what a model is given", () => {
  test("begins with all that it was given before, as long as nothing is compacted", {
    tags: "long",
  }, async () => {
    const { ask, model } = await withLargeOutput();
    for (const text of [contract, "Second", contract, "Fourth", "Fifth", "Sixth"]) await ask(text);
    const prompts = model.calls.map((call) => call.prompt.map((each) => JSON.stringify(each)));
    for (const [n, before] of prompts.slice(0, -1).entries())
      expect(prompts[n + 1]?.slice(0, before.length)).toEqual(before);
    expect(prompts[0]?.join()).toContain(mark);
  });

  test("has a large output shortened also while its answer is being written", async () => {
    const { model } = talk();
    model.turn(0).call("fetch", {}).finish("tool-calls");
    model.turn(1).say("Read").finish();
    const execute = async () => page;
    const tools: ToolSet = {
      fetch: tool({ description: "Fetches.", inputSchema: z.object({}), execute }),
    };
    const outcome: ModelOutcome = {
      finishReason: null,
      usage: undefined,
      firstInputTokens: undefined,
      error: null,
      aborted: false,
      limit: null,
    };
    const call = {
      model: model.model,
      instructions: "Be calm.",
      messages: [
        { id: "q", role: "user", parts: [{ type: "text", text: "Fetch" }], createdAt: new Date() },
      ] as const,
      tools,
      signal: new AbortController().signal,
      variation: 0,
      limits: { maxSteps: 3, maxToolCalls: 9, maxCharacters: 1_000 },
    };
    await Array.fromAsync(streamModel(call, outcome));
    expect(outcome.error).toBeNull();
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain(`"${"y".repeat(20_000)}${mark}"`);
  });
});

describe("an output over the cap", () => {
  test("is shown shortened on its message, in the receipt and in the gauge", async () => {
    const { chat, messageId, context, receiptAfter, prompt } = await withLargeOutput();
    const sizes = { shownChars: 20_000, totalChars: 312_450 };
    const { largeOutputs } = await entryOf(chat.owner, chat.sessionId, messageId);
    expect(largeOutputs).toEqual([
      { messageId, toolCallId: "c1", toolName: "fetch", ...sizes, isSentInFull: false },
    ]);
    expect((await context()).gauge.shortened).toEqual({ count: 1, ...sizes });
    const receipt = await receiptAfter("Next");
    expect(receipt.messages.map(({ shortened }) => shortened)).toEqual([
      undefined,
      [{ toolName: "fetch", ...sizes }],
      undefined,
    ]);
    expect(prompt(0)).toContain(mark);
  });

  test("is sent in full once the person wants it, and shortened again when they no longer do", {
    tags: "long",
  }, async () => {
    const { chat, messageId, sendInFull, context, receiptAfter, prompt } = await withLargeOutput();
    const before = await context();
    await sendInFull(true);
    const after = await context();
    expect(after.gauge.shortened).toBeNull();
    expect(after.gauge.usedTokens - before.gauge.usedTokens).toBeGreaterThan(70_000);
    const { entries } = await transcript(chat.owner, chat.sessionId, {});
    expect(entries.find(({ message }) => message.id === messageId)?.largeOutputs).toMatchObject([
      { isSentInFull: true },
    ]);
    const receipt = await receiptAfter("In full");
    expect(receipt.messages.some(({ shortened }) => shortened)).toBe(false);
    expect(prompt(0)).toContain(page);
    await sendInFull(false);
    await receiptAfter("Shortened");
    expect(prompt(1)).not.toContain(page);
    expect(prompt(1)).toContain(mark);
  });

  test("keeps in a fork what was decided before, and is then decided apart", async () => {
    const { chat, messageId, sendInFull } = await withLargeOutput();
    await sendInFull(true);
    const fork = await forkSession(chat.owner, chat.sessionId, {
      messageId,
      withSideBranches: false,
    });
    await sendInFull(false);
    const { largeOutputs } = await entryOf(chat.owner, fork.id, messageId);
    expect(largeOutputs).toMatchObject([{ isSentInFull: true }]);
  });

  test("must be there to be sent in full", async () => {
    const { chat, messageId } = await withLargeOutput();
    const call = { sessionId: chat.sessionId, messageId, toolCallId: "other", value: true };
    await expect(sendOutputInFull(chat.owner, call)).rejects.toThrow("no such tool call");
  });
});

test("A file that is an address is named to the model and never opened", async () => {
  const { chat, ask, prompt } = talk();
  const first = await chat.say("Look at this");
  const file = {
    type: "file",
    filename: "plan.png",
    mediaType: "image/png",
    url: "http://169.254.169.254/latest?secret=1",
  };
  const parts = [{ type: "text", text: "Here" }, file];
  await chat.owner.store
    .messages(chat.sessionId)
    .appendMessage({ id: "imported", role: "user", parts }, first);
  const answer = await ask("What is in the file?");
  expect(answer.metadata?.status).toBe("complete");
  expect(prompt(-1)).toContain("[File “plan.png” not sent: it is an address");
  expect(prompt(-1)).not.toContain("169.254");
});

test("A call that a provider ran stays out of later requests, with the reasoning before it", () => {
  const call = { type: "tool-web_search", toolCallId: "c", state: "output-available" };
  const message = {
    id: "a1",
    role: "assistant" as const,
    parts: [
      { type: "reasoning", text: "I should search." },
      { ...call, input: {}, output: [], providerExecuted: true },
      { type: "text", text: "Two minutes." },
    ],
  };
  const { messages } = modelInput([message], { sentInFull: undefined });
  expect(messages[0]?.parts).toEqual([{ type: "text", text: "Two minutes." }]);
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redPixel } from "@/lib/chat/files/testing/small-files";
import { changeSession } from "@/lib/chat/sessions/session-detail";
import {
  Conversation,
  chatProcess,
  demoModel,
  newOwner,
  resolvedModel,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { addEntry, writeBlock } from "@/lib/chat/testing/memory-by-label";
import type { ContextWire } from "@/lib/chat/wire/context";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { contextView } from "./context-view";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function talk(info: Parameters<typeof resolvedModel>[1] = {}) {
  const resolved = resolvedModel(new ManualModel().model, info);
  const chat = new Conversation(newOwner(database.sql), chatProcess(), resolved);
  await chat.say("Hello there, how are you?");
  const view = () => contextView(chat.owner, { sessionId: chat.sessionId, resolved });
  const startView = () =>
    contextView(chat.owner, { sessionId: chat.sessionId, leafId: null, resolved });
  return { chat, owner: chat.owner, sessionId: chat.sessionId, view, startView };
}

const tokensOf = ({ gauge }: ContextWire, source: string) =>
  gauge.parts.filter((part) => part.source === source).reduce((sum, part) => sum + part.tokens, 0);

test("lists the files that the model gets as they are, newest first", async () => {
  const { owner, chat, view } = await talk({
    capabilities: { tools: true, reasoning: false, images: true, pdfs: false },
  });
  const attach = async (text: string, name: string, bytes: Uint8Array) => {
    const { sha256 } = await owner.files.put(bytes, { name });
    const file = { type: "file", url: `grove-file:${sha256}`, filename: name };
    await chat.say(text, { parts: [{ type: "text", text }, file] });
  };
  await attach("One", "one.png", redPixel);
  await attach("Two", "two.txt", Buffer.from("Plain text"));
  await attach("Three", "three.png", Buffer.concat([redPixel, Buffer.from("more")]));
  expect((await view()).files.map(({ name }) => name)).toEqual(["three.png", "one.png"]);
});

describe("the gauge", () => {
  test("adds up to what is used, and prices it", async () => {
    const { view } = await talk();
    const { gauge } = await view();
    expect(gauge.usedTokens).toBe(gauge.parts.reduce((sum, part) => sum + part.tokens, 0));
    expect(gauge.parts.every((part) => part.tokens > 0)).toBe(true);
    expect(gauge.contextWindow).toBe(8_000);
    expect(gauge.nextCost).toBeCloseTo(gauge.usedTokens / 1_000_000, 12);
  });

  test("prices nothing whose price nobody knows, and assumes a window nobody knows", async () => {
    const { view } = await talk({ price: null, contextWindow: null });
    expect((await view()).gauge).toMatchObject({ nextCost: null, contextWindow: 32_000 });
  });

  test("counts a loaded skill once", async () => {
    const { owner, sessionId, view } = await talk();
    const before = await view();
    await addEntry(
      owner,
      { label: "skills", sessionId: null },
      { title: "Brewing", content: "Boil water. ".repeat(50) },
    );
    await owner.store
      .messages(sessionId)
      .recordSkillEvent({ label: "skills", key: "brewing" }, "load");
    const after = await view();
    expect(after.loadedSkills).toEqual([{ label: "skills", key: "brewing" }]);
    expect(tokensOf(after, "skills")).toBeGreaterThan(100);
    expect(tokensOf(after, "messages")).toBeLessThan(tokensOf(before, "messages") + 30);
  });

  test("counts no message and no skill before the first one", async () => {
    const { owner, sessionId, startView, view } = await talk();
    await owner.store.messages(sessionId).recordSkillEvent({ label: "skills", key: "x" }, "load");
    const start = await startView();
    expect(tokensOf(await view(), "messages")).toBeGreaterThan(0);
    expect(tokensOf(start, "messages")).toBe(0);
    expect(start.loadedSkills).toEqual([]);
    expect(start.prompt).toBe((await view()).prompt);
  });

  test("counts no tool that is not offered", { tags: "long" }, async () => {
    const { owner, sessionId, view } = await talk();
    const all = tokensOf(await view(), "tools");
    await changeSession(owner, sessionId, { memoryMode: "off" });
    const without = tokensOf(await view(), "tools");
    expect(without).toBeGreaterThan(0);
    expect(without).toBeLessThan(all);
    const { capabilities } = resolvedModel(new ManualModel().model).info;
    const simple = await talk({ capabilities: { ...capabilities, tools: false } });
    expect(tokensOf(await simple.view(), "tools")).toBe(0);
  });

  test("is what the receipt of the next answer says", async () => {
    const chat = new Conversation(newOwner(database.sql), chatProcess(), await demoModel());
    const question = await chat.say("Tell me about tea");
    const view = await contextView(chat.owner, {
      sessionId: chat.sessionId,
      resolved: await demoModel(),
    });
    const answer = await chat.ask("Tell me about tea", { id: question });
    const receipt = (await chat.owner.runs.receiptOf(chat.sessionId, answer.id)) as {
      tokens: { prompt: number; messages: number; tools: number };
      prompt: string;
    };
    expect(view.prompt).toBe(receipt.prompt);
    // The model's count is known only after its answer.
    for (const part of ["prompt", "messages", "tools"] as const) {
      const counted = receipt.tokens[part];
      expect(Math.abs(tokensOf(view, part) - counted)).toBeLessThanOrEqual(0.15 * counted);
    }
  });
});

describe("the frozen prompt", () => {
  test("stays as it is while memory changes, and the view says what has", async () => {
    const { owner, sessionId, view } = await talk();
    const before = await view();
    expect(before.changes).toEqual([]);
    await writeBlock(owner, { label: "memory", sessionId, content: "Likes tea" });
    const after = await view();
    expect(after.prompt).toBe(before.prompt);
    expect(after.changes).toEqual([
      { label: "memory", kind: "changed", before: "", after: "Likes tea" },
    ]);
    expect(after.blocks.find(({ label }) => label === "memory")).toMatchObject({
      content: "Likes tea",
      version: 1,
      error: null,
    });
  });
});

describe("writing a block", () => {
  test("is refused over another's version, over its size, and for what is no plain block", async () => {
    const { owner, sessionId } = await talk();
    const write = (label: string, content: string, expectedVersion?: number) =>
      writeBlock(owner, { label, sessionId, content, expectedVersion });
    expect(await write("todos", "Buy tea\u0000", 0)).toMatchObject({
      content: "Buy tea␀",
      version: 1,
    });
    await expect(write("todos", "x", 0)).rejects.toMatchObject({
      code: "block-conflict",
      currentVersion: 1,
    });
    await expect(write("memory", "word ".repeat(3_000))).rejects.toMatchObject({
      code: "block-too-large",
    });
    await expect(write("knowledge", "x")).rejects.toMatchObject({ code: "block-not-found" });
    await expect(write("nothing", "x")).rejects.toMatchObject({ code: "block-not-found" });
    expect(await write("soul", "Be brief")).toMatchObject({ content: "Be brief", version: 1 });
  });
});

import { InMemorySessionProvider, Session } from "grove-session";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession } from "@/lib/chat/sessions/open-session";
import { changeSession } from "@/lib/chat/sessions/session-detail";
import { resolvedModel } from "@/lib/chat/testing/chat-fixture";
import { writeBlock } from "@/lib/chat/testing/memory-by-label";
import { manualChat } from "@/lib/chat/testing/run-fixture";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { receiptOf, usesAtEnd, usesAtStart } from "./answer-receipt";
import { contextView } from "./context-view";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe("a change of memory", () => {
  const fact = "Collects lighthouses";

  async function answered({ caching }: { caching?: "off" | "1h" } = {}) {
    const { model, conversation, owner, process } = manualChat(database.sql);
    const { sessionId } = conversation;
    const ask = async (n: number) => {
      model.turn(n).say("Yes").finish();
      const { id } = await conversation.ask(`Question ${n}`);
      const receipt = await receiptOf(owner, sessionId, id);
      expect(model.calls[n]?.prompt[0]).toMatchObject({ content: receipt?.prompt });
      const version = receipt?.blocks.find(({ label }) => label === "memory")?.version;
      return { isKnown: receipt?.prompt.includes(fact), version };
    };
    expect((await ask(0)).isKnown).toBe(false);
    if (caching) await changeSession(owner, sessionId, { parameters: { caching } });
    await writeBlock(owner, { label: "memory", sessionId, content: fact });
    const context = async () => {
      const resolved = resolvedModel(model.model);
      const { prompt, changes } = await contextView(owner, { sessionId, resolved });
      return { isKnown: prompt.includes(fact), changes: changes.map(({ label }) => label) };
    };
    const passMinutes = (minutes: number) => database.sql`
      update chat_session set updated_at = updated_at - ${minutes} * interval '1 minute'
      where owner_id = ${owner.spaceId} and session_id = ${sessionId}`;
    const session = () => openSession(owner, sessionId);
    return { ask, context, passMinutes, session, model, conversation, process };
  }

  test("waits while the provider's cache is warm, and reaches the next message after it", async () => {
    const { ask, context, passMinutes } = await answered();
    expect(await ask(1)).toEqual({ isKnown: false, version: 0 });
    await passMinutes(4);
    expect(await context()).toEqual({ isKnown: false, changes: ["memory"] });
    await passMinutes(1);
    expect(await ask(2)).toEqual({ isKnown: true, version: 1 });
    expect(await context()).toEqual({ isKnown: true, changes: [] });
  });

  test("shows in the context of a cold chat before the message that sends it", async () => {
    const { ask, context, passMinutes } = await answered();
    await passMinutes(5);
    expect(await context()).toEqual({ isKnown: true, changes: [] });
    expect((await ask(1)).isKnown).toBe(true);
  });

  test("waits while an answer of the chat is written, however long that takes", async () => {
    const { model, conversation, process, context, passMinutes } = await answered();
    const { run } = await conversation.send("Question 1");
    await passMinutes(5);
    expect(await context()).toEqual({ isKnown: false, changes: ["memory"] });
    model.turn(1).say("Yes").finish();
    await process.ended(run?.id ?? "");
  });

  test("reaches the next message at once on request", async () => {
    const { ask, session } = await answered();
    await (await session()).refreshSystemPrompt();
    expect(await ask(1)).toEqual({ isKnown: true, version: 1 });
  });

  test("waits as long as the chat asks its provider to keep the prompt", {
    tags: "long",
  }, async () => {
    const long = await answered({ caching: "1h" });
    await long.passMinutes(59);
    expect((await long.ask(1)).isKnown).toBe(false);
    const off = await answered({ caching: "off" });
    expect((await off.ask(1)).isKnown).toBe(true);
  });
});

describe("the receipt", () => {
  test("shows the note that stands before a conversation that begins with an answer", async () => {
    const { model, conversation, owner } = manualChat(database.sql);
    model.turn(0).say("One").finish();
    await conversation.ask("First", { id: "first" });
    await owner.store.messages(conversation.sessionId).deleteMessages(["first"]);
    model.turn(1).say("Two").finish();
    const second = await conversation.ask("Second");
    const receipt = (await receiptOf(owner, conversation.sessionId, second.id)) as ReceiptWire;
    const note = "(The conversation begins with an answer.)";
    expect(receipt.messages.map(({ id, preview }) => [id, preview])).toEqual([
      ["grove_note", note],
      [expect.any(String), "One"],
      [expect.any(String), "Second"],
    ]);
    expect(model.calls[1]?.prompt[1]).toMatchObject({
      role: "user",
      content: [{ type: "text", text: note }],
    });
  });

  test("keeps exactly what the model was given in its receipt", async () => {
    const { model, conversation, owner } = manualChat(database.sql);
    model.turn(0).say("One").finish();
    model.turn(1).say("Two").finish();
    await conversation.ask("First");
    const second = await conversation.ask("Second");
    const receipt = (await receiptOf(owner, conversation.sessionId, second.id)) as ReceiptWire;
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

  test("says what was edited or deleted since, and keeps its tokens", async () => {
    const { model, conversation, owner } = manualChat(database.sql);
    const { sessionId } = conversation;
    const session = owner.store.messages(sessionId);
    for (const [n, words] of ["One", "Two", "Three"].entries()) {
      model.turn(n).say(words).finish();
      await conversation.ask(`Q${n}`, { id: `q${n}` });
    }
    const [, first, , , , answer] = await session.getHistory();
    const before = await receiptOf(owner, sessionId, answer?.id ?? "");
    const edited = { id: first?.id ?? "", role: "assistant" as const };
    await session.updateMessage({ ...edited, parts: [{ type: "text", text: "Other words" }] });
    await session.deleteMessages(["q1"]);
    const after = await receiptOf(owner, sessionId, answer?.id ?? "");
    expect(after?.messages.map(({ preview, since }) => [preview, since])).toEqual([
      ["Q0", undefined],
      ["Other words", "edited"],
      ["", "deleted"],
      ["Two", undefined],
      ["Q2", undefined],
    ]);
    const tokensIn = (receipt: typeof after) => receipt?.messages.map(({ tokens }) => tokens);
    expect(tokensIn(after)).toEqual(tokensIn(before));
  });

  test("shows a summary with what it said, and that it was edited since", async () => {
    const { model, conversation, owner } = manualChat(database.sql);
    const { sessionId } = conversation;
    const session = owner.store.messages(sessionId);
    model.turn(0).say("One").finish();
    const first = await conversation.ask("Q0", { id: "q0" });
    const { id } = await session.addCompaction("They greeted.", "q0", first.id);
    model.turn(1).say("Two").finish();
    const second = await conversation.ask("Q1", { id: "q1" });
    const shown = async () =>
      (await receiptOf(owner, sessionId, second.id))?.messages.map(({ preview, since }) => {
        return [preview, since];
      });
    expect(await shown()).toEqual([
      ["They greeted.", undefined],
      ["Q1", undefined],
    ]);
    await session.updateCompaction(id, "They met.");
    expect(await shown()).toEqual([
      ["They met.", "edited"],
      ["Q1", undefined],
    ]);
  });

  test("of a question whose skill is loaded is the same until it is edited", async () => {
    const { model, conversation, owner } = manualChat(database.sql);
    const { sessionId } = conversation;
    await owner.blocks
      .loadable({ label: "skills", sessionId: null })
      .write("brew", { title: "Brew", content: "Boil water" });
    await conversation.say("Hello", { id: "q0" });
    await owner.store
      .messages(sessionId)
      .recordSkillEvent({ label: "skills", key: "brew" }, "load");
    model.turn(0).say("One").finish();
    const answer = await conversation.ask("Tea?", { id: "q1" });
    expect(JSON.stringify(model.calls[0]?.prompt)).toContain("Boil water");
    const receipt = await receiptOf(owner, sessionId, answer.id);
    expect(receipt?.messages.map(({ since }) => since)).toEqual([undefined, undefined]);
  });

  test("names the versions that were in the prompt, not those written since", async () => {
    const { model, conversation, owner } = manualChat(database.sql);
    const blocksOf = async (id: string) =>
      (await receiptOf(owner, conversation.sessionId, id))?.blocks;
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
    expect(await blocksOf(first.id)).toEqual(frozen);
    expect(await blocksOf(second.id)).toEqual(frozen);
  });

  test("names what the answer used: blocks that say something, entries found, skills loaded", async () => {
    const { model, conversation, owner } = manualChat(database.sql);
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
    const receipt = (await receiptOf(owner, conversation.sessionId, answer.id)) as ReceiptWire;
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

const tea = { label: "skills", key: "tea" };
const load = (key: string, output: unknown) => ({
  type: "tool-load_context",
  toolCallId: key,
  state: "output-available",
  input: { label: "skills", key },
  output,
});

test("an answer begins with the blocks that say something, and the skills that are loaded", async () => {
  const session = Session.create(new InMemorySessionProvider()).withContext("todos");
  session.withContext("memory", { initial: "Likes tea" });
  const prompt = await session.freezeSystemPrompt();
  expect(usesAtStart(prompt, [tea])).toEqual([
    { label: "memory", key: null, how: "prompt" },
    { ...tea, how: "loaded" },
  ]);
});

test("what it searched out and loaded is added, each thing once and none that was not there", () => {
  const start = [{ ...tea, how: "loaded" as const }];
  const parts = [load("tea", "Boil"), load("cake", "Bake"), load("none", { outcome: "refused" })];
  const boiler = { label: "knowledge", key: "boiler" };
  expect(usesAtEnd(start, { found: [boiler, boiler], parts })).toEqual([
    { ...tea, how: "loaded" },
    { label: "skills", key: "cake", how: "loaded" },
    { ...boiler, how: "found" },
  ]);
});

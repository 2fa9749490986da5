import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manualChat } from "@/lib/chat/testing/run-fixture";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { renderPrompt } from "@/lib/session/internal";
import { usesAtEnd, usesAtStart } from "./answer-receipt";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe("the receipt", () => {
  test("shows the note that stands before a conversation that begins with an answer", async () => {
    const { model, conversation, owner } = manualChat(database.sql);
    model.turn(0).say("One").finish();
    await conversation.ask("First", { id: "first" });
    await owner.store.messages(conversation.sessionId).deleteMessages(["first"]);
    model.turn(1).say("Two").finish();
    const second = await conversation.ask("Second");
    const receipt = (await owner.runs.receiptOf(conversation.sessionId, second.id)) as ReceiptWire;
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

  test("names the versions that were in the prompt, not those written since", async () => {
    const { model, conversation, owner } = manualChat(database.sql);
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

const block = (label: string, content: string) => ({
  id: label,
  label,
  content,
  tokens: 0,
  writable: true,
  isSkill: false,
  isSearchable: false,
});
const tea = { label: "skills", key: "tea" };
const load = (key: string, output: unknown) => ({
  type: "tool-load_context",
  toolCallId: key,
  state: "output-available",
  input: { label: "skills", key },
  output,
});

test("an answer begins with the blocks that say something, and the skills that are loaded", () => {
  const prompt = renderPrompt([block("memory", "Likes tea"), block("todos", "")]);
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

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contextView } from "@/lib/chat/answering/context-view";
import { labelProblem } from "@/lib/chat/sessions/blocks";
import { openSession } from "@/lib/chat/sessions/open-session";
import { changeSession, forkSession } from "@/lib/chat/sessions/session-detail";
import { transcript } from "@/lib/chat/sessions/transcript";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import {
  addEntry,
  blockViews,
  changeBlock,
  createBlock,
  deleteBlock,
  listEntries,
  restoreBlock,
  writeBlock,
} from "@/lib/chat/testing/memory-by-label";
import { type CreateBlockRequest, createBlockRequest } from "@/lib/chat/wire/memory";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import { acceptProposal } from "./proposals";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function talk() {
  const owner = newOwner(database.sql);
  const model = new ManualModel();
  const resolved = resolvedModel(model.model);
  const chat = new Conversation(owner, chatProcess(), resolved);
  const said = await chat.say("Hello");
  const { sessionId } = chat;
  const view = () => contextView(owner, { sessionId, resolved });
  return { owner, model, chat, sessionId, said, view };
}

const create = (owner: OwnerServices, sessionId: string | null, block: CreateBlockRequest) =>
  createBlock(owner, sessionId, createBlockRequest.parse(block));

const labels = async (owner: OwnerServices, sessionId: string | null) =>
  (await blockViews(owner, sessionId)).filter(({ isOwn }) => isOwn).map(({ label }) => label);

describe("a custom block", () => {
  test("is in every session, and in the prompt from the next freeze on", async () => {
    const { owner, view } = await talk();
    expect((await view()).changes).toEqual([]);
    const block = await create(owner, null, {
      label: "plan",
      description: "What we are up to",
      maxTokens: 300,
    });
    expect(block).toMatchObject({
      label: "plan",
      kind: "writable",
      scope: "owner",
      writers: "both",
      isOwn: true,
      maxTokens: 300,
      content: "",
    });
    const { changes, prompt } = await view();
    expect(changes).toMatchObject([{ label: "plan", kind: "added" }]);
    expect(prompt).not.toContain("PLAN");

    const other = await talk();
    await create(other.owner, null, { label: "plan" });
    expect((await other.view()).prompt).toContain("PLAN [0% — 0/1000 tokens] [writable]");
  });

  test("is offered to the model, whose writes are its versions", async () => {
    const { owner, model, chat, sessionId } = await talk();
    await create(owner, sessionId, { label: "plan", scope: "session", description: "Steps" });
    model.turn(0).call("set_context", { label: "plan", content: "Buy seeds" }).finish("tool-calls");
    model.turn(1).say("Done").finish();
    const answer = await chat.ask("Plan it");
    const tool = model.calls[0]?.tools?.find(({ name }) => name === "set_context");
    const description = expect.stringContaining('- "plan" (writable): Steps');
    expect(tool).toMatchObject({ description });
    expect(answer.metadata?.writes).toMatchObject([{ label: "plan", version: 1 }]);
    const versions = await owner.blocks.text({ label: "plan", sessionId }).versions();
    expect(versions).toMatchObject([{ content: "Buy seeds", provenance: { author: "model" } }]);
  });

  test("that only the person writes is read by the model, once something stands in it", async () => {
    const { owner, sessionId, view } = await talk();
    const block = await create(owner, null, { label: "rules", writers: "person" });
    expect(block.kind).toBe("readonly");
    await writeBlock(owner, { label: "rules", sessionId: null, content: "No emoji" });
    const session = await openSession(owner, sessionId);
    expect(await session.refreshSystemPrompt()).toContain("tokens] [readonly]");
    const provenance = { author: "model" } as const;
    await expect(session.appendContextBlock("rules", "x", { provenance })).rejects.toMatchObject({
      code: "block-writer",
    });
    expect((await view()).blocks.at(-1)).toMatchObject({ content: "No emoji", version: 1 });
  });

  test("of entries is searched by the model", async () => {
    const { owner, sessionId } = await talk();
    await create(owner, sessionId, { label: "recipes", kind: "searchable", scope: "session" });
    const place = { label: "recipes", sessionId };
    await addEntry(owner, place, { title: "Pancakes", content: "Three eggs and flour" });
    expect(await listEntries(owner, { ...place, find: "flour" })).toMatchObject([
      { key: "pancakes" },
    ]);
    const session = await openSession(owner, sessionId);
    const { search_context: search } = await session.tools();
    const call = { toolCallId: "call", messages: [], context: {} };
    expect(await search?.execute?.({ label: "recipes", query: "eggs" }, call)).toContain(
      "Three eggs",
    );
    await expect(
      listEntries(owner, { ...place, sessionId: null, find: undefined }),
    ).rejects.toMatchObject({ code: "block-not-found" });
    await changeBlock(owner, place, { writers: "person" });
    const closed = await openSession(owner, sessionId);
    const entry = { key: "x", content: "x" };
    const provenance = { author: "model" } as const;
    await expect(closed.memory.setEntry("recipes", entry, { provenance })).rejects.toMatchObject({
      code: "block-writer",
    });
  });

  test("of one session is in no other, and comes along with a fork", async () => {
    const { owner, sessionId, said } = await talk();
    await create(owner, sessionId, { label: "plan", scope: "session" });
    await writeBlock(owner, { label: "plan", sessionId, content: "Step one" });
    await create(owner, sessionId, { label: "gone", scope: "session" });
    await deleteBlock(owner, { label: "gone", sessionId });
    const fork = await forkSession(owner, sessionId, { messageId: said, withSideBranches: false });
    await owner.store.sessions.create("Other", { id: `${sessionId}-other` });
    expect(await labels(owner, `${sessionId}-other`)).toEqual([]);
    expect(await labels(owner, null)).toEqual([]);
    expect(await labels(owner, fork.id)).toEqual(["plan"]);
    await writeBlock(owner, { label: "plan", sessionId: fork.id, content: "Step two" });
    const [mine] = (await blockViews(owner, sessionId)).filter(({ isOwn }) => isOwn);
    expect(mine?.content).toBe("Step one");
  });

  test("belongs to its owner alone", async () => {
    const { owner } = await talk();
    const stranger = newOwner(database.sql);
    await create(owner, null, { label: "plan" });
    expect(await labels(stranger, null)).toEqual([]);
    const deletionId = await deleteBlock(owner, { label: "plan", sessionId: null });
    await expect(restoreBlock(stranger, deletionId)).rejects.toMatchObject({
      code: "block-not-found",
    });
  });
});

describe("changing a block", () => {
  test("renames it with its text, its history and what waits to be decided", async () => {
    const { owner, model, chat, sessionId } = await talk();
    await create(owner, null, { label: "plan" });
    await writeBlock(owner, { label: "plan", sessionId: null, content: "One" });
    await changeSession(owner, sessionId, { memoryMode: "ask" });
    model
      .turn(0)
      .call("set_context", { label: "plan", content: "Two", action: "append" })
      .finish("tool-calls");
    model.turn(1).say("Asked").finish();
    const [wish] = (await chat.ask("Go on")).metadata?.proposals ?? [];

    const place = { label: "plan", sessionId: null };
    const renamed = await changeBlock(owner, place, { label: "strategy", description: "Why" });
    expect(renamed).toMatchObject({ label: "strategy", description: "Why", content: "One" });
    await acceptProposal(owner, wish?.id ?? "", {});
    const versions = await owner.blocks.text({ label: "strategy", sessionId: null }).versions();
    expect(versions.map(({ content }) => content)).toEqual(["One\nTwo", "One"]);
    expect(await labels(owner, null)).toEqual(["strategy"]);
  });

  test("gives it more room, or less, but not less than its text needs", async () => {
    const { owner } = await talk();
    await create(owner, null, { label: "plan", maxTokens: 100 });
    const place = { label: "plan", sessionId: null };
    const content = "word ".repeat(80);
    await expect(writeBlock(owner, { ...place, content })).rejects.toMatchObject({
      code: "block-too-large",
    });
    expect(await changeBlock(owner, place, { maxTokens: 400 })).toMatchObject({ maxTokens: 400 });
    await writeBlock(owner, { ...place, content });
    await expect(changeBlock(owner, place, { maxTokens: 50 })).rejects.toMatchObject({
      code: "block-too-large",
    });
  });

  test("describes and resizes the blocks that everybody has, and leaves what they are", async () => {
    const { owner, sessionId, view } = await talk();
    const place = { label: "todos", sessionId };
    const changed = await changeBlock(owner, place, { description: "Steps", maxTokens: 500 });
    expect(changed).toMatchObject({ description: "Steps", maxTokens: 500, isOwn: false });
    const other = await contextView(owner, {
      sessionId,
      resolved: resolvedModel(new ManualModel().model),
    });
    expect(other.prompt).toContain("TODOS (Steps) [0% — 0/500 tokens] [writable]");
    const back = await changeBlock(owner, place, { description: "" });
    expect(back.description).toMatch(/^Open and finished tasks/);
    await expect(changeBlock(owner, place, { label: "tasks" })).rejects.toMatchObject({
      code: "bad-block",
    });
    await expect(deleteBlock(owner, place)).rejects.toMatchObject({ code: "bad-block" });
    const knowledge = { label: "knowledge", sessionId: null };
    await expect(changeBlock(owner, knowledge, { maxTokens: 500 })).rejects.toMatchObject({
      field: "maxTokens",
    });
    expect((await view()).blocks.map(({ label }) => label)).toEqual([
      "soul",
      "memory",
      "todos",
      "knowledge",
      "skills",
    ]);
  });
});

describe("a block that an answer under way writes into", () => {
  async function underWay(block: CreateBlockRequest) {
    const talking = await talk();
    const { owner, model, chat, sessionId } = talking;
    await create(owner, sessionId, block);
    const { run } = await chat.send("Plan it", { answerId: "answer" });
    await model.turn(0).opened;
    const finish = async (input: {
      label: string;
      content: string;
      action?: string;
      metadata?: unknown;
    }) => {
      model.turn(0).call("set_context", input).finish("tool-calls");
      model.turn(1).say("Done").finish();
      expect(await chat.process.ended(run?.id ?? "")).toBe("complete");
      return chat.message("answer");
    };
    return { ...talking, finish };
  }
  const textUnder = async (owner: OwnerServices, label: string, sessionId: string) =>
    (await blockViews(owner, sessionId)).find((block) => block.label === label)?.content;

  test.each(["owner", "session"] as const)("is followed to its new name (%s)", async (scope) => {
    const { owner, sessionId, finish } = await underWay({ label: "plan", scope });
    await writeBlock(owner, { label: "plan", sessionId, content: "One" });
    const { id } = await changeBlock(owner, { label: "plan", sessionId }, { label: "map" });
    const answer = await finish({ label: "plan", content: "Two", action: "append" });
    expect(answer.metadata?.writes).toMatchObject([{ blockId: id, label: "map", version: 2 }]);
    expect(await textUnder(owner, "map", sessionId)).toBe("One\nTwo");
    await create(owner, sessionId, { label: "plan", scope });
    expect(await textUnder(owner, "plan", sessionId)).toBe("");
  });

  test("is followed with its entries", async () => {
    const { owner, sessionId, finish } = await underWay({ label: "recipes", kind: "searchable" });
    await changeBlock(owner, { label: "recipes", sessionId }, { label: "dishes" });
    await finish({ label: "recipes", content: "Three eggs", metadata: { title: "Pancakes" } });
    const place = { label: "dishes", sessionId, find: "eggs" };
    expect(await listEntries(owner, place)).toMatchObject([{ content: "Three eggs" }]);
  });

  test("refuses the model's writes with a reason once it is deleted", async () => {
    const { owner, sessionId, finish } = await underWay({ label: "plan" });
    await writeBlock(owner, { label: "plan", sessionId, content: "One" });
    const deletionId = await deleteBlock(owner, { label: "plan", sessionId });
    const answer = await finish({ label: "plan", content: "Two", action: "append" });
    expect(JSON.stringify(answer.parts)).toContain('Block \\"plan\\" not found');
    expect(answer.metadata?.writes).toBeUndefined();
    await create(owner, sessionId, { label: "plan" });
    expect(await textUnder(owner, "plan", sessionId)).toBe("");
    await deleteBlock(owner, { label: "plan", sessionId });
    expect(await restoreBlock(owner, deletionId)).toMatchObject({ content: "One", version: 1 });
  });
});

describe("what an answer wrote", () => {
  const writesIn = async (owner: OwnerServices, sessionId: string) => {
    const { entries } = await transcript(owner, sessionId, {});
    return entries.flatMap(({ message }) => message.metadata?.writes ?? []);
  };

  test("names its blocks by ids, which lead to the names they have now", async () => {
    const { owner, model, chat, sessionId } = await talk();
    for (const label of ["plan", "list"]) await create(owner, null, { label });
    model
      .turn(0)
      .call("set_context", { label: "plan", content: "One" })
      .call("set_context", { label: "list", content: "Two" })
      .call("set_context", { label: "memory", content: "Three" })
      .finish("tool-calls");
    model.turn(1).say("Done").finish();
    await chat.ask("Plan it");
    await changeBlock(owner, { label: "list", sessionId }, { label: "items" });
    await changeBlock(owner, { label: "plan", sessionId }, { label: "list" });
    const writes = await writesIn(owner, sessionId);
    expect(writes.map(({ label }) => label).sort()).toEqual(["list", "memory", "plan"]);
    const blocks = await blockViews(owner, sessionId);
    const named = writes.map(({ blockId }) => blocks.find(({ id }) => id === blockId)?.label);
    expect(named.sort()).toEqual(["items", "list", "memory"]);
    expect(blocks.find(({ label }) => label === "list")).toMatchObject({ content: "One" });
  });
});

describe("deleting a block", () => {
  test("takes it away with its text, and undoing brings both back", async () => {
    const { owner, view } = await talk();
    await create(owner, null, { label: "plan" });
    await writeBlock(owner, { label: "plan", sessionId: null, content: "Secret garden" });
    await view();
    const deletionId = await deleteBlock(owner, { label: "plan", sessionId: null });
    expect(await labels(owner, null)).toEqual([]);
    expect((await view()).changes).toMatchObject([{ label: "PLAN", kind: "removed" }]);
    expect(await restoreBlock(owner, deletionId)).toMatchObject({
      label: "plan",
      content: "Secret garden",
      version: 1,
    });
    expect((await view()).changes).toEqual([]);
    await expect(restoreBlock(owner, deletionId)).rejects.toMatchObject({
      code: "block-not-found",
    });
  });

  test("leaves the name to a new block, which has none of the old text", async () => {
    const { owner } = await talk();
    await create(owner, null, { label: "plan" });
    await writeBlock(owner, { label: "plan", sessionId: null, content: "Old" });
    const deletionId = await deleteBlock(owner, { label: "plan", sessionId: null });
    expect(await create(owner, null, { label: "plan" })).toMatchObject({ content: "", version: 0 });
    await expect(restoreBlock(owner, deletionId)).rejects.toMatchObject({ code: "block-exists" });
  });
});

describe("a refused change of a block", () => {
  test("leaves every part of it as it was", { tags: "long" }, async () => {
    const { owner } = await talk();
    await create(owner, null, { label: "plan", description: "Steps", maxTokens: 100 });
    await create(owner, null, { label: "rules" });
    const place = { label: "plan", sessionId: null };
    const before = await blockViews(owner, null);
    for (const label of ["rules", "memory", "Not a label"]) {
      const changes = { label, description: "Other", writers: "person", maxTokens: 500 } as const;
      await expect(changeBlock(owner, place, changes)).rejects.toMatchObject({ field: "label" });
      expect(await blockViews(owner, null)).toEqual(before);
    }
  });
});

describe("the name of a block", () => {
  test.each(["plan", "house-rules", "q3_goals", "öl", "2026"])("may be %j", (label) => {
    expect(labelProblem(label)).toBeNull();
  });

  test.each(["", "Plan", "two words", "-plan", "plan-", "a--b", "straße", "plan:1"])(
    "cannot be %j",
    (label) => {
      expect(labelProblem(label)).toMatch(/\.$/);
    },
  );
});

describe("a block is refused", () => {
  test.each([
    ["memory", "block-exists"],
    ["Plan", "bad-block"],
    ["", "bad-block"],
  ])("when it would be called %j", async (label, code) => {
    const { owner } = await talk();
    await expect(create(owner, null, { label })).rejects.toMatchObject({ code, field: "label" });
  });

  test("when its name is taken where it would be seen too", async () => {
    const { owner, sessionId } = await talk();
    await owner.store.sessions.create("Other", { id: `${sessionId}-other` });
    await create(owner, sessionId, { label: "plan", scope: "session" });
    await create(owner, `${sessionId}-other`, { label: "plan", scope: "session" });
    const taken = { code: "block-exists" };
    await expect(
      create(owner, sessionId, { label: "plan", scope: "session" }),
    ).rejects.toMatchObject(taken);
    await expect(create(owner, null, { label: "plan" })).rejects.toMatchObject(taken);
    await create(owner, null, { label: "rules" });
    await expect(
      changeBlock(owner, { label: "rules", sessionId: null }, { label: "plan" }),
    ).rejects.toMatchObject(taken);
    expect(await labels(owner, null)).toEqual(["rules"]);
  });

  test("when its session is not there, and when there are too many", { tags: "long" }, async () => {
    const owner = newOwner(database.sql);
    await expect(
      create(owner, "nowhere", { label: "plan", scope: "session" }),
    ).rejects.toMatchObject({ code: "session-not-found" });
    for (let n = 0; n < 50; n++) await create(owner, null, { label: `block-${n}` });
    await expect(create(owner, null, { label: "one-more" })).rejects.toMatchObject({
      code: "too-many-blocks",
    });
  });
});

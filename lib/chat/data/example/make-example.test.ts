import { parseQuery } from "grove-session";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { receiptOf } from "@/lib/chat/answering/answer-receipt";
import { exampleSessionId } from "@/lib/chat/core/example-session";
import { openSession } from "@/lib/chat/sessions/open-session";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import {
  blockViews,
  createBlock,
  listEntries,
  writeBlock,
} from "@/lib/chat/testing/memory-by-label";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import { createBlockRequest } from "@/lib/chat/wire/memory";
import { demoModelInfo } from "@/lib/demo/demo-model";
import { searchAllDocuments } from "@/lib/postgres/internal";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import { makeExample } from "./make-example";

let database: TestDatabase;
let owner: OwnerServices;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  owner = newOwner(database.sql);
});

/** Labels of the documents a search finds. */
async function found(input: string): Promise<string[]> {
  const query = parseQuery(input);
  const hits = await searchAllDocuments(database.sql, owner.spaceId, query, { limit: 10 });
  return hits.map(({ label }) => label);
}

async function promptOf(sessionId: string): Promise<string> {
  return (await openSession(owner, sessionId)).freezeSystemPrompt();
}

const exampleWords = /balcony|garden|sowing|plant-doctor|canister/i;

describe("the example", () => {
  test("leaves the owner's memory, knowledge and skills untouched", async () => {
    await makeExample(owner, demoModelInfo);
    expect(await owner.blocks.text({ label: "memory", sessionId: null }).read()).toEqual({
      content: "",
      version: 0,
    });
    expect(
      await owner.blocks.searchable({ label: "knowledge", sessionId: null }).entries(),
    ).toEqual([]);
    expect(await owner.blocks.loadable({ label: "skills", sessionId: null }).entries()).toEqual([]);
    const everywhere = await blockViews(owner, null);
    expect(everywhere.filter(({ isOwn, version }) => isOwn || version > 0)).toEqual([]);
  });

  test("is not in the prompt of another session", { tags: "long" }, async () => {
    await makeExample(owner, demoModelInfo);
    const { id } = await owner.store.sessions.create("Mine");
    expect(await promptOf(id)).not.toMatch(exampleWords);
  });

  test("shows every kind of memory, each in its own session", { tags: "long" }, async () => {
    const { id } = await makeExample(owner, demoModelInfo);
    const blocks = (await blockViews(owner, id)).filter(({ scope }) => scope === "session");
    expect(blocks).toMatchObject([
      { label: "todos", kind: "writable", version: 1 },
      { label: "garden-facts", kind: "writable", version: 3 },
      { label: "garden-notes", kind: "searchable", entryCount: 2 },
      { label: "garden-skills", kind: "loadable", entryCount: 1 },
    ]);
    const versions = await owner.blocks.text({ label: "garden-facts", sessionId: id }).versions();
    expect(versions.map(({ provenance }) => provenance.author)).toEqual([
      "person",
      "model",
      "model",
    ]);
    const skills = { label: "garden-skills", sessionId: id, find: "doctor" };
    expect(await listEntries(owner, skills)).toMatchObject([{ key: "plant-doctor" }]);
    expect(await found("purslane")).toEqual(["garden-notes"]);
    expect(await promptOf(id)).toContain("- plant-doctor: Finds out what ails a plant");
  });

  test("offers its skill to the model of its session", async () => {
    const { id } = await makeExample(owner, demoModelInfo);
    const { load_context: load } = await (await openSession(owner, id)).tools();
    const call = { toolCallId: "1", messages: [], context: {} };
    const input = { label: "garden-skills", key: "plant-doctor" };
    expect(JSON.stringify(await load?.execute?.(input, call))).toContain("# Plant doctor");
  });

  test("leaves no document, version, search hit or block when it is deleted", async () => {
    const { id } = await makeExample(owner, demoModelInfo);
    const [facts] = (await owner.blocks.list(id)).filter(({ label }) => label === "garden-facts");
    await owner.store.sessions.delete(id);
    expect((await owner.blocks.list(id)).filter(({ sessionId }) => sessionId)).toEqual([]);
    for (const name of [{ label: "garden-facts" }, { blockId: facts?.id ?? "" }]) {
      const document = owner.blocks.text({ ...name, sessionId: id });
      expect(await document.read()).toEqual({ content: "", version: 0 });
      expect(await document.versions()).toEqual([]);
    }
    expect(await owner.blocks.text({ label: "todos", sessionId: id }).versions()).toEqual([]);
    expect(
      await owner.blocks.searchable({ label: "garden-notes", sessionId: id }).find("watering"),
    ).toEqual([]);
    expect(
      await owner.blocks.loadable({ label: "garden-skills", sessionId: id }).entries(),
    ).toEqual([]);
    expect(await found("watering OR neighbour OR balcony OR plant")).toEqual([]);
  });

  test("gives the names of its blocks free when it is deleted", async () => {
    await makeExample(owner, demoModelInfo);
    await owner.store.sessions.delete(exampleSessionId);
    const request = createBlockRequest.parse({ label: "garden-notes" });
    expect(await createBlock(owner, null, request)).toMatchObject({ label: "garden-notes" });
  });

  test("comes back with its memory when it is restored or made again", {
    tags: "long",
  }, async () => {
    const { id } = await makeExample(owner, demoModelInfo);
    const before = await blockViews(owner, id);
    for (const bringBack of [
      () => owner.store.sessions.restore(id),
      () => makeExample(owner, demoModelInfo),
    ]) {
      await owner.store.sessions.delete(id);
      await bringBack();
      expect(await blockViews(owner, id)).toEqual(before);
      expect(await found("purslane")).toEqual(["garden-notes"]);
    }
  });

  test("never shows a person's own memory as its own", async () => {
    await writeBlock(owner, { label: "memory", sessionId: null, content: "- Likes owls" });
    await owner.blocks
      .searchable({ label: "knowledge", sessionId: null })
      .write("owls", { title: "Owls", content: "Owls are silent." });
    const { id } = await makeExample(owner, demoModelInfo);
    const ofSession = (await blockViews(owner, id)).filter(({ scope }) => scope === "session");
    expect(JSON.stringify(ofSession)).not.toMatch(/owls/i);
    const receipt = (await receiptOf(owner, id, "example-a7")) as ReceiptWire;
    expect(JSON.stringify(receipt)).not.toMatch(/owls/i);
    expect(await owner.blocks.text({ label: "memory", sessionId: null }).read()).toEqual({
      content: "- Likes owls",
      version: 1,
    });
  });

  test("lends its memory to a fork, which keeps it when the example is deleted", async () => {
    const { id } = await makeExample(owner, demoModelInfo);
    const fork = await owner.store.sessions.fork(id, "example-a7", "Fork");
    await owner.store.sessions.delete(id);
    expect(await promptOf(fork.id)).toContain("Grows vegetables on a south-west balcony");
    expect(
      await owner.blocks
        .loadable({ label: "garden-skills", sessionId: fork.id })
        .load("plant-doctor"),
    ).toContain("# Plant doctor");
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeExample } from "@/lib/chat/data/example/make-example";
import { openSession } from "@/lib/chat/sessions/open-session";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import {
  addEntry,
  blockViews,
  listEntries,
  removeEntry,
  writeEntry,
} from "@/lib/chat/testing/memory-by-label";
import { demoModelInfo } from "@/lib/demo/demo-model";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const tea = { title: "How to Brew Tea", content: "Boil water first." };
const list = (owner: ReturnType<typeof newOwner>, label: string, find?: string) =>
  listEntries(owner, { label, sessionId: null, find });

describe("entries", () => {
  test("take their key from their title, and never the place of another of that title", async () => {
    const owner = newOwner(database.sql);
    const place = { label: "knowledge", sessionId: null };
    const first = await addEntry(owner, place, tea);
    const again = { ...tea, title: "how to brew tea", content: "Changed" };
    await expect(addEntry(owner, place, again)).rejects.toMatchObject({
      code: "entry-exists",
      field: "title",
      message: "An entry called “How to Brew Tea” already exists. Choose another name, or edit it.",
    });
    expect(await list(owner, "knowledge")).toEqual([first]);
  });

  test("of one title added at once are one entry and one refusal", async () => {
    const owner = newOwner(database.sql);
    const place = { label: "knowledge", sessionId: null };
    const adding = ["One", "Two"].map((content) => addEntry(owner, place, { ...tea, content }));
    const settled = await Promise.allSettled(adding);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(settled.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "entry-exists" },
    });
  });

  test("take the title of a deleted one", async () => {
    const owner = newOwner(database.sql);
    const place = { label: "knowledge", sessionId: null };
    const { key } = await addEntry(owner, place, { ...tea, description: "For guests" });
    await removeEntry(owner, { ...place, key });
    const again = await addEntry(owner, place, { ...tea, content: "Again" });
    expect(again).toMatchObject({ key, content: "Again", description: null, version: 3 });
  });

  test("that are new never replace one that was written meanwhile", async () => {
    const owner = newOwner(database.sql);
    const place = { label: "skills", sessionId: null };
    const write = (content: string) =>
      writeEntry(owner, { ...place, key: "tea" }, { ...tea, content, expectedVersion: null });
    await write("First");
    await expect(write("Second")).rejects.toMatchObject({ code: "block-conflict" });
    await removeEntry(owner, { ...place, key: "tea" });
    expect(await write("Third")).toMatchObject({ content: "Third", version: 3 });
  });

  test("are written only over the version that was seen", async () => {
    const owner = newOwner(database.sql);
    const { key } = await addEntry(owner, { label: "skills", sessionId: null }, tea);
    const place = { label: "skills", key, sessionId: null };
    await writeEntry(owner, place, { ...tea, content: "Two", expectedVersion: 1 });
    const stale = writeEntry(owner, place, { ...tea, content: "Three", expectedVersion: 1 });
    await expect(stale).rejects.toMatchObject({ code: "block-conflict", currentVersion: 2 });
  });

  test("are removed only in the version that was seen, and keep their files otherwise", async () => {
    const owner = newOwner(database.sql);
    const place = { label: "skills", sessionId: null };
    const { key } = await addEntry(owner, place, tea);
    const file = { title: "green.md", content: "Sencha" };
    await writeEntry(owner, { ...place, key: `${key}/green.md` }, file);
    await writeEntry(owner, { ...place, key }, { ...tea, content: "Two" });
    const before = await list(owner, "skills");
    const stale = removeEntry(owner, { ...place, key }, 1);
    await expect(stale).rejects.toMatchObject({ code: "block-conflict", currentVersion: 2 });
    expect(await list(owner, "skills")).toEqual(before);
    await removeEntry(owner, { ...place, key }, 2);
    expect(await list(owner, "skills")).toEqual([]);
  });

  test("lose their description when it is cleared, and keep it when none is sent", async () => {
    const owner = newOwner(database.sql);
    const place = { label: "skills", sessionId: null };
    const { key } = await addEntry(owner, place, { ...tea, description: "For guests" });
    const kept = await writeEntry(owner, { ...place, key }, tea);
    expect(kept.description).toBe("For guests");
    const cleared = await writeEntry(owner, { ...place, key }, { ...tea, description: "" });
    expect(cleared.description).toBeNull();
    expect(await list(owner, "skills")).toMatchObject([{ description: null }]);
  });

  test("are found by words in knowledge, by name in skills", async () => {
    const owner = newOwner(database.sql);
    await addEntry(owner, { label: "knowledge", sessionId: null }, tea);
    await addEntry(owner, { label: "skills", sessionId: null }, tea);
    expect(await list(owner, "knowledge", "boiling")).toHaveLength(1);
    expect(await list(owner, "knowledge", "coffee")).toEqual([]);
    expect(await list(owner, "skills", "brew")).toHaveLength(1);
    expect(await list(owner, "skills", "coffee")).toEqual([]);
  });

  test.each(["knowledge", "skills"])("of %s are listed by title as people count", async (label) => {
    const owner = newOwner(database.sql);
    const titles = ["Part 10", "part 2", "Appendix", "Part 1", "Épilogue", "0", "11", "2"];
    for (const title of titles)
      await addEntry(owner, { label, sessionId: null }, { ...tea, title });
    expect((await list(owner, label)).map(({ title }) => title)).toEqual([
      "0",
      "2",
      "11",
      "Appendix",
      "Épilogue",
      "Part 1",
      "part 2",
      "Part 10",
    ]);
  });

  test("that were never there are not found; other blocks hold none", async () => {
    const owner = newOwner(database.sql);
    const { key } = await addEntry(owner, { label: "knowledge", sessionId: null }, tea);
    await removeEntry(owner, { label: "knowledge", key, sessionId: null });
    expect(await list(owner, "knowledge")).toEqual([]);
    const unknown = removeEntry(owner, { label: "knowledge", key: "coffee", sessionId: null });
    await expect(unknown).rejects.toMatchObject({ code: "entry-not-found" });
    await expect(list(owner, "memory")).rejects.toMatchObject({ code: "block-not-found" });
  });
});

describe("the example", () => {
  test("is made once, comes back after it was deleted, and leaves the person's memory alone", async () => {
    const owner = newOwner(database.sql);
    await owner.blocks
      .text({ label: "memory", sessionId: null })
      .set("Mine", { provenance: { author: "person" } });
    const made = await makeExample(owner, demoModelInfo);
    const count = await owner.store.messages(made.id).getPathLength();
    await makeExample(owner, demoModelInfo);
    await owner.store.sessions.delete(made.id);
    const again = await makeExample(owner, demoModelInfo);
    expect(again.id).toBe(made.id);
    expect(await owner.store.messages(made.id).getPathLength()).toBe(count);
    expect(await owner.blocks.text({ label: "memory", sessionId: null }).read()).toEqual({
      content: "Mine",
      version: 1,
    });
    expect(await owner.store.messages(made.id).getCompactions()).toHaveLength(2);
  });
});

describe("files of a skill", () => {
  test("are loaded by the name its text has for them, are not listed, and go with it", async () => {
    const owner = newOwner(database.sql);
    const { key } = await addEntry(owner, { label: "skills", sessionId: null }, tea);
    const file = { label: "skills", key: `${key}/lists/green.md`, sessionId: null };
    await writeEntry(owner, file, { title: file.key, content: "Sencha" });
    await owner.store.sessions.create("A", { id: "a" });
    const session = await openSession(owner, "a");
    expect(await session.freezeSystemPrompt()).not.toContain("green.md");
    const { load_context: load } = await session.tools();
    const call = { toolCallId: "call", messages: [], context: {} };
    expect(await load?.execute?.({ label: "skills", key: file.key }, call)).toBe("Sencha");
    const [skills] = (await blockViews(owner, null)).filter(({ label }) => label === "skills");
    expect(skills?.entryCount).toBe(1);
    await removeEntry(owner, { ...file, key });
    expect(await list(owner, "skills")).toEqual([]);
  });
});

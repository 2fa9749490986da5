import { appendNumbered, assistant, ids } from "grove-session/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { Memory } from "@/lib/chat/memory/memory";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { identifier } from "@/lib/postgres/connections/sql";
import { removeOldDeletions } from "@/lib/postgres/internal";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { deletedPage, deleteSession, removeDeletion, restoreDeletion } from "./deletions";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const day = 24 * 60 * 60 * 1_000;
const keptMs = 30 * day;

const listed = async (owner: OwnerData) => (await deletedPage(owner, { keptMs })).deletions;
const kinds = async (owner: OwnerData) => (await listed(owner)).map(({ kind }) => kind);

/** One deletion of each kind, oldest first: an entry, a section, messages and a chat. */
async function everyKind(owner: OwnerData): Promise<Record<string, string>> {
  const memory = new Memory(owner, null);
  const own = await memory.create({
    label: "recipes",
    description: "Meals",
    kind: "writable",
    scope: "owner",
    writers: "both",
    maxTokens: 1_000,
  });
  await memory.write(own.id, { content: "Soup\r\n  with  spaces " });
  const skills = (await memory.list()).find(({ label }) => label === "skills")?.id ?? "";
  await memory.addEntry(skills, { title: "Tea", description: "For guests", content: "Boil 🫖" });
  await memory.writeEntry(skills, "tea/notes.md", { title: "Notes", content: "Two minutes" });
  await owner.store.sessions.create("Talk", { id: "talk" });
  await appendNumbered(owner.store.messages("talk"), 4);
  await owner.store.sessions.create("Gone", { id: "gone" });
  const entry = await memory.removeEntry(skills, "tea", { deletionId: "entry" });
  const block = await memory.delete(own.id, "block");
  await owner.store.messages("talk").deleteMessages(["m2", "m3"], { deletionId: "messages" });
  const session = await deleteSession(owner, "gone", "session");
  expect([entry, block, session]).toEqual([
    { deletionId: "entry" },
    { deletionId: "block" },
    { deletionId: "session" },
  ]);
  return { skills, own: own.id };
}

describe("what was deleted", () => {
  test("is listed newest first, with when it ends", async () => {
    const owner = newOwner(database.sql);
    await everyKind(owner);
    const deletions = await listed(owner);
    expect(deletions).toMatchObject([
      { id: "session", kind: "session", title: "Gone", sessionId: "gone", count: 0 },
      { id: "messages", kind: "messages", sessionTitle: "Talk", title: "m2", count: 2 },
      { id: "block", kind: "block", label: "recipes", sessionId: null, count: 1 },
      { id: "entry", kind: "entry", label: "skills", key: "tea", title: "Tea", count: 2 },
    ]);
    for (const { deletedAt, goneAt } of deletions)
      expect(Date.parse(goneAt) - Date.parse(deletedAt)).toBe(keptMs);
  });

  test("is listed page by page, each once", { tags: "long" }, async () => {
    const owner = newOwner(database.sql);
    for (let n = 0; n < 105; n++) {
      await owner.store.sessions.create("", { id: `s${n}` });
      await deleteSession(owner, `s${n}`, `d${n}`);
    }
    const first = await deletedPage(owner, { keptMs });
    const second = await deletedPage(owner, { keptMs, after: first.nextCursor ?? "" });
    const all = [...first.deletions, ...second.deletions].map(({ id }) => id);
    expect(all).toEqual(Array.from({ length: 105 }, (_, n) => `d${104 - n}`));
    expect(second.nextCursor).toBeNull();
  });

  test("comes back byte for byte, however often it is asked for", async () => {
    const owner = newOwner(database.sql);
    const { skills = "", own = "" } = await everyKind(owner);
    for (const id of ["session", "messages", "block", "entry", "entry", "session"])
      await restoreDeletion(owner, id);
    const memory = new Memory(owner, null);
    expect(await memory.read(own)).toMatchObject({
      content: "Soup\r\n  with  spaces ",
      description: "Meals",
    });
    expect(await memory.entry(skills, "tea")).toMatchObject({
      title: "Tea",
      description: "For guests",
      content: "Boil 🫖",
      version: 3,
    });
    expect(await memory.entry(skills, "tea/notes.md")).toMatchObject({ content: "Two minutes" });
    expect(
      await owner.blocks.searchable({ blockId: skills, sessionId: null }).find("boil"),
    ).toHaveLength(1);
    expect(ids(await owner.store.messages("talk").getHistory())).toEqual(["m1", "m2", "m3", "m4"]);
    expect(await owner.store.sessions.get("gone")).not.toBeNull();
    expect(await listed(owner)).toEqual([]);
  });

  test("is not deleted again by a late repetition of a request", async () => {
    const owner = newOwner(database.sql);
    const { skills = "", own = "" } = await everyKind(owner);
    for (const id of ["session", "messages", "block", "entry"]) await restoreDeletion(owner, id);
    const memory = new Memory(owner, null);
    await deleteSession(owner, "gone", "session");
    await owner.store.messages("talk").deleteMessages(["m2", "m3"], { deletionId: "messages" });
    await memory.delete(own, "block");
    await memory.removeEntry(skills, "tea", { deletionId: "entry", expectedVersion: 1 });
    expect(await listed(owner)).toEqual([]);
    expect(await memory.entry(skills, "tea")).toMatchObject({ content: "Boil 🫖" });
  });

  test("is one deletion when two requests delete the same", async () => {
    const owner = newOwner(database.sql);
    const { skills = "", own = "" } = await everyKind(owner);
    const memory = new Memory(owner, null);
    expect(await deleteSession(owner, "gone", "s2")).toEqual({ deletionId: "session" });
    expect(await memory.delete(own, "b2")).toEqual({ deletionId: "block" });
    expect(await memory.removeEntry(skills, "tea", { deletionId: "e2" })).toEqual({
      deletionId: "entry",
    });
    expect(await kinds(owner)).toEqual(["session", "messages", "block", "entry"]);
    await restoreDeletion(owner, "e2");
    await restoreDeletion(owner, "s2");
    expect(await kinds(owner)).toEqual(["messages", "block"]);
  });

  test("does not take the place of what was written since", async () => {
    const owner = newOwner(database.sql);
    const { skills = "" } = await everyKind(owner);
    const memory = new Memory(owner, null);
    await memory.addEntry(skills, { title: "Tea", content: "Another" });
    expect(await kinds(owner)).toEqual(["session", "messages", "block"]);
    await restoreDeletion(owner, "entry");
    expect(await memory.entry(skills, "tea")).toMatchObject({ content: "Another" });
  });

  test("of a deleted session or section waits for it", async () => {
    const owner = newOwner(database.sql);
    await owner.store.sessions.create("Talk", { id: "talk" });
    await appendNumbered(owner.store.messages("talk"), 2);
    await owner.store.messages("talk").deleteMessages(["m2"], { deletionId: "messages" });
    await deleteSession(owner, "talk", "session");
    expect(await kinds(owner)).toEqual(["session"]);
    await expect(restoreDeletion(owner, "messages")).rejects.toMatchObject({
      code: "session-not-found",
    });
    await restoreDeletion(owner, "session");
    expect(await kinds(owner)).toEqual(["messages"]);
  });

  test("is refused under the id of another deletion", async () => {
    const owner = newOwner(database.sql);
    const { skills = "" } = await everyKind(owner);
    const memory = new Memory(owner, null);
    await memory.addEntry(skills, { title: "Coffee", content: "Grind" });
    const conflict = { code: "deletion-conflict" };
    await expect(deleteSession(owner, "talk", "entry")).rejects.toMatchObject(conflict);
    await expect(
      memory.removeEntry(skills, "coffee", { deletionId: "entry" }),
    ).rejects.toMatchObject(conflict);
    expect(await memory.entry(skills, "coffee")).toMatchObject({ content: "Grind" });
  });

  test("belongs to its owner", async () => {
    const owner = newOwner(database.sql);
    await everyKind(owner);
    const other = newOwner(database.sql);
    expect(await listed(other)).toEqual([]);
    for (const id of ["session", "messages", "block", "entry"]) {
      await expect(restoreDeletion(other, id)).rejects.toMatchObject({
        code: "deletion-not-found",
      });
      await removeDeletion(other, id);
    }
    expect(await listed(owner)).toHaveLength(4);
  });
});

describe("deleting for good", () => {
  /** Every text column of the owner in one string. */
  async function storedText(owner: OwnerData): Promise<string> {
    const { sql } = database;
    const rows = await Promise.all(
      [
        "chat_session",
        "chat_message",
        "chat_run",
        "chat_document",
        "chat_document_version",
        "chat_block",
        "chat_deletion",
      ].map(
        (table) =>
          sql`select row.*::text as text from ${identifier(table)} row where owner_id = ${owner.spaceId}`,
      ),
    );
    return rows
      .flat()
      .map(({ text }) => String(text))
      .join("\n");
  }

  test("leaves nothing of it, and a repetition changes nothing", { tags: "long" }, async () => {
    const owner = newOwner(database.sql);
    await everyKind(owner);
    const run = { id: "r", sessionId: "talk", messageId: "m2", parentId: "m1", model: "m" };
    const request = { instructions: "Answer as a pirate" };
    await owner.runs.start({ ...run, request }, 9_000, { maxRunning: 8 });
    await owner.runs.finish("r", "complete", { receipt: { prompt: "Long John" } });
    for (const id of ["session", "messages", "block", "entry"]) {
      await removeDeletion(owner, id);
      await removeDeletion(owner, id);
      await expect(restoreDeletion(owner, id)).rejects.toMatchObject({
        code: "deletion-not-found",
      });
    }
    expect(await listed(owner)).toEqual([]);
    const text = await storedText(owner);
    for (const gone of ["Gone", "Soup", "Boil", "Two minutes", "Long John", "pirate"])
      expect(text).not.toContain(gone);
    expect(ids(await owner.store.messages("talk").getHistory())).toEqual(["m1", "m4"]);
    expect(
      await database.sql`
      select content from chat_message where owner_id = ${owner.spaceId} and deletion_id is not null`,
    ).toEqual([{ content: '{"parts":[]}' }, { content: '{"parts":[]}' }]);
  });

  test("is refused for what was restored meanwhile", async () => {
    const owner = newOwner(database.sql);
    const { skills = "" } = await everyKind(owner);
    for (const id of ["session", "messages", "block", "entry"]) {
      await restoreDeletion(owner, id);
      await expect(removeDeletion(owner, id)).rejects.toMatchObject({ code: "deletion-restored" });
    }
    expect(await new Memory(owner, null).entry(skills, "tea")).toMatchObject({
      content: "Boil 🫖",
    });
    expect(ids(await owner.store.messages("talk").getHistory())).toEqual(["m1", "m2", "m3", "m4"]);
    expect(await owner.store.sessions.get("gone")).not.toBeNull();
  });

  test("happens to all that is old, and keeps the rest and what was restored", async () => {
    const owner = newOwner(database.sql);
    await everyKind(owner);
    await restoreDeletion(owner, "messages");
    const { sql } = database;
    await sql`update chat_deletion set created_at = created_at - interval '31 days'
      where owner_id = ${owner.spaceId} and deletion_id in ('messages', 'session')`;
    await sql`update chat_session set deleted_at = deleted_at - interval '31 days'
      where owner_id = ${owner.spaceId} and deleted_at is not null`;
    await removeOldDeletions(sql, { olderThanMs: keptMs, most: 1_000 });
    expect(await kinds(owner)).toEqual(["block", "entry"]);
    expect(ids(await owner.store.messages("talk").getHistory())).toEqual(["m1", "m2", "m3", "m4"]);
    await expect(owner.store.sessions.restore("gone")).rejects.toMatchObject({
      code: "session-not-found",
    });
  });

  test("keeps what a fork shows of it", async () => {
    const owner = newOwner(database.sql);
    await owner.store.sessions.create("Talk", { id: "talk" });
    await appendNumbered(owner.store.messages("talk"), 4);
    await owner.store.sessions.fork("talk", "m4", "Fork", { id: "fork" });
    await owner.store.messages("talk").deleteMessages(["m2"], { deletionId: "messages" });
    await removeDeletion(owner, "messages");
    const shown = await owner.store.messages("fork").getHistory();
    expect(shown[1]).toMatchObject(assistant("m2"));
    await deleteSession(owner, "talk", "session");
    await removeDeletion(owner, "session");
    expect(ids(await owner.store.messages("fork").getHistory())).toEqual(["m1", "m2", "m3", "m4"]);
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { addEntry, removeEntry } from "@/lib/chat/memory/entries";
import { writeBlock } from "@/lib/chat/memory/write-block";
import type { EventWire } from "@/lib/chat/wire/events";
import { connect, Notifications, SessionFeed } from "@/lib/postgres";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { SessionEvent } from "@/lib/session";
import { EventHub } from "./events";
import { ownerServices } from "./owner-services";
import { TabEvents, tabEventOf } from "./tab-events";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A server with an open tab and a session, and a script in a process of its own. */
async function serverAndScript() {
  const ownerId = crypto.randomUUID();
  const sql = connect(database.url, { max: 3, onnotice: () => undefined });
  onTestFinished(() => sql.end({ timeout: 1 }));
  const hub = new EventHub();
  const tab: EventWire[] = [];
  hub.subscribe(ownerId, (event) => void tab.push(event));
  const tabs = new TabEvents((event) => hub.publish(event));
  const notifications = new Notifications(sql);
  const feed = new SessionFeed(notifications, { onCarried: (event) => tabs.hear(event) });
  await notifications.start();
  const owner = ownerServices({ sql, chunkSql: sql, ownerId, events: feed.of(ownerId) });
  await owner.store.sessions.create("A", { id: "a" });
  const path = fileURLToPath(new URL("testing/script-process.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", path, database.url, ownerId, "a"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  createInterface(child.stdout).on("line", (line) => lines.push(line));
  await expect.poll(() => lines).toEqual(["listening"]);
  lines.length = 0;
  return { owner, tab, child, lines };
}

test("what a person writes into memory is heard by a script in another process", async () => {
  const { owner, lines } = await serverAndScript();
  await writeBlock(owner, { label: "memory", sessionId: null, content: "Likes tea" });
  await writeBlock(owner, { label: "todos", sessionId: "a", content: "- [ ] brew" });
  const place = { label: "knowledge", key: "oolong", sessionId: null };
  await addEntry(owner, place, { title: "Oolong", content: "Four minutes" });
  await removeEntry(owner, place);
  await expect
    .poll(() => lines)
    .toEqual([
      "memory  replace person",
      "todos  replace person",
      "knowledge oolong replace person",
      "knowledge oolong remove person",
    ]);
}, 30_000);

test("what a script writes through the library refreshes the open tabs", async () => {
  const { tab, child, owner } = await serverAndScript();
  const ended = once(child, "exit");
  child.stdin.end("from the script\n");
  await expect
    .poll(() => tab)
    .toEqual(
      expect.arrayContaining([
        { type: "session-changed", sessionId: "a" },
        { type: "memory-changed", label: "memory", sessionId: "a" },
      ]),
    );
  await ended;
  expect(await owner.block("memory").get()).toBe("from the script");
}, 30_000);

test("tabs are told nothing of reads, once of much of the same, and of a session's end", async () => {
  const [published, until] = [[] as unknown[], Promise.withResolvers<void>()];
  const tabs = new TabEvents((event) => {
    published.push(event);
    if (event.event.type === "session-removed") until.resolve();
  });
  const about = { ownerId: "o", sessionId: "a" } as const;
  const append = { type: "append", messageId: "m", parentId: null, role: "user" } as const;
  for (let n = 0; n < 20; n++) tabs.hear({ ...about, ...append, messageId: `m${n}` });
  tabs.hear({ ...about, type: "session", action: "delete" });
  await until.promise;
  expect(published).toEqual([
    { ownerId: "o", event: { type: "session-changed", sessionId: "a" } },
    { ownerId: "o", event: { type: "session-removed", sessionId: "a" } },
  ]);
  const load: SessionEvent = { ...about, type: "load", messageCount: 3 };
  expect(tabEventOf(load)).toBeNull();
});

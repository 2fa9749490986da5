import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { SessionEvent } from "grove-session";
import { connect, Notifications, SessionFeed } from "grove-session/postgres";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { asPerson, asSpace, inOwnSpace } from "@/lib/chat/core/person-in-space";
import { addEntry, removeEntry, writeBlock } from "@/lib/chat/testing/memory-by-label";
import type { EventWire } from "@/lib/chat/wire/events";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { ownerServices } from "./owner-services";
import { TabEvents, tabEventOf } from "./tab-events";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A server with an open tab and a session, and a script in a process of its own. */
async function serverAndScript() {
  const who = inOwnSpace(asPerson(crypto.randomUUID()));
  const { spaceId: ownerId } = who;
  const sql = connect(database.url, { max: 3, onnotice: () => undefined });
  onTestFinished(() => sql.end({ timeout: 1 }));
  const tab: EventWire[] = [];
  const tabs = new TabEvents();
  tabs.subscribe(ownerId, (event) => void tab.push(event));
  const notifications = new Notifications(sql);
  const feed = new SessionFeed(notifications, { onEvent: (event) => tabs.receive(event) });
  await notifications.start();
  const owner = ownerServices({ sql, chunkSql: sql, ...who, events: feed.of(ownerId) });
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

test("a script in another process receives what a person writes into memory", {
  tags: "long",
}, async () => {
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
});

test("what a script writes through the library refreshes the open tabs", {
  tags: "long",
}, async () => {
  const { tab, child, owner } = await serverAndScript();
  const ended = once(child, "exit");
  child.stdin.end("from the script\n");
  await expect
    .poll(() => tab)
    .toEqual(
      expect.arrayContaining([
        { type: "session-changed", sessionId: "a" },
        { type: "memory-changed", blockId: "memory", sessionId: null },
      ]),
    );
  await ended;
  expect(await owner.blocks.text({ label: "memory", sessionId: null }).get()).toBe(
    "from the script",
  );
});

describe("the events of a tab", () => {
  const about = { ownerId: "o", sessionId: "a" } as const;
  const append = (messageId: string): SessionEvent => ({
    ...about,
    type: "append",
    messageId,
    parentId: null,
    role: "user",
  });
  const changed = { type: "session-changed", sessionId: "a" };

  function openTab() {
    vi.useFakeTimers();
    const tabs = new TabEvents();
    const received: EventWire[] = [];
    tabs.subscribe(asSpace("o"), (event) => void received.push(event));
    return { tabs, received };
  }

  test("report the first write of a burst at once and the others as one at its end", () => {
    const { tabs, received } = openTab();
    for (let n = 0; n < 20; n++) tabs.receive(append(`m${n}`));
    expect(received).toEqual([changed]);
    vi.advanceTimersByTime(1_000);
    expect(received).toEqual([changed, changed]);
    tabs.receive(append("later"));
    expect(received).toEqual([changed, changed, changed]);
  });

  test("ask for no session again that was deleted meanwhile, or whose answer has ended", () => {
    const { tabs, received } = openTab();
    tabs.receive(append("m1"));
    tabs.receive(append("m2"));
    tabs.receive({ ...about, type: "session", action: "delete" });
    vi.advanceTimersByTime(1_000);
    expect(received).toEqual([changed, { type: "session-removed", sessionId: "a" }]);
  });

  test("keep the writes of different tabs apart", () => {
    const { tabs, received } = openTab();
    tabs.receive({ ...append("m1"), origin: "one" });
    tabs.receive({ ...append("m2"), origin: "two" });
    expect(received).toEqual([
      { ...changed, origin: "one" },
      { ...changed, origin: "two" },
    ]);
  });

  test("leave out reads, and the end of a call whose writes were reported", () => {
    expect(tabEventOf({ ...about, type: "load", messageCount: 3 })).toBeNull();
    expect(tabEventOf({ ...about, type: "save", messageIds: [] })).toBeNull();
  });

  test("name what a program wrote, for a notice, and nothing of other writes", () => {
    const write = {
      type: "block-write",
      blockId: "b",
      label: "knowledge",
      action: "replace",
    } as const;
    const event = { ...write, ownerId: "o", sessionId: null, key: "tea" } as const;
    const changedMemory = { type: "memory-changed", blockId: "b", sessionId: null };
    expect(tabEventOf({ ...event, author: "model" })).toEqual(changedMemory);
    expect(tabEventOf({ ...event, author: "program" })).toEqual({
      ...changedMemory,
      key: "tea",
      byProgram: true,
    });
  });

  test("reach the tabs of their owner alone, until these unsubscribe", () => {
    const { tabs, received } = openTab();
    const stop = tabs.subscribe(asSpace("other"), (event) => void received.push(event));
    stop();
    tabs.receive({ ...append("m1"), ownerId: "other" });
    expect(received).toEqual([]);
  });
});

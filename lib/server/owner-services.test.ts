import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { type NewSessionEvent, SessionEvents } from "@/lib/session";
import { type CallOfEveryMethod, describeEmitting } from "@/lib/session/testing";
import {
  blockSetupEvents,
  type OwnerServices,
  ownerServices,
  settingsEvents,
  usageEvents,
} from "./owner-services";

type Calls<Table> = CallOfEveryMethod<Table, OwnerServices>;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const settingsEvent = { type: "settings", sessionId: null } as const;
const secret = { name: "s", description: {}, sealed: null };
const place = { label: "plan", sessionId: null };
const block = {
  ...place,
  description: "",
  kind: "writable",
  writers: "both",
  maxTokens: null,
} as const;
const call = {
  id: "u",
  kind: "answer",
  sessionId: "a",
  model: "m",
  inputTokens: 1,
  cachedTokens: 0,
  outputTokens: 2,
  cost: null,
  isReported: true,
} as const;

async function start() {
  const ownerId = crypto.randomUUID();
  const sessionEvents = new SessionEvents(ownerId);
  const { sql } = database;
  const context = ownerServices({ sql, chunkSql: sql, ownerId, events: sessionEvents });
  await context.store.sessions.create("A", { id: "a" });
  await context.settings.saveSecret(secret);
  await context.blocks.add({ ...block, label: "present" });
  const events: NewSessionEvent[] = [];
  sessionEvents.onEvery(({ ownerId: _, ...event }) => void events.push(event as NewSessionEvent));
  return { context, events };
}

const settingsCalls: Calls<typeof settingsEvents> = {
  read: ({ settings }) => settings.read(),
  change: async ({ settings }) => {
    await settings.change({ theme: "dark" });
    return [settingsEvent];
  },
  secrets: ({ settings }) => settings.secrets(),
  saveSecret: async ({ settings }) => {
    await settings.saveSecret({ ...secret, name: "t" });
    return [settingsEvent];
  },
  removeSecret: async ({ settings }) => {
    await settings.removeSecret("nowhere");
    await settings.removeSecret("s");
    return [settingsEvent];
  },
};

const usageCalls: Calls<typeof usageEvents> = {
  record: async ({ usage }) => {
    await usage.record(call);
    await usage.record(call);
    return [{ type: "usage", sessionId: "a", inputTokens: 1, outputTokens: 2, cost: 0 }];
  },
  sums: ({ usage }) => usage.sums({ timeZone: "UTC", days: null }),
};

const present = { label: "present", sessionId: null };
const blockCalls: Calls<typeof blockSetupEvents> = {
  list: ({ blocks }) => blocks.list(null),
  add: async ({ blocks }) => {
    await blocks.add(block);
    await blocks.add(block);
    return [{ type: "block", ...place, action: "create" }];
  },
  put: async ({ blocks }) => {
    await blocks.put({ ...block, label: "present", description: "x" });
    return [{ type: "block", ...present, action: "update" }];
  },
  rename: async ({ blocks }) => {
    await blocks.rename(present, "plan");
    return [{ type: "block", ...place, action: "rename", previousLabel: "present" }];
  },
  remove: async ({ blocks }) => {
    await blocks.remove({ label: "nowhere", sessionId: null });
    await blocks.remove(present);
    return [{ type: "block", ...present, action: "delete" }];
  },
  deleted: ({ blocks }) => blocks.deleted("nowhere"),
  restore: async ({ blocks }) => {
    const deletionId = (await blocks.remove(present)) ?? "";
    await blocks.restore(deletionId, present);
    return [
      { type: "block", ...present, action: "delete" },
      { type: "block", ...present, action: "restore" },
    ];
  },
};

describe("what an owner has outside the session store", () => {
  describeEmitting("settings", settingsEvents, settingsCalls, start);
  describeEmitting("usage", usageEvents, usageCalls, start);
  describeEmitting("blocks", blockSetupEvents, blockCalls, start);

  test("emits the writes of a person to blocks and entries, with their author", async () => {
    const { context, events } = await start();
    const provenance = { author: "person" } as const;
    await context.block("memory").set("x", { provenance });
    await context.knowledge.write("tea", { title: "Tea", content: "y" }, { provenance });
    expect(events).toMatchObject([
      { type: "block-write", label: "memory", sessionId: null, author: "person" },
      { type: "block-write", label: "knowledge", key: "tea", author: "person" },
    ]);
  });

  test("emits one event for a deletion of everything, and one for an import that fails", async () => {
    const { context, events } = await start();
    await context.data.deleteAll();
    const nothing = (async function* () {})();
    await expect(
      context.data.import(nothing, { onSettings: async () => undefined }),
    ).rejects.toThrow();
    expect(events).toEqual([
      { type: "data", sessionId: null, action: "delete" },
      { type: "data", sessionId: null, action: "import" },
    ]);
  });
});

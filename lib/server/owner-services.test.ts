import { SessionEvents } from "grove-session";
import { type Block, blockStoreEvents, type NewSessionEvent } from "grove-session/ports";
import { type CallOfEveryMethod, describeEmitting } from "grove-session/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asPerson, inOwnSpace } from "@/lib/chat/core/person-in-space";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import {
  keyEvents,
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
const place = { label: "plan", sessionId: null, scope: "owner" } as const;
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
  const context = ownerServices({
    sql,
    chunkSql: sql,
    ...inOwnSpace(asPerson(ownerId)),
    events: sessionEvents,
  });
  await context.store.sessions.create("A", { id: "a" });
  await context.settings.saveSecret(secret);
  await context.blocks.create({ ...block, label: "present" });
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

const key = { name: "Program", hash: "h", hint: "abcd", scopes: {} };
const keyCalls: Calls<typeof keyEvents> = {
  list: ({ keys }) => keys.list(),
  get: ({ keys }) => keys.get("nowhere"),
  add: async ({ keys }) => {
    await keys.add({ ...key, id: "k" });
    return [settingsEvent];
  },
  changeScopes: async ({ keys }) => {
    await keys.add({ ...key, id: "k" });
    await keys.changeScopes("k", { aliases: {} });
    await keys.changeScopes("nowhere", { aliases: {} });
    return [settingsEvent, settingsEvent];
  },
  revoke: async ({ keys }) => {
    await keys.add({ ...key, id: "k" });
    await keys.revoke("k");
    await keys.revoke("k");
    return [settingsEvent, settingsEvent];
  },
};

async function presentIn({ blocks }: OwnerServices): Promise<Block> {
  const present = (await blocks.list(null)).find(({ label }) => label === "present");
  if (!present) throw new Error("The block is gone.");
  return present;
}

const blockCalls: Calls<typeof blockStoreEvents> = {
  list: ({ blocks }) => blocks.list(null),
  ensure: ({ blocks }) => blocks.ensure([{ ...block, label: "own" }]),
  create: async ({ blocks }) => {
    const { id } = await blocks.create(block);
    await expect(blocks.create(block)).rejects.toThrow();
    return [{ type: "block", sessionId: null, blockId: id, action: "create" }];
  },
  change: async (context) => {
    const present = await presentIn(context);
    await context.blocks.change(present, { label: "plan" });
    return [{ type: "block", sessionId: null, blockId: present.id, action: "update" }];
  },
  delete: async (context) => {
    const present = await presentIn(context);
    await expect(context.blocks.delete({ id: "nowhere", sessionId: null })).rejects.toThrow();
    await context.blocks.delete(present);
    return [{ type: "block", sessionId: null, blockId: present.id, action: "delete" }];
  },
  restore: async (context) => {
    const present = await presentIn(context);
    await context.blocks.delete(present);
    await context.blocks.restore(present);
    const about = { type: "block", sessionId: null, blockId: present.id } as const;
    return [
      { ...about, action: "delete" },
      { ...about, action: "restore" },
    ];
  },
  labels: ({ blocks }) => blocks.labels(null, ["memory"]),
  text: async ({ blocks }) => blocks.text({ label: "memory", sessionId: null }).read(),
  searchable: async ({ blocks }) =>
    blocks.searchable({ label: "knowledge", sessionId: null }).get(),
  loadable: async ({ blocks }) => blocks.loadable({ label: "skills", sessionId: null }).get(),
  writesOf: ({ blocks }) => blocks.writesOf("a", "m"),
};

describe("what an owner has outside the session store", () => {
  describeEmitting("settings", settingsEvents, settingsCalls, start);
  describeEmitting("keys", keyEvents, keyCalls, start);
  describeEmitting("usage", usageEvents, usageCalls, start);
  describeEmitting("blocks", blockStoreEvents, blockCalls, start);

  test("emits the writes of a person to blocks and entries, with their author", async () => {
    const { context, events } = await start();
    const provenance = { author: "person" } as const;
    await context.blocks.text({ label: "memory", sessionId: null }).set("x", { provenance });
    const knowledge = context.blocks.searchable({ label: "knowledge", sessionId: null });
    await knowledge.write("tea", { title: "Tea", content: "y" }, { provenance });
    expect(events).toMatchObject([
      { type: "block-write", label: "memory", sessionId: null, author: "person" },
      { type: "block-write", label: "knowledge", key: "tea", author: "person" },
    ]);
  });

  test("emits one event for a deletion of everything, and one for an import that fails", async () => {
    const { context, events } = await start();
    await context.data.deleteAll();
    const nothing = (async function* () {})();
    await expect(context.data.import(nothing, { onSettings: async () => [] })).rejects.toThrow();
    expect(events).toEqual([
      { type: "data", sessionId: null, action: "delete" },
      { type: "data", sessionId: null, action: "import" },
    ]);
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { UsageEntry } from "@/lib/chat/core/usage-log";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { usageView } from "./usage-view";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const call = (id: string, more: Partial<UsageEntry> = {}): UsageEntry => ({
  id,
  kind: "answer",
  sessionId: "s",
  model: "a/one",
  inputTokens: 100,
  cachedTokens: 40,
  outputTokens: 10,
  cost: 0.5,
  isReported: true,
  ...more,
});

async function ownerWith(calls: (UsageEntry & { at: string })[]) {
  const owner = newOwner(database.sql);
  for (const { at, ...record } of calls) {
    await owner.usage.record(record);
    await database.sql`
      update chat_usage set created_at = ${at} where owner_id = ${owner.spaceId} and usage_id = ${record.id}`;
  }
  return owner;
}

test("sums by day, model, session and kind, and says what is estimated or has no price", async () => {
  const owner = await ownerWith([
    { ...call("1"), at: "2026-03-01T10:00:00Z" },
    { ...call("2", { model: "b/two", cost: null, sessionId: "t" }), at: "2026-03-01T11:00:00Z" },
    { ...call("3", { kind: "summary", isReported: false }), at: "2026-03-03T10:00:00Z" },
  ]);
  await owner.store.sessions.create("Tea", { id: "s" });
  const now = new Date("2026-03-03T12:00:00Z");
  const view = await usageView(owner, { days: 7, timeZone: "UTC", now });
  const sum = { calls: 1, inputTokens: 100, cachedTokens: 40, outputTokens: 10 };
  const exact = { unpricedCalls: 0, estimatedCalls: 0 };
  expect(view).toMatchObject({
    from: "2026-02-25",
    to: "2026-03-03",
    total: { calls: 3, inputTokens: 300, cost: 1, unpricedCalls: 1, estimatedCalls: 1 },
    days: [
      { day: "2026-03-01", calls: 2, cost: 0.5, unpricedCalls: 1 },
      { day: "2026-03-03", ...sum, cost: 0.5, unpricedCalls: 0, estimatedCalls: 1 },
    ],
    models: [
      { model: "a/one", calls: 2, cost: 1 },
      { model: "b/two", ...sum, cost: 0, unpricedCalls: 1, estimatedCalls: 0 },
    ],
    sessions: [
      { sessionId: "s", title: "Tea", calls: 2 },
      { sessionId: "t", title: null, calls: 1 },
    ],
    kinds: [
      { kind: "answer", calls: 2 },
      { kind: "summary", ...sum, ...exact, cost: 0.5, estimatedCalls: 1 },
    ],
  });
});

test("a day is a day of the reader: the same call is on Sunday here and on Monday there", async () => {
  const owner = await ownerWith([{ ...call("1"), at: "2026-03-01T23:30:00Z" }]);
  const days = async (timeZone: string) => {
    const now = new Date("2026-03-05T12:00:00Z");
    return (await usageView(owner, { days: 30, timeZone, now })).days.map(({ day }) => day);
  };
  expect(await days("UTC")).toEqual(["2026-03-01"]);
  expect(await days("Pacific/Auckland")).toEqual(["2026-03-02"]);
});

test("leaves out what is older than the range, to the minute of the reader's midnight", async () => {
  const owner = await ownerWith([
    { ...call("1"), at: "2026-03-01T22:59:00Z" },
    { ...call("2"), at: "2026-03-01T23:01:00Z" },
  ]);
  const now = new Date("2026-03-02T12:00:00Z");
  const view = await usageView(owner, { days: 1, timeZone: "Europe/Vienna", now });
  expect(view.total.calls).toBe(1);
  expect((await usageView(owner, { days: null, timeZone: "UTC", now })).from).toBe("2026-03-01");
});

test("the same call written twice counts once, and is nobody else's", async () => {
  const owner = newOwner(database.sql);
  await Promise.all([owner.usage.record(call("x")), owner.usage.record(call("x"))]);
  expect((await usageView(owner, { days: null, timeZone: "UTC" })).total.calls).toBe(1);
  const other = newOwner(database.sql);
  expect(await usageView(other, { days: null, timeZone: "UTC" })).toMatchObject({
    from: null,
    total: { calls: 0 },
    sessions: [],
  });
});

test.each(["Mars/Olympus", "'; drop table chat_usage", ""])(
  "refuses the zone %j",
  async (timeZone) => {
    await expect(usageView(newOwner(database.sql), { days: 7, timeZone })).rejects.toMatchObject({
      code: "invalid-query",
      field: "tz",
    });
  },
);

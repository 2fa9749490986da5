import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startCompaction } from "@/lib/chat/compaction/compact-session";
import type { ChatError } from "@/lib/chat/core/chat-error";
import { asPerson, asSpace } from "@/lib/chat/core/person-in-space";
import { newOwner, resolvedModel } from "@/lib/chat/testing/chat-fixture";
import { longConversation } from "@/lib/chat/testing/long-conversation";
import { manualChat } from "@/lib/chat/testing/run-fixture";
import type { ModelInfo } from "@/lib/llm";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { PostgresAccounts } from "@/lib/storage/accounts/postgres-accounts";
import { sweepHolds } from "@/lib/storage/runs/charged-runs";
import { PersonLimits } from "./person-limits";

let database: TestDatabase;
let store: PostgresAccounts;
let limits: PersonLimits;
let ownerId: string;
const none = { monthlyDollars: null, messagesPerDay: null, storedMegabytes: null };
const dollarsForAnAnswer = {
  price: { inputPerMillion: 0, outputPerMillion: 1_000_000 },
  maxOutput: 1,
};

beforeAll(async () => {
  database = await createTestDatabase();
  store = new PostgresAccounts(database.sql);
  limits = new PersonLimits({ store });
});
afterAll(() => database.drop());
beforeEach(async () => {
  ownerId = crypto.randomUUID();
  await database.sql`
    insert into account_user (id, owner_id, role, name, email)
    values (${ownerId}, ${ownerId}, 'member', 'Bob', ${`${ownerId}@example.org`})`;
});

const project = (n: number) => asSpace(`p-${ownerId.slice(0, -1)}${n}`);
const inProject = (n: number) => newOwner(database.sql, ownerId, { spaceId: project(n) });

/** Eight chats of one person, some temporary and some in two projects, each in a process of its own. */
function eightChats(info: Partial<ModelInfo> = {}) {
  return Array.from({ length: 8 }, (_, n) => {
    const own = newOwner(database.sql, ownerId);
    return manualChat(database.sql, {
      owner: n % 2 === 1 ? inProject(n % 4) : n % 4 === 0 ? own : own.temporary,
      info,
      maxRunning: 100,
      assertMayAsk: (owner) => limits.assertMayAsk(owner),
      budgetOf: (owner) => limits.budgetOf(owner),
    });
  });
}

async function sentAtOnce(chats: ReturnType<typeof eightChats>) {
  for (const { model } of chats) model.turn(0).say("Hello");
  const sent = await Promise.allSettled(chats.map(({ conversation }) => conversation.send("Hi")));
  const begun = chats.filter((_, n) => sent[n]?.status === "fulfilled");
  const refused = sent.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  return { begun, refused: refused as ChatError[] };
}

test("one of eight begins within one message a day", async () => {
  await store.policies.change(ownerId, { limits: { ...none, messagesPerDay: 1 } });
  const { begun, refused } = await sentAtOnce(eightChats());
  expect(begun).toHaveLength(1);
  expect(refused).toHaveLength(7);
  for (const { code, message } of refused) {
    expect(code).toBe("over-budget");
    expect(message).toMatch(/^(You have sent your 1 message|The last of your messages)/);
  }
});

test("answers that are being written reserve what they may cost", { tags: "long" }, async () => {
  await store.policies.change(ownerId, { limits: { ...none, monthlyDollars: 2 } });
  const chats = eightChats(dollarsForAnAnswer);
  const { begun, refused } = await sentAtOnce(chats);
  expect(begun).toHaveLength(2);
  for (const { code } of refused) expect(code).toBe("over-budget");
  const running = await Promise.all(chats.map(({ owner }) => owner.runs.running()));
  const ids = new Set(running.flat().map(({ id }) => id));
  expect(ids.size).toBe(2);
});

test("an answer in a project costs the person once, and holds nothing once it ended", async () => {
  await store.policies.change(ownerId, { limits: { ...none, monthlyDollars: 5 } });
  const owner = inProject(1);
  const { conversation, model } = manualChat(database.sql, {
    owner,
    info: dollarsForAnAnswer,
    budgetOf: (id) => limits.budgetOf(id),
  });
  model.turn(0).say("Hello");
  await conversation.send("Hi");
  const spent = async () => (await limits.view(asPerson(ownerId)))?.spent;
  expect(await spent()).toMatchObject({ dollars: 0, messages: 1 });
  const held = () => database.sql`
    select charge from chat_usage where owner_id = ${ownerId} and reserved_until is not null`;
  expect(await held()).toHaveLength(1);
  model.turn(0).finish();
  await expect.poll(async () => (await held()).length).toBe(0);
  const [own] = await newOwner(database.sql, ownerId).usage.sums({ timeZone: "UTC", days: 1 });
  const sums = await newOwner(database.sql, ownerId).usage.sums({ timeZone: "UTC", days: 1 });
  const [inThere] = await owner.usage.sums({ timeZone: "UTC", days: 1 });
  expect(own).toMatchObject({ calls: 1, cost: inThere?.cost });
  expect(sums.find(({ by }) => by === "project")).toMatchObject({ name: project(1), calls: 1 });
  const [call] = await database.sql<{ usage_id: string; person_id: string }[]>`
    select usage_id, person_id from chat_usage where owner_id = ${project(1)} and person_id = ${ownerId}`;
  const { dollars } = (await spent()) ?? expect.unreachable();
  expect(dollars).toBeGreaterThan(0);
  const again = { kind: "answer", sessionId: "", model: "m", cachedTokens: 0, cost: 1 } as const;
  await owner.usage.record({
    ...again,
    ...{ id: `${call?.usage_id}`, inputTokens: 1, outputTokens: 1, isReported: false },
  });
  expect(await spent()).toEqual({ storedBytes: 0, dollars, messages: 1 });
});

test("a sweep lets go what a crash left held, and holds on for what is written", async () => {
  const owner = inProject(3);
  const { conversation } = manualChat(database.sql, { owner });
  const parentId = await conversation.say("Hi");
  const { sessionId } = conversation;
  const run = (id: string) => ({ id, sessionId, messageId: id, parentId, model: "m", reserved: 1 });
  await owner.runs.start(run("written"), 60_000, { maxRunning: 100 });
  await owner.runs.start(run("over"), 60_000, { maxRunning: 100 });
  await database.sql`update chat_run set status = 'failed' where run_id = 'over'`;
  const held = async () => {
    const rows = await database.sql<{ usage_id: string }[]>`
      select usage_id from chat_usage where owner_id = ${ownerId} and reserved_until is not null`;
    return rows.map(({ usage_id }) => usage_id.split(" ")[2]).sort();
  };
  const sweepLater = async () => {
    await database.sql`update chat_usage set reserved_until = now() - interval '1 s' where owner_id = ${ownerId}`;
    await sweepHolds(database.sql, { most: 100 });
  };
  await sweepHolds(database.sql, { most: 100 });
  expect(await held()).toEqual(["over", "written"]);
  await sweepLater();
  await sweepLater();
  expect(await held()).toEqual(["written"]);
});

test("a paused answer that two tabs let go on holds its cost, and is one message", async () => {
  await store.policies.change(ownerId, { limits: { ...none, messagesPerDay: 5 } });
  const owner = inProject(4);
  const { conversation } = manualChat(database.sql, { owner });
  const parentId = await conversation.say("Hi");
  const { sessionId } = conversation;
  const run = { id: "r", sessionId, messageId: "r", parentId, model: "m", reserved: 1 };
  await owner.runs.start(run, 60_000, { maxRunning: 100 });
  const pause = { number: 1, calls: [] };
  await owner.runs.finish("r", "paused", { pause });
  const held = () => database.sql<{ kind: string; charge: number }[]>`
    select kind, charge from chat_usage where owner_id = ${ownerId} and reserved_until is not null`;
  await database.sql`delete from chat_usage where owner_id = ${ownerId}`;
  const goOn = { from: pause, to: pause, status: "running", leaseMs: 60_000 } as const;
  const decided = await Promise.all([owner.runs.decide("r", goOn), owner.runs.decide("r", goOn)]);
  expect(decided.filter((each) => each !== null)).toHaveLength(1);
  expect(await held()).toEqual([{ kind: "summary", charge: 1 }]);
  const spent = (await limits.view(asPerson(ownerId)))?.spent;
  expect(spent?.messages).toBe(0);
  const goingOn = decided.find((each) => each !== null) ?? expect.unreachable();
  await owner.runs.end(goingOn, { status: "complete" });
  expect(await held()).toEqual([]);
});

test("a project notes a call that the person's own usage refuses", async () => {
  const owner = inProject(5);
  await database.sql`insert into chat_clearing (owner_id, kind) values (${ownerId}, 'account')`;
  const call = { id: "answer r", kind: "answer", sessionId: "s", model: "m", cost: 1 } as const;
  const tokens = { inputTokens: 1, cachedTokens: 0, outputTokens: 1, isReported: true };
  await expect(owner.usage.record({ ...call, ...tokens })).rejects.toMatchObject({ code: "GR013" });
  const rows = await database.sql`select from chat_usage where owner_id = ${project(5)}`;
  expect(rows).toHaveLength(1);
});

test("a summary reserves what it may cost, and is refused where nothing is left", {
  tags: "long",
}, async () => {
  await store.policies.change(ownerId, { limits: { ...none, monthlyDollars: 1 } });
  const [first, second] = eightChats(dollarsForAnAnswer);
  if (!first || !second) return expect.unreachable();
  const begin = async ({ owner, process, model }: typeof first) => {
    const price = { inputPerMillion: 0, outputPerMillion: 100_000 };
    const resolved = resolvedModel(model.model, { price, maxOutput: 10, contextWindow: 8_000 });
    const long = await longConversation(database.sql, { pairs: 4, resolved, owner, process });
    model.turn(0).say("Half ");
    return startCompaction(long.chat.answering, long.request);
  };
  const summary = await begin(first);
  await expect(begin(second)).rejects.toMatchObject({ code: "over-budget" });
  await expect(second.conversation.send("Hi")).rejects.toMatchObject({ code: "over-budget" });
  await first.owner.runs.finish(summary.id, "complete");
  expect(await begin(second)).toMatchObject({ kind: "summary", status: "running" });
});

test("a person without limits begins all of them", async () => {
  expect((await sentAtOnce(eightChats(dollarsForAnAnswer))).begun).toHaveLength(8);
});

test.each([
  ["a person", 0],
  ["a project", 1],
])("the budget of a key of %s counts what its requests may cost until they end", async (_, n) => {
  const { owner, conversation } = eightChats()[n] ?? expect.unreachable();
  const parentId = await conversation.say("Hi");
  const limit = { ownerIds: [ownerId], messages: null, dollars: null, keyDollars: 1 };
  const start = (id: string, keyId: string) =>
    owner.runs.startWithin(
      limit,
      {
        id,
        sessionId: conversation.sessionId,
        messageId: id,
        parentId,
        model: "m",
        keyId,
        reserved: 0.4,
      },
      { leaseMs: 60_000, maxRunning: 100 },
    );
  const started = await Promise.all(Array.from({ length: 8 }, (_, n) => start(`a${n}`, "key")));
  const refused = started.filter((each) => each === "key");
  expect(refused).toHaveLength(5);
  const again = started.findIndex((each) => each !== "key");
  expect(await start(`a${again}`, "key")).toMatchObject({ started: false });
  expect(await start("other", "another key")).toMatchObject({ started: true });
  const [run] = await owner.runs.running();
  await owner.runs.finish(run?.id ?? "", "complete");
  expect(await start("next", "key")).toMatchObject({ started: true });
  expect(await start("last", "key")).toBe("key");
});

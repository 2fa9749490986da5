import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { asPerson, localPersonId, type PersonId } from "@/lib/chat/core/person-in-space";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { manualChat } from "@/lib/chat/testing/run-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { PostgresAccounts } from "@/lib/storage/accounts/postgres-accounts";
import { PersonLimits } from "./person-limits";

let database: TestDatabase;
let store: PostgresAccounts;
let limits: PersonLimits;
let ownerId: PersonId;
const none = { monthlyDollars: null, messagesPerDay: null, storedMegabytes: null };

beforeAll(async () => {
  database = await createTestDatabase();
  store = new PostgresAccounts(database.sql);
  limits = new PersonLimits({ store });
  await addPerson("ada", "owner");
});
afterAll(() => database.drop());
beforeEach(async () => {
  ownerId = asPerson(crypto.randomUUID());
  await addPerson(ownerId, "member");
  await store.policies.change("everyone", { limits: null });
});

async function addPerson(id: string, role: string): Promise<void> {
  await database.sql`
    insert into account_user (id, owner_id, role, name, email)
    values (${id}, ${id}, ${role}, ${role === "owner" ? "Ada" : "Bob"}, ${`${id}@example.org`})`;
}

const owner = () => newOwner(database.sql, ownerId);
const limited = {
  assertMayAsk: (id: PersonId) => limits.assertMayAsk(id),
  budgetOf: (id: PersonId) => limits.budgetOf(id),
};

async function spend(cost: number, createdAt = new Date()): Promise<void> {
  const id = crypto.randomUUID();
  const call = {
    kind: "answer",
    sessionId: "s",
    model: "m",
    inputTokens: 1,
    cachedTokens: 0,
  } as const;
  await owner().usage.record({ ...call, id, outputTokens: 1, cost, isReported: true });
  await database.sql`update chat_usage set created_at = ${createdAt} where usage_id = ${id}`;
}

test("without limits nobody is refused, and an owner without an account neither", async () => {
  await spend(1_000);
  await limits.assertMayAsk(ownerId);
  await store.policies.change("everyone", { limits: { ...none, monthlyDollars: 0 } });
  await limits.assertMayAsk(localPersonId);
  await new PersonLimits(null).assertMayAsk(ownerId);
  await expect(limits.assertMayAsk(ownerId)).rejects.toMatchObject({ code: "over-budget" });
});

test("a person's own limits count instead of those for everyone", async () => {
  await spend(2);
  await store.policies.change("everyone", { limits: { ...none, monthlyDollars: 1 } });
  await expect(limits.assertMayAsk(ownerId)).rejects.toThrow(/\$2 of your \$1 for .*Ask Ada/);
  await store.policies.change(ownerId, { limits: { ...none, monthlyDollars: 3 } });
  await limits.assertMayAsk(ownerId);
  expect(await limits.view(ownerId)).toMatchObject({
    limits: { monthlyDollars: 3 },
    spent: { dollars: 2, messages: 1 },
  });
});

test("what is charged counts, whatever the person says that it costs", async () => {
  await store.policies.change(ownerId, { limits: { ...none, monthlyDollars: 1 } });
  const call = { kind: "answer", sessionId: "s", model: "m", cachedTokens: 0 } as const;
  const usage = { ...call, inputTokens: 1, outputTokens: 1, cost: 0 };
  await owner().usage.record({ ...usage, id: "a", charge: 0.5, isReported: false });
  await limits.assertMayAsk(ownerId);
  await owner().usage.record({ ...usage, id: "a", charge: 2, isReported: true });
  await expect(limits.assertMayAsk(ownerId)).rejects.toThrow("$2 of your $1");
  expect((await store.limits.dollarsOfEveryone()).get(ownerId)).toBe(2);
  const [day] = await owner().usage.sums({ timeZone: "UTC", days: 1 });
  expect(day?.cost).toBe(0);
});

test("a model whose price its person set to 0 is charged all the same", async () => {
  const charged = { inputPerMillion: 1_000_000, outputPerMillion: 1_000_000 };
  await store.policies.change(ownerId, { limits: { ...none, monthlyDollars: 1 } });
  const { model, conversation } = manualChat(database.sql, {
    owner: owner(),
    ...limited,
    info: { price: { inputPerMillion: 0, outputPerMillion: 0 }, charged },
  });
  model.turn(0).say("Hello").finish();
  await conversation.ask("One");
  await expect(conversation.ask("Two")).rejects.toMatchObject({ code: "over-budget" });
});

test("what was used in an earlier month or on an earlier day does not count", async () => {
  await spend(2, new Date(Date.now() - 40 * 24 * 60 * 60 * 1_000));
  await store.policies.change(ownerId, {
    limits: { monthlyDollars: 1, messagesPerDay: 1, storedMegabytes: null },
  });
  await limits.assertMayAsk(ownerId);
});

test("deleting everything does not fill the budget up again", async () => {
  await spend(2);
  await store.policies.change(ownerId, {
    limits: { monthlyDollars: 2, messagesPerDay: null, storedMegabytes: null },
  });
  await limits.carry(ownerId);
  await owner().data.deleteAll();
  await expect(limits.assertMayAsk(ownerId)).rejects.toMatchObject({ code: "over-budget" });
  expect((await limits.view(ownerId))?.spent).toEqual({
    ...{ dollars: 2, messages: 1, storedBytes: 0 },
  });
});

test("usage that stays although a deletion was begun counts once, and later usage, too", async () => {
  await spend(2);
  await store.policies.change(ownerId, { limits: { ...none, monthlyDollars: 9 } });
  for (let begun = 0; begun < 3; begun++) await limits.carry(ownerId);
  expect((await limits.view(ownerId))?.spent).toMatchObject({ dollars: 2, messages: 1 });
  expect(await limits.budgetOf(ownerId)).toMatchObject({ dollars: 9 });
  await spend(3);
  expect((await limits.view(ownerId))?.spent).toMatchObject({ dollars: 5, messages: 2 });
  await limits.carry(ownerId);
  await database.sql`delete from chat_usage where owner_id = ${ownerId}`;
  expect((await limits.view(ownerId))?.spent).toMatchObject({ dollars: 5, messages: 2 });
  expect(await limits.budgetOf(ownerId)).toMatchObject({ dollars: 4 });
});

test("a send over the budget stores nothing and asks no model, and a retry of an earlier one is answered", async () => {
  await store.policies.change(ownerId, { limits: { ...none, messagesPerDay: 1 } });
  const { model, conversation, process } = manualChat(database.sql, {
    owner: owner(),
    ...limited,
  });
  model.turn(0).say("Hello").finish();
  const answer = await conversation.ask("One");
  await expect(conversation.send("Two")).rejects.toMatchObject({ code: "over-budget" });
  const stored = () =>
    database.sql<{ id: string; role: string }[]>`
      select id, role from chat_message where owner_id = ${ownerId} order by pos`;
  const [question] = await stored();
  await expect(conversation.askAgain(question?.id ?? "")).rejects.toMatchObject({
    code: "over-budget",
  });
  expect((await stored()).map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(model.calls).toHaveLength(1);
  await process.runner.assertMayStart(owner(), answer.id);
});

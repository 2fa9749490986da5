import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startCompaction } from "@/lib/chat/compaction/compact-session";
import type { ChatError } from "@/lib/chat/core/chat-error";
import { newOwner, resolvedModel } from "@/lib/chat/testing/chat-fixture";
import { longConversation } from "@/lib/chat/testing/long-conversation";
import { manualChat } from "@/lib/chat/testing/run-fixture";
import type { ModelInfo } from "@/lib/llm";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { PostgresAccounts } from "@/lib/storage/accounts/postgres-accounts";
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

/** Eight chats of one person, every other one temporary, each in a process of its own. */
function eightChats(info: Partial<ModelInfo> = {}) {
  return Array.from({ length: 8 }, (_, n) => {
    const own = newOwner(database.sql, ownerId);
    return manualChat(database.sql, {
      owner: n % 2 === 0 ? own : own.temporary,
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
  const running =
    await database.sql`select from chat_run where owner_id like ${`${ownerId}%`} and status = 'running'`;
  expect(running).toHaveLength(2);
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

test("the budget of a key counts what its requests may cost until they end", async () => {
  const { owner, conversation } = eightChats()[0] ?? expect.unreachable();
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

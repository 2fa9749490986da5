import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compactSession } from "@/lib/chat/compaction/compact-session";
import {
  Conversation,
  chatProcess,
  demoModel,
  newOwner,
  resolvedModel,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A conversation with a model at one dollar per million tokens, and its recorded calls. */
function manual(price?: null) {
  const model = new ManualModel();
  const owner = newOwner(database.sql);
  const resolved = resolvedModel(model.model, price === null ? { price } : {});
  return { model, owner, conversation: new Conversation(owner, chatProcess(), resolved) };
}

const written = ({ ownerId }: { ownerId: string }) => database.sql`
  select kind, session_id, model, input_tokens, output_tokens, cost, reported
  from chat_usage where owner_id = ${ownerId} order by created_at, usage_id`;

describe("what is written down", () => {
  test("of an answer is what the provider reported, at the price of the time", async () => {
    const { model, owner, conversation } = manual();
    model.turn().say("Hello").finish();
    await conversation.ask("Hi");
    expect(await written(owner)).toEqual([
      {
        kind: "answer",
        session_id: conversation.sessionId,
        model: "test/model",
        input_tokens: 10,
        output_tokens: 5,
        cost: 0.000015,
        reported: true,
      },
    ]);
  });

  test("has no cost when the price is not known", async () => {
    const { model, owner, conversation } = manual(null);
    model.turn().say("Hello").finish();
    await conversation.ask("Hi");
    expect(await written(owner)).toMatchObject([{ input_tokens: 10, cost: null, reported: true }]);
  });

  test("of a stopped answer is an estimate of what it was given and what it wrote", async () => {
    const { model, owner, conversation } = manual();
    model.turn().say("one two three four five six seven eight");
    const { run } = await conversation.send("Hi");
    if (!run) throw new Error("No answer was asked for.");
    await conversation.readsUpTo(run.id, "text-delta");
    await conversation.process.runner.stop(owner, run.id);
    await conversation.process.ended(run.id);
    const [call] = await written(owner);
    expect(call).toMatchObject({ kind: "answer", reported: false });
    expect(call?.input_tokens).toBeGreaterThan(100);
    expect(call?.output_tokens).toBeGreaterThan(8);
    expect(call?.cost).toBeCloseTo((call?.input_tokens + call?.output_tokens) / 1_000_000);
  });

  test("of summaries is each of the calls they took", async () => {
    const owner = newOwner(database.sql);
    const resolved = await demoModel();
    const conversation = new Conversation(owner, chatProcess(), resolved);
    const { sessionId } = conversation;
    await owner.store.sessions.create("Long", { id: sessionId });
    const parts = [{ type: "text", text: "word ".repeat(80) }];
    for (const id of ["1", "2", "3", "4"]) {
      await owner.store.messages(sessionId).appendMessage({ id: `q${id}`, role: "user", parts });
      await owner.store
        .messages(sessionId)
        .appendMessage({ id: `a${id}`, role: "assistant", parts });
    }
    await compactSession(conversation.answering, { sessionId, resolved });
    const [call, ...others] = await written(owner);
    expect(others).toEqual([]);
    expect(call).toMatchObject({ kind: "summary", session_id: sessionId, cost: 0, reported: true });
    expect(call?.input_tokens).toBeGreaterThan(100);
  });
});

describe("the totals of a session", () => {
  test("are those of its answers and of its summaries", async () => {
    const { model, owner, conversation } = manual();
    const { sessionId } = conversation;
    const received: unknown[] = [];
    owner.store.events.on("usage", (event) => void received.push(event));
    for (const n of [0, 1, 2]) {
      model.turn(n).say("word ".repeat(80)).finish();
      await conversation.ask("word ".repeat(80));
    }
    expect(await owner.store.sessions.get(sessionId)).toMatchObject({ inputTokens: 30 });
    model.turn(3).say("A summary.").finish("stop", { inputTokens: 400 });
    await compactSession(conversation.answering, {
      sessionId,
      resolved: await conversation.answering.chooseModel("test/model"),
    });
    const info = await owner.store.sessions.get(sessionId);
    expect(info).toMatchObject({ inputTokens: 430, outputTokens: 20 });
    expect(info?.cost).toBeCloseTo(450 / 1_000_000);
    expect(received).toHaveLength(4);
  });

  test("count a call once, however often it is written down", async () => {
    const { owner, conversation } = manual();
    const { sessionId } = conversation;
    await owner.store.sessions.create("Tea", { id: sessionId });
    const { updatedAt } = (await owner.store.sessions.get(sessionId)) ?? {};
    const call = { kind: "title", sessionId, model: "test/model", cachedTokens: 0 } as const;
    const taken = { inputTokens: 10, outputTokens: 5, cost: null, isReported: true };
    for (const id of ["a", "a", "b"]) await owner.usage.record({ id, ...call, ...taken });
    expect(await owner.store.sessions.get(sessionId)).toMatchObject({
      inputTokens: 20,
      outputTokens: 10,
      cost: 0,
      updatedAt,
    });
  });
});

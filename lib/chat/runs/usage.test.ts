import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compactSession } from "@/lib/chat/compaction/compact-session";
import type { PersonInSpace } from "@/lib/chat/core/person-in-space";
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

interface Written {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number | null;
}

const written = ({ spaceId }: PersonInSpace) => database.sql<Written[]>`
  select kind, session_id, model, input_tokens, output_tokens, cost, reported
  from chat_usage where owner_id = ${spaceId} order by created_at, usage_id`;

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
    const { input_tokens: input = 0, output_tokens: output = 0 } = call ?? {};
    expect(call?.cost).toBeCloseTo((input + output) / 1_000_000);
  });

  test.each([11.5, -3, 2 ** 63, 1e300])(
    "of a count that cannot be true (%d) is an estimate",
    async (inputTokens) => {
      const { model, owner, conversation } = manual();
      model.turn().say("Hello").finish("stop", { inputTokens, outputTokens: 7 });
      const answer = await conversation.ask("Hi");
      expect(answer.metadata?.status).toBe("complete");
      expect(answer.metadata?.inputTokens).toBeUndefined();
      const [call] = await written(owner);
      expect(call).toMatchObject({ kind: "answer", reported: false });
      expect(Number.isInteger(call?.input_tokens)).toBe(true);
      expect(conversation.process.failures).toEqual([]);
    },
  );

  test("stays within what can be counted, whatever is added", async () => {
    const owner = newOwner(database.sql);
    const { id: sessionId } = await owner.store.sessions.create("Odd");
    const counts = [11.5, -3, 2 ** 63, Number.NaN, 2 ** 53 - 1];
    for (const inputTokens of counts) {
      const tokens = { inputTokens, cachedTokens: inputTokens, outputTokens: inputTokens };
      const id = `call ${inputTokens}`;
      const call = { id, kind: "title", sessionId, model: "m", isReported: true } as const;
      await owner.usage.record({ ...call, ...tokens, cost: inputTokens });
      await owner.store.sessions.addUsage(sessionId, { ...tokens, cost: inputTokens });
    }
    const most = Number.MAX_SAFE_INTEGER;
    const session = await owner.store.sessions.get(sessionId);
    expect(session).toMatchObject({ inputTokens: most, outputTokens: most, cost: 23 });
    const sums = await owner.usage.sums({ timeZone: "UTC", days: null });
    expect(sums.find(({ by }) => by === "all")).toMatchObject({ calls: 5, inputTokens: most });
  });

  test("of a report replaces an estimate, which replaces nothing", async () => {
    const owner = newOwner(database.sql);
    const { id: sessionId } = await owner.store.sessions.create("Late");
    const call = { id: "call", kind: "answer", sessionId, model: "m", cachedTokens: 0 } as const;
    const estimate = { ...call, inputTokens: 90, outputTokens: 9, cost: null, isReported: false };
    const report = { ...call, inputTokens: 100, outputTokens: 10, cost: 0.5, isReported: true };
    expect(await owner.usage.record(estimate)).toBe(true);
    for (const entry of [report, estimate, report])
      expect(await owner.usage.record(entry)).toBe(false);
    const counted = { inputTokens: 100, outputTokens: 10, cost: 0.5 };
    expect(await owner.store.sessions.get(sessionId)).toMatchObject(counted);
    expect(await written(owner)).toMatchObject([
      { input_tokens: 100, output_tokens: 10, cost: 0.5, reported: true },
    ]);
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

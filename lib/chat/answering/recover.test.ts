import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { leaseMs } from "@/lib/chat/runs/lease";
import { chatProcess, newOwner, textIn, textOf } from "@/lib/chat/testing/chat-fixture";
import {
  abandonedAnswer,
  answerStart,
  halfAnAnswer,
  manualChat,
  sweep,
  withFaults,
} from "@/lib/chat/testing/run-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { recoverRuns } from "@/lib/server/recover-runs";
import { RunClaims } from "@/lib/storage/runs/run-claims";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe("an answer whose process died", () => {
  test("is kept as interrupted, with its text", async () => {
    const { conversation, owner } = await abandonedAnswer(database.sql);
    await sweep(database.sql, owner);
    const answer = await conversation.message("answer");
    expect(textOf(answer)).toBe("Half an answer");
    expect(answer.parts.at(-1)).toMatchObject({ type: "text", state: "done" });
    expect(answer.metadata).toEqual({
      status: "interrupted",
      runId: "answer",
      model: "test/model",
    });
    expect(await owner.runs.get("answer")).toMatchObject({ status: "interrupted" });
    expect(await owner.runs.running()).toEqual([]);
  });

  test("keeps the reason that its own process knows", async () => {
    const { conversation, owner } = await abandonedAnswer(database.sql);
    const problem = { code: "timeout", message: "No progress.", retryable: true } as const;
    await chatProcess().runner.recover(owner, await knownRun(owner, "answer"), problem);
    const answer = await conversation.message("answer");
    expect(textOf(answer)).toBe("Half an answer");
    expect(answer.metadata).toMatchObject({ status: "interrupted", error: problem });
  });

  test("is recovered exactly once by five processes at the same moment", async () => {
    const { conversation, owner } = await abandonedAnswer(database.sql);
    const ended = await Promise.all([1, 2, 3, 4, 5].map(() => sweep(database.sql, owner)));
    expect(ended.flat()).toEqual(["answer"]);
    expect(await owner.store.messages(conversation.sessionId).getPathLength()).toBe(2);
  });

  test("is whole when only its last write is missing", async () => {
    const metadata = { status: "complete", runId: "answer", model: "test/model", outputTokens: 7 };
    const { conversation, owner } = await abandonedAnswer(database.sql, [
      ...halfAnAnswer,
      { type: "text-end", id: "t" },
      { type: "finish-step" },
      { type: "finish", messageMetadata: metadata },
    ]);
    await sweep(database.sql, owner);
    expect((await conversation.message("answer")).metadata).toEqual(metadata);
    expect(await owner.runs.get("answer")).toMatchObject({ status: "complete" });
  });

  test("before its first word is an empty answer, not a spinner", async () => {
    const { conversation, owner } = await abandonedAnswer(database.sql, []);
    await sweep(database.sql, owner);
    expect(await conversation.message("answer")).toMatchObject({
      parts: [],
      metadata: { status: "interrupted" },
    });
  });

  test("tells what it had written into memory", async () => {
    const { conversation, owner } = await abandonedAnswer(database.sql, [
      answerStart,
      { type: "start-step" },
      { type: "tool-input-available", toolCallId: "c", toolName: "set_context", input: {} },
      { type: "tool-output-available", toolCallId: "c", output: "Written" },
    ]);
    const { sessionId } = conversation;
    const provenance = { author: "model" as const, sessionId, messageId: "answer" };
    await owner.blocks.text({ label: "memory", sessionId: null }).set("Likes tea", { provenance });
    await sweep(database.sql, owner);
    expect((await conversation.message("answer")).metadata?.writes).toEqual([
      { blockId: "memory", label: "memory", version: 1, lines: { added: 1, removed: 0 } },
    ]);
  });

  test("leaves a conversation that can go on, even after a call nobody answered", async () => {
    const { conversation, owner, model } = await abandonedAnswer(database.sql, [
      ...halfAnAnswer,
      { type: "text-end", id: "t" },
      {
        type: "tool-input-available",
        toolCallId: "c",
        toolName: "session_search",
        input: { query: "tea" },
      },
    ]);
    await sweep(database.sql, owner);
    model.turn().say("Gladly").finish();
    expect((await conversation.ask("Go on")).metadata?.status).toBe("complete");
    const kinds = (model.calls[0]?.prompt ?? []).flatMap(({ content }) =>
      typeof content === "string" ? [] : content.map(({ type }) => type),
    );
    expect(kinds.filter((kind) => kind === "tool-call")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "tool-result")).toHaveLength(1);
  });

  test("goes on with the one of which version 0.2 had logged that it does", async () => {
    const messageMetadata = { runId: "answer", model: "test/model", continuedFrom: "cut" };
    const { conversation, owner } = await abandonedAnswer(database.sql, [
      { type: "start", messageId: "answer", messageMetadata },
      ...halfAnAnswer.slice(1),
    ]);
    await sweep(database.sql, owner);
    const { metadata } = await conversation.message("answer");
    expect(metadata).toEqual({ status: "interrupted", ...messageMetadata });
  });

  test("says of a call that had begun that its result is unknown", async () => {
    const call = { toolCallId: "c", toolName: "station__book", input: { city: "Rome" } };
    const { conversation, owner } = await abandonedAnswer(database.sql, [
      ...halfAnAnswer,
      { type: "text-end", id: "t" },
      { type: "tool-input-available", ...call },
      { type: "tool-output-available", ...call, output: { text: "1 of 2" }, preliminary: true },
    ]);
    await sweep(database.sql, owner);
    expect((await conversation.message("answer")).parts.at(-1)).toMatchObject({
      state: "output-error",
      input: { city: "Rome" },
      errorText: expect.stringContaining("its result is unknown. It was not made again."),
    });
  });

  test("waits for its session when that was deleted, and holds up nobody", async () => {
    const first = await abandonedAnswer(database.sql);
    const second = await abandonedAnswer(database.sql);
    await first.owner.store.sessions.delete(first.conversation.sessionId);
    expect(await sweep(database.sql, second.owner)).toEqual(["answer"]);
    expect(await first.owner.runs.running()).toEqual([]);
    await first.owner.store.sessions.restore(first.conversation.sessionId);
    expect(await sweep(database.sql, first.owner)).toEqual(["answer"]);
    expect(textOf(await first.conversation.message("answer"))).toBe("Half an answer");
  });

  test("is not taken from a process that is alive", async () => {
    const { owner, run } = await abandonedAnswer(database.sql);
    expect(await owner.runs.heartbeat({ id: run.id, fence: 0 }, leaseMs)).toEqual({
      stopRequested: false,
    });
    expect(await sweep(database.sql, owner)).toEqual([]);
  });

  test("is handed to one caller at a time, and again when that one dies too", async () => {
    const { owner } = await abandonedAnswer(database.sql);
    const claim = async (lease: number) =>
      (await new RunClaims(database.sql, { leaseMs: lease }).claim()).filter(
        ({ ownerId }) => ownerId === owner.spaceId,
      );
    const claims = await Promise.all([1, 2, 3, 4].map(() => claim(60_000)));
    expect(claims.flat()).toHaveLength(1);
    await database.sql`update chat_run set lease_until = now() - interval '1 second' where owner_id = ${owner.spaceId}`;
    expect(await claim(60_000)).toHaveLength(1);
  });
});

test("An answer of which some chunks cannot be read is stopped with those before them", async () => {
  const { conversation, owner, run } = await abandonedAnswer(database.sql);
  await database.sql`
    insert into chat_stream (owner_id, run_id, n, size, delta)
    values (${owner.spaceId}, ${run.id}, ${halfAnAnswer.length}, 2, '[{"type":')`;
  const { runner, failures } = chatProcess();
  await runner.stop(owner, run.id);
  expect(textOf(await conversation.message("answer"))).toBe("Half an answer");
  expect(await owner.runs.running()).toEqual([]);
  expect(failures).toEqual([]);
});

test("An answer of which nothing else than its chunks can be read is stopped with its words", async () => {
  const { conversation, owner, run } = await abandonedAnswer(database.sql);
  const broken = new Error("column x does not exist");
  const unread = ["receiptOf", "record", "appendChunks"];
  const faulty = withFaults(owner, (method) => (unread.includes(method) ? broken : null));
  const { runner, failures } = chatProcess();
  await runner.stop(faulty, run.id);
  expect(textOf(await conversation.message("answer"))).toBe("Half an answer");
  expect(await owner.runs.running()).toEqual([]);
  expect(new Set(failures)).toEqual(new Set([broken]));
});

test("An answer that cannot be ended now can be stopped, and is ended later", {
  tags: "long",
}, async () => {
  const { conversation, owner, run } = await abandonedAnswer(database.sql);
  const broken = new Error("column x does not exist");
  const faulty = withFaults(owner, (method) => (method === "end" ? broken : null));
  const { runner, failures } = chatProcess();
  await runner.stop(faulty, run.id);
  expect(new Set(failures)).toEqual(new Set([broken]));
  await database.sql`update chat_run set lease_until = now() where owner_id = ${owner.spaceId}`;
  expect(await sweep(database.sql, owner)).toEqual(["answer"]);
  expect(textOf(await conversation.message("answer"))).toBe("Half an answer");
});

describe("an answer whose lease is an hour ahead, because the clock was set back", () => {
  async function ahead() {
    const given = await abandonedAnswer(database.sql);
    await database.sql`
      update chat_run set lease_until = now() + interval '1 hour' where owner_id = ${given.owner.spaceId}`;
    const claims = new RunClaims(database.sql, { leaseMs: 700 });
    const claimed = async () => {
      const runs = (await claims.claim()).filter(({ ownerId }) => ownerId === given.owner.spaceId);
      return runs.map(({ run }) => run.id);
    };
    return { ...given, claimed };
  }

  test("is taken over once nobody renewed it for its length", { tags: "long" }, async () => {
    const { claimed } = await ahead();
    expect(await claimed()).toEqual([]);
    await expect.poll(claimed).toEqual(["answer"]);
  });

  test("is left to a process that renews it", { tags: "long" }, async () => {
    const { owner, run, claimed } = await ahead();
    const beat = setInterval(
      () => void owner.runs.heartbeat({ id: run.id, fence: 0 }, 3_600_000),
      100,
    );
    onTestFinished(() => clearInterval(beat));
    const seen: unknown[] = [];
    await expect.poll(async () => seen.push(...(await claimed()), "look") > 15).toBe(true);
    expect(seen).not.toContain("answer");
  });

  test("ends as interrupted at once when it is stopped", { tags: "long" }, async () => {
    const { conversation, owner, run } = await ahead();
    await chatProcess().runner.stop(owner, run.id);
    expect(textOf(await conversation.message("answer"))).toBe("Half an answer");
    expect(await owner.runs.running()).toEqual([]);
  });
});

test("An answer that takes longer to end than its lease is left to the process that ends it", {
  tags: "long",
}, async () => {
  const { owner } = await abandonedAnswer(database.sql);
  const runs = new Proxy(owner.runs, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return async (...given: unknown[]) => {
        if (name === "end") await delay(2_500);
        return Reflect.apply(value, target, given);
      };
    },
  });
  const lease = { leaseMs: 1_500 };
  const { runner } = chatProcess();
  const claims = new RunClaims(database.sql, lease);
  const dataOf = (ownerId: string) =>
    ownerId === owner.spaceId ? { ...owner, runs } : newOwner(database.sql, ownerId);
  const recovering = recoverRuns({ claims, runner, dataOf });
  await expect
    .poll(async () => (await owner.runs.leaseOf("answer"))?.remainingMs)
    .toBeGreaterThan(0);
  const others = new RunClaims(database.sql, lease);
  const taken: unknown[] = [];
  while ((await owner.runs.running()).length > 0) {
    taken.push(...(await others.claim()).filter(({ ownerId }) => ownerId === owner.spaceId));
    await delay(200);
  }
  await recovering;
  expect(taken).toEqual([]);
});

describe("an answer whose process hangs", () => {
  test("is ended without its writer", { tags: "long" }, async () => {
    const owner = newOwner(database.sql);
    const saveReceipt = () => new Promise<void>(() => undefined);
    const runs = new Proxy(owner.runs, {
      get: (target, name) => {
        const value: unknown = name === "saveReceipt" ? saveReceipt : Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const hanging = { ...owner, runs };
    const limits = { stalledMs: 2_000, graceMs: 1 };
    const { model, conversation, process } = manualChat(database.sql, { owner: hanging, limits });
    const { run } = await conversation.send("Question");
    model.turn().say("Whole").finish();
    const viewer = conversation.watch(run?.id ?? "");
    await process.ended(run?.id ?? "");
    expect(process.failures.map(String)).toContainEqual(expect.stringContaining("no progress"));
    expect(textIn(await viewer)).toBe("Whole");
    expect(textOf(await conversation.message(run?.messageId ?? ""))).toBe("Whole");
    expect(await owner.runs.running()).toEqual([]);
  });
});

describe("a process whose database was away for longer than its lease", () => {
  async function late() {
    const owner = newOwner(database.sql);
    const away = { isAway: true };
    const silent = withFaults(owner, (method) =>
      away.isAway && method === "heartbeat" ? new Error("CONNECTION_CLOSED") : null,
    );
    const chat = manualChat(database.sql, { owner: silent });
    const turn = chat.model.turn().say("Whole ");
    await chat.conversation.send("Question", { answerId: "late" });
    await chat.conversation.readsUpTo("late", "text-delta");
    await database.sql`
      update chat_run set lease_until = now() - interval '1 second' where owner_id = ${owner.spaceId}`;
    return { ...chat, owner, turn, away };
  }

  test("writes its answer to the end, which its own sweep leaves to it", {
    tags: "long",
  }, async () => {
    const { conversation, process, turn, away } = await late();
    const claims = new RunClaims(database.sql, { leaseMs });
    const dataOf = (ownerId: string) => newOwner(database.sql, ownerId);
    await recoverRuns({ claims, runner: process.runner, dataOf });
    away.isAway = false;
    turn.say("answer").finish();
    expect(await process.ended("late")).toBe("complete");
    expect(textOf(await conversation.message("late"))).toBe("Whole answer");
  });

  test("leaves the end of its answer to another process that has taken it over", async () => {
    const { conversation, model, owner, process, away } = await late();
    const { token } = (await owner.runs.leaseOf("late")) ?? { token: "" };
    const claimed = await owner.runs.claim("late", { token, leaseMs });
    away.isAway = false;
    await expect.poll(() => model.calls[0]?.abortSignal?.aborted).toBe(true);
    await process.runner.live.emptied();
    if (!claimed) throw new Error("The lease was renewed.");
    await chatProcess().runner.recover(owner, claimed);
    expect((await conversation.message("late")).metadata?.status).toBe("interrupted");
  });
});

describe("a process taken for dead", () => {
  /** An answer that another process has taken over and ended, while its own stood still. */
  async function takenOver() {
    const owner = newOwner(database.sql);
    const standstill = new Error("This process stands still.");
    const still = withFaults(owner, (method) => (method === "heartbeat" ? standstill : null));
    const chat = manualChat(database.sql, { owner: still });
    const { model, conversation, process } = chat;
    const turn = model.turn().say("Whole ");
    await conversation.send("Question", { answerId: "late" });
    await conversation.readsUpTo("late", "text-delta");
    await expect.poll(() => owner.runs.readChunks("late", 0)).not.toEqual([]);
    const { token } = (await owner.runs.leaseOf("late")) ?? { token: "" };
    const claimed = await owner.runs.claim("late", { token, leaseMs });
    if (!claimed) throw new Error("The lease was renewed.");
    const failures = () => process.failures.filter((error) => error !== standstill);
    return { ...chat, owner, turn, claimed, live: process.runner.live, failures };
  }

  test("does not end its answer a second time when it is back", async () => {
    const { claimed, conversation, owner, turn, live, failures } = await takenOver();
    await chatProcess().runner.recover(owner, claimed);
    const stored = await conversation.message("late");
    expect(stored.metadata?.status).toBe("interrupted");
    turn.say("answer").finish();
    await live.emptied();
    expect(await conversation.message("late")).toEqual(stored);
    expect(await owner.runs.get("late")).toMatchObject({ status: "interrupted" });
    expect(failures()).toEqual([]);
  });

  test("does not end an answer that another one is about to end", async () => {
    const { claimed, conversation, owner, turn, live } = await takenOver();
    turn.say("answer").finish();
    await live.emptied();
    await expect(conversation.message("late")).rejects.toThrow("not stored");
    await chatProcess().runner.recover(owner, claimed);
    expect(textOf(await conversation.message("late"))).toContain("Whole ");
  });

  test("replaces the estimate of its usage by what the provider reported", async () => {
    const { claimed, conversation, owner, turn, live } = await takenOver();
    const { sessions } = owner.store;
    await chatProcess().runner.recover(owner, claimed);
    const estimated = await sessions.get(conversation.sessionId);
    expect(estimated?.inputTokens).not.toBe(1_234);
    turn.finish("stop", { inputTokens: 1_234, outputTokens: 56 });
    await live.emptied();
    const counted = await sessions.get(conversation.sessionId);
    expect(counted).toMatchObject({ inputTokens: 1_234, outputTokens: 56 });
  });
});

describe("an answer of another process", () => {
  test("is read from the database to its end", async () => {
    const { model, conversation } = manualChat(database.sql);
    model.turn().say("One ");
    const { run } = await conversation.send("Question");
    const id = run?.id ?? "";
    const elsewhere = conversation.watch(id, 0, chatProcess());
    await conversation.readsUpTo(id, "text-delta");
    model.turn().say("two").finish();
    const chunks = await elsewhere;
    expect(textIn(chunks)).toBe("One two");
    expect(chunks.at(-1)).toMatchObject({
      type: "finish",
      messageMetadata: { status: "complete" },
    });
    expect(await conversation.watch(id, 3, chatProcess())).toEqual(chunks.slice(3));
  });

  test("that dies is charged at the prices it began with", async () => {
    const { owner } = await abandonedAnswer(database.sql);
    const dollars = (each: number) => ({ inputPerMillion: each, outputPerMillion: 0 });
    const tokens = { prompt: 1_000_000, messages: 1_000_000, tools: 0 };
    const prices = { price: dollars(0), charged: dollars(3) };
    await owner.runs.saveReceipt(
      { id: "answer", fence: 0 },
      { prompt: "", sent: {}, tokens, prices },
    );
    await sweep(database.sql, owner);
    const [usage] = await database.sql`
      select cost, charge from chat_usage where owner_id = ${owner.spaceId}`;
    expect(usage).toEqual({ cost: 0, charge: 6 });
  });

  test("that dies ends for its viewers too", async () => {
    const { conversation, owner } = await abandonedAnswer(database.sql);
    const viewer = conversation.watch("answer");
    await sweep(database.sql, owner);
    expect(textIn(await viewer)).toBe("Half an answer");
  });
});

async function knownRun(owner: OwnerData, runId: string) {
  const run = await owner.runs.get(runId);
  if (!run) throw new Error(`There is no run ${runId}.`);
  return run;
}

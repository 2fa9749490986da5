import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { leaseMs } from "@/lib/chat/runs/lease";
import { openSession } from "@/lib/chat/sessions/open-session";
import { transcript } from "@/lib/chat/sessions/transcript";
import { chatProcess, type newOwner, resolvedModel, textIn } from "@/lib/chat/testing/chat-fixture";
import { longConversation } from "@/lib/chat/testing/long-conversation";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { recoverRuns } from "@/lib/server/recover-runs";
import { RunClaims } from "@/lib/storage/runs/run-claims";
import { compactSession, startCompaction } from "./compact-session";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function talk(pairs: number) {
  const model = new ManualModel();
  const resolved = resolvedModel(model.model, { contextWindow: 8_000 });
  const { chat, request, shown } = await longConversation(database.sql, { pairs, resolved });
  const { owner, sessionId } = chat;
  const summaries = async () => (await transcript(owner, sessionId, {})).summaries;
  return { model, chat, owner, request, shown, summaries };
}

/** A manual compaction, half written. */
async function begun() {
  const talking = await talk(4);
  const { model, chat, request } = talking;
  model.turn(0).say("Half ");
  const run = await startCompaction(chat.answering, request);
  await chat.readsUpTo(run.id, "text-delta");
  return { ...talking, run };
}

describe("a summary by hand", () => {
  test("is seen by everyone who looks, with what it will stand for, until it has taken its place", async () => {
    const { model, chat, run, summaries, shown } = await begun();
    expect(await summaries()).toEqual([
      {
        id: run.id,
        sessionId: chat.sessionId,
        status: "running",
        fromMessageId: "q1",
        toMessageId: "a3",
        firstPosition: 1,
        lastPosition: 6,
        leafId: "a3",
        focus: null,
        replaces: null,
        isManual: true,
        model: "test/model",
        problem: null,
        startedAt: expect.any(String),
      },
    ]);
    model.turn(0).say("a summary.").finish();
    expect(await chat.process.ended(run.id)).toBe("complete");
    expect(await summaries()).toEqual([]);
    expect((await shown()).slice(1)).toEqual(["q4", "a4"]);
  });

  test("is read word for word in another process, and after its end", {
    tags: "long",
  }, async () => {
    const { model, chat, run } = await begun();
    const elsewhere = chat.watch(run.id, 0, chatProcess());
    model.turn(0).say("a summary.").finish();
    for (const chunks of [await elsewhere, await chat.watch(run.id)]) {
      expect(textIn(chunks)).toBe("Half a summary.");
      expect(chunks.map(({ type }) => type)).toEqual(
        expect.arrayContaining(["start", "text-start", "text-delta", "finish"]),
      );
      expect(chunks.at(-1)).toMatchObject({ messageMetadata: { status: "complete" } });
    }
  });

  test("is stopped from another process, and leaves everything as it is", async () => {
    const { chat, owner, run, shown, summaries } = await begun();
    await chatProcess().runner.stop(owner, run.id);
    expect(await chat.process.ended(run.id)).toBe("stopped");
    expect(await shown()).toHaveLength(8);
    expect(await summaries()).toEqual([]);
  });

  test("that fails says why, until it is dismissed", async () => {
    const { model, chat, owner, run, shown, summaries } = await begun();
    model.turn(0).finish("length");
    expect(await chat.process.ended(run.id)).toBe("failed");
    const problem = expect.stringContaining("Nothing was summarized");
    expect(await summaries()).toMatchObject([{ id: run.id, status: "failed", problem }]);
    expect(await shown()).toHaveLength(8);
    expect(chat.process.failures).toEqual([]);
    await owner.runs.forgetSummary(run.id);
    expect(await summaries()).toEqual([]);
  });

  test("that follows an earlier one covers its stored messages", async () => {
    const { model, chat, owner, request, summaries } = await talk(4);
    model.turn(0).say("First.").finish();
    await compactSession(chat.answering, request);
    const parts = [{ type: "text", text: "More. ".repeat(80) }];
    await owner.store.messages(chat.sessionId).appendMessage({ id: "q5", role: "user", parts });
    await owner.store
      .messages(chat.sessionId)
      .appendMessage({ id: "a5", role: "assistant", parts });
    model.turn(1).say("Half");
    const run = await startCompaction(chat.answering, request);
    expect(await summaries()).toMatchObject([
      { fromMessageId: "q1", toMessageId: "a4", firstPosition: 1, lastPosition: 8 },
    ]);
    model.turn(1).finish();
    await chat.process.ended(run.id);
  });

  test("where there is nothing to fold leaves nothing behind", async () => {
    const { chat, request, summaries } = await talk(1);
    const { live } = chat.process.runner;
    await expect(startCompaction(chat.answering, request)).rejects.toMatchObject({
      code: "nothing-to-compact",
    });
    expect(await summaries()).toEqual([]);
    expect(live.count).toBe(0);
  });
});

describe("a summary before an answer", () => {
  test("is seen like one by hand, and can be stopped without stopping the answer", {
    tags: "long",
  }, async () => {
    const { model, chat, owner, summaries, shown } = await talk(45);
    const { run } = await chat.send("And now?");
    await model.turn(0).opened;
    const [summary] = await summaries();
    expect(summary).toMatchObject({ isManual: false, status: "running", firstPosition: 3 });
    await chat.process.runner.stop(owner, summary?.id ?? "");
    model.turn(1).say("Answer").finish();
    expect(await chat.process.ended(run?.id ?? "")).toBe("complete");
    expect(await chat.process.ended(summary?.id ?? "")).toBe("stopped");
    expect((await shown()).some((id) => id.startsWith("compaction_"))).toBe(false);
    expect(await summaries()).toEqual([]);
  });

  test("counts as progress of the answer that waits for it", { tags: "long" }, async () => {
    const { model, chat } = await talk(45);
    const { run } = await chat.send("And now?");
    const live = chat.process.runner.live.get(chat.owner.spaceId, run?.id ?? "");
    await model.turn(0).opened;
    const progressedAt = () => performance.now() - (live?.stalledMs ?? Number.NaN);
    await expect.poll(() => live?.stalledMs).toBeGreaterThan(20);
    const before = progressedAt();
    model.turn(0).say("Half a summary");
    await expect.poll(progressedAt).toBeGreaterThan(before + 10);
    await chat.process.runner.end({ drainMs: 0, storeMs: 60_000 });
  });

  test("renders the prompt again, and the answer uses it", { tags: "long" }, async () => {
    const { model, chat, owner } = await talk(45);
    await owner.blocks.text({ label: "memory", sessionId: null }).set("Likes green tea.");
    await (await openSession(owner, chat.sessionId)).freezeSystemPrompt();
    await owner.blocks.text({ label: "memory", sessionId: null }).set("Likes black tea.");
    // It may take several pieces, and the answer is the call after the last one.
    for (let turn = 0; turn < 4; turn++) model.turn(turn).say("Said.").finish();
    const { run } = await chat.send("And now?");
    expect(await chat.process.ended(run?.id ?? "")).toBe("complete");
    expect(model.calls.length).toBeGreaterThan(1);
    const [instructions] = model.calls.at(-1)?.prompt ?? [];
    expect(instructions).toMatchObject({
      role: "system",
      content: expect.stringContaining("Likes black tea."),
    });
  });

  test("that is not needed leaves the prompt as it was", async () => {
    const { model, chat, owner } = await talk(1);
    await owner.blocks.text({ label: "memory", sessionId: null }).set("Likes green tea.");
    await (await openSession(owner, chat.sessionId)).freezeSystemPrompt();
    await owner.blocks.text({ label: "memory", sessionId: null }).set("Likes black tea.");
    model.turn(0).say("Answer").finish();
    const { run } = await chat.send("And now?");
    expect(await chat.process.ended(run?.id ?? "")).toBe("complete");
    expect(JSON.stringify(model.calls[0]?.prompt[0])).toContain("Likes green tea.");
  });

  test("that fails says why, and the answer is written all the same", {
    tags: "long",
  }, async () => {
    const { model, chat, summaries } = await talk(45);
    model.turn(0).finish("content-filter");
    const { run } = await chat.send("And now?");
    model.turn(1).say("Answer").finish();
    expect(await chat.process.ended(run?.id ?? "")).toBe("complete");
    expect(await summaries()).toMatchObject([
      {
        isManual: false,
        status: "failed",
        problem: expect.stringContaining("Nothing was summarized"),
      },
    ]);
  });

  test("that failed is not tried again at every answer, but when the conversation has grown", {
    tags: "long",
  }, async () => {
    const { model, chat, owner, summaries, shown } = await talk(45);
    const next = async (turn: number) => {
      const { run } = await chat.send(`Question ${turn}`);
      model.turn(turn).say("Answer").finish("stop", { inputTokens: 8_000 });
      expect(await chat.process.ended(run?.id ?? "")).toBe("complete");
    };
    model.turn(0).finish("content-filter");
    await next(1);
    const [failed] = await summaries();
    await next(2);
    await next(3);
    expect(await summaries()).toEqual([failed]);

    const parts = [{ type: "text", text: "word ".repeat(60) }];
    const messages = owner.store.messages(chat.sessionId);
    for (let n = 0; n < 20; n++) {
      await messages.appendMessage({ id: `more${n}`, role: "user", parts });
    }
    // It may take several pieces.
    for (let turn = 4; turn < 12; turn++) model.turn(turn).say("A summary at last.").finish();
    const { run } = await chat.send("And now?");
    expect(await chat.process.ended(run?.id ?? "")).toBe("complete");
    expect((await shown()).some((id) => id.startsWith("compaction_"))).toBe(true);
    expect(await summaries()).toEqual([]);
  });
});

describe("a summary whose process died", () => {
  async function abandoned() {
    const { chat, owner, request, summaries } = await talk(4);
    const plan = {
      fromMessageId: "q1",
      toMessageId: "a3",
      firstPosition: 1,
      lastPosition: 6,
      focus: null,
      replaces: null,
      isManual: true,
    };
    const run = { id: crypto.randomUUID(), messageId: "", parentId: "a4", model: "test/model" };
    const { sessionId } = chat;
    const summary = { ...run, kind: "summary" as const, messageId: run.id, sessionId, plan };
    await owner.runs.start(summary, -1, { maxRunning: 8 });
    const sweep = () =>
      recoverRuns({
        claims: new RunClaims(database.sql, { leaseMs }),
        runner: chat.process.runner,
        dataOf: () => owner as ReturnType<typeof newOwner>,
      });
    return { chat, owner, request, summaries, run, sweep };
  }

  test("is shown as interrupted, not as running", async () => {
    const { chat, run, sweep, summaries } = await abandoned();
    await sweep();
    expect(await chat.process.ended(run.id)).toBe("interrupted");
    expect(await summaries()).toMatchObject([
      { id: run.id, status: "interrupted", problem: expect.stringContaining("the server stopped") },
    ]);
  });

  test("after it had taken its place is complete", async () => {
    const { chat, owner, run, sweep, summaries } = await abandoned();
    await owner.store.messages(chat.sessionId).addCompaction("Short.", "q1", "a3");
    await sweep();
    expect(await chat.process.ended(run.id)).toBe("complete");
    expect(await summaries()).toEqual([]);
  });
});

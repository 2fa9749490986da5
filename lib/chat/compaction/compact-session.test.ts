import { estimateStringTokens } from "grove-session";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contextView } from "@/lib/chat/answering/context-view";
import { demoModel, resolvedModel } from "@/lib/chat/testing/chat-fixture";
import { longConversation } from "@/lib/chat/testing/long-conversation";
import { ManualModel, type ManualTurn } from "@/lib/chat/testing/manual-model";
import type { ResolvedModel } from "@/lib/llm";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { compactionPreview, compactSession } from "./compact-session";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const long = (pairs: number, resolved: ResolvedModel) =>
  longConversation(database.sql, { pairs, resolved });

describe("compacting by hand", () => {
  test("folds exactly what the preview said, and keeps what it said", async () => {
    const { chat, owner, request, shown } = await long(4, await demoModel());
    const preview = await compactionPreview(owner, request);
    const compaction = await compactSession(chat.answering, request);
    expect(preview.range).toMatchObject({
      fromMessageId: compaction.fromMessageId,
      toMessageId: compaction.toMessageId,
      messageCount: compaction.messageCount,
    });
    expect(await shown()).toEqual([`compaction_${compaction.id}`, "q4", "a4"]);
    expect(preview).toMatchObject({ keptMessageCount: 2 });
    expect(compaction.rangeTokens).toBe(preview.range?.tokens);
    expect(compaction.summaryTokens).toBe(estimateStringTokens(compaction.summary));
    expect(compaction).toMatchObject({ model: "demo/grove-demo", cost: 0 });
  });

  test("notes which model wrote the summary and what it charged, also when it is rewritten", async () => {
    const model = new ManualModel();
    const price = { inputPerMillion: 0, outputPerMillion: 1_000 };
    const { chat, request } = await long(4, resolvedModel(model.model, { price }));
    model.turn(0).say("A summary.").finish("stop", { outputTokens: 20 });
    const first = await compactSession(chat.answering, request);
    expect(first).toMatchObject({ model: "test/model", cost: 0.02 });
    model.turn(1).say("Another one.").finish("stop", { outputTokens: 40 });
    const anew = await compactSession(chat.answering, { ...request, replaces: first.id });
    expect(anew).toMatchObject({ model: "test/model", cost: 0.04, rangeTokens: first.rangeTokens });
  });

  test("again takes the earlier summary in, as the preview said", { tags: "long" }, async () => {
    const { chat, owner, request, messages, shown } = await long(4, await demoModel());
    const first = await compactSession(chat.answering, request);
    const text = [{ type: "text", text: "More. ".repeat(80) }];
    await messages.appendMessage({ id: "q5", role: "user", parts: text });
    await messages.appendMessage({ id: "a5", role: "assistant", parts: text });
    const preview = await compactionPreview(owner, request);
    expect(preview.range).toMatchObject({
      fromMessageId: `compaction_${first.id}`,
      toMessageId: "a4",
      messageCount: 8,
      summarizedCount: 6,
    });
    const second = await compactSession(chat.answering, request);
    expect(second).toMatchObject({ fromMessageId: "q1", toMessageId: "a4", messageCount: 8 });
    expect(await shown()).toEqual([`compaction_${second.id}`, "q5", "a5"]);
  });

  test("keeps pinned messages word for word", async () => {
    const { chat, request, messages, shown } = await long(4, await demoModel());
    await messages.setPinned("q2", true);
    const { id } = await compactSession(chat.answering, request);
    expect(await shown()).toEqual([`compaction_${id}`, "q2", "q4", "a4"]);
  });

  test("of a path folds that path alone", async () => {
    const { chat, request, messages, shown } = await long(4, await demoModel());
    await messages.appendMessage(
      { id: "beside", role: "user", parts: [{ type: "text", text: "x" }] },
      "a1",
    );
    await messages.setActiveLeaf("beside");
    const { toMessageId } = await compactSession(chat.answering, { ...request, leafId: "a4" });
    expect(toMessageId).toBe("a3");
    expect(await shown()).toEqual(["q1", "a1", "beside"]);
  });

  test("of what is too short says that there is nothing to fold, as the preview does", async () => {
    const { chat, owner, request } = await long(1, await demoModel());
    expect(await compactionPreview(owner, request)).toMatchObject({
      range: null,
      keptMessageCount: 2,
    });
    await expect(compactSession(chat.answering, request)).rejects.toMatchObject({
      code: "nothing-to-compact",
    });
    const unknown = { ...request, sessionId: "unknown" };
    await expect(compactSession(chat.answering, unknown)).rejects.toMatchObject({
      code: "session-not-found",
    });
  });

  test.each([
    ["breaks off", (turn: ManualTurn) => turn.say("Half").break(new TypeError("terminated"))],
    ["is cut at its limit", (turn: ManualTurn) => turn.say("Half").finish("length")],
    ["is blank", (turn: ManualTurn) => turn.say(" ").finish()],
    ["is refused", (turn: ManualTurn) => turn.finish("content-filter")],
    [
      "is longer than what it stands for",
      (turn: ManualTurn) => turn.say("long ".repeat(3_000)).finish(),
    ],
  ])("leaves everything as it is when the summary %s", async (_, answer) => {
    const model = new ManualModel();
    const { chat, request, shown } = await long(3, resolvedModel(model.model));
    const before = await shown();
    for (let n = 0; n < 4; n++) answer(model.turn(n));
    await expect(compactSession(chat.answering, request)).rejects.toMatchObject({
      code: "compaction-failed",
    });
    expect(await shown()).toEqual(before);
  });
});

describe("rewriting a summary", () => {
  test("keeps the old one until the new one takes its place, over the same messages", async () => {
    const model = new ManualModel();
    const { chat, request, messages, shown } = await long(4, resolvedModel(model.model));
    model.turn(0).say("Old summary.").finish();
    const old = await compactSession(chat.answering, request);
    const again = compactSession(chat.answering, {
      ...request,
      replaces: old.id,
      focus: "the owl",
    });
    await model.turn(1).opened;
    expect(await shown()).toEqual([`compaction_${old.id}`, "q4", "a4"]);
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain("Question 1.");
    model.turn(1).say("New summary.").finish();
    const renewed = await again;
    expect(renewed).toMatchObject({
      summary: "New summary.",
      fromMessageId: "q1",
      toMessageId: "a3",
      messageCount: 6,
      focus: "the owl",
    });
    expect(await shown()).toEqual([`compaction_${renewed.id}`, "q4", "a4"]);
    await messages.removeCompaction(renewed.id);
    expect(await shown()).toHaveLength(8);
  });

  test("that fails, or whose summary was undone meanwhile, changes nothing", async () => {
    const model = new ManualModel();
    const { chat, request, messages, shown } = await long(4, resolvedModel(model.model));
    model.turn(0).say("Old summary.").finish();
    const old = await compactSession(chat.answering, request);
    model.turn(1).say("Half").finish("length");
    const replacing = { ...request, replaces: old.id };
    await expect(compactSession(chat.answering, replacing)).rejects.toMatchObject({
      code: "compaction-failed",
    });
    expect(await shown()).toEqual([`compaction_${old.id}`, "q4", "a4"]);
    const again = compactSession(chat.answering, replacing);
    await model.turn(2).opened;
    await messages.removeCompaction(old.id);
    model.turn(2).say("Too late.").finish();
    await expect(again).rejects.toMatchObject({ code: "compaction-not-found" });
    expect(await shown()).toHaveLength(8);
  });
});

describe("stopping", () => {
  test("an answer stops the summary that comes before it", { tags: "long" }, async () => {
    const model = new ManualModel();
    const { chat, shown } = await long(45, resolvedModel(model.model, { contextWindow: 8_000 }));
    const before = await shown();
    const { run } = await chat.send("And now?");
    await model.turn(0).opened;
    expect(JSON.stringify(model.calls[0]?.providerOptions)).toContain("summary");
    await chat.process.runner.stop(chat.owner, run?.id ?? "");
    expect(await chat.process.ended(run?.id ?? "")).toBe("stopped");
    expect((await shown()).slice(0, before.length)).toEqual(before);
  });
});

describe("automatic compaction", () => {
  test("comes when prompt, tools and messages fill the window together, as the gauge says", {
    tags: "long",
  }, async () => {
    const resolved = await demoModel();
    const { chat, owner, shown } = await long(34, resolved);
    const { gauge } = await contextView(owner, { sessionId: chat.sessionId, resolved });
    const messages = gauge.parts.find(({ source }) => source === "messages")?.tokens ?? 0;
    const share = (tokens: number) => tokens / gauge.contextWindow;
    expect(share(messages)).toBeLessThan(0.8);
    expect(share(gauge.usedTokens)).toBeGreaterThan(0.8);
    await chat.ask("And now?");
    expect((await shown()).some((id) => id.startsWith("compaction_"))).toBe(true);
  });

  test("folds before an answer that would not fit, and the answer is whole", {
    tags: "long",
  }, async () => {
    const { chat, shown } = await long(45, await demoModel());
    const answer = await chat.ask("And now?");
    expect(answer.metadata?.status).toBe("complete");
    const lines = await shown();
    expect(lines.some((id) => id.startsWith("compaction_"))).toBe(true);
    expect(lines.at(-1)).toBe(answer.id);
  });

  /** Number of summaries when the question is sent several times while the first is being written. */
  async function summariesWhenSent(times: number): Promise<number> {
    const model = new ManualModel();
    const { chat } = await long(45, resolvedModel(model.model, { contextWindow: 8_000 }));
    const same = { id: "question", answerId: "answer" };
    await chat.send("And now?", same);
    await model.turn(0).opened;
    for (let n = 1; n < times; n++) await chat.send("And now?", same);
    for (let n = 0; ; n++) {
      await model.turn(n).opened;
      const isSummary = JSON.stringify(model.calls[n]?.providerOptions).includes("summary");
      model
        .turn(n)
        .say(isSummary ? "## Topic\nWords" : "Answer")
        .finish();
      if (isSummary) continue;
      expect(await chat.process.ended("answer")).toBe("complete");
      return n;
    }
  }

  test("is written once, however often the question is sent again meanwhile", {
    tags: "long",
  }, async () => {
    const once = await summariesWhenSent(1);
    expect(once).toBeGreaterThan(0);
    expect(await summariesWhenSent(4)).toBe(once);
  });

  test("that fails does not keep the model from answering", { tags: "long" }, async () => {
    const model = new ManualModel();
    const { chat } = await long(45, resolvedModel(model.model, { contextWindow: 8_000 }));
    const { run } = await chat.send("And now?");
    for (let n = 0; n < 8; n++) {
      await model.turn(n).opened;
      const isSummary = JSON.stringify(model.calls[n]?.providerOptions).includes("summary");
      if (!isSummary) {
        model.turn(n).say("Answer").finish();
        break;
      }
      model.turn(n).finish("error");
    }
    expect(await chat.process.ended(run?.id ?? "")).toBe("complete");
  });
});

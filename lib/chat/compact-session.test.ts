import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ResolvedModel } from "@/lib/llm";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { compactionPreview, compactSession } from "./compact-session";
import { RunningCompactions } from "./running-compactions";
import {
  Conversation,
  chatProcess,
  demoModel,
  newOwner,
  resolvedModel,
} from "./testing/chat-fixture";
import { ManualModel, type ManualTurn } from "./testing/manual-model";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A conversation of so many questions and answers, each long enough to be worth folding. */
async function long(pairs: number, resolved: ResolvedModel) {
  const chat = new Conversation(newOwner(database.sql), chatProcess(), resolved);
  await chat.owner.store.sessions.create("Long", { id: chat.sessionId });
  const messages = chat.owner.store.messages(chat.sessionId);
  for (let n = 1; n <= pairs; n++) {
    const part = (text: string) => [{ type: "text", text: `${text} ${n}. ${"word ".repeat(60)}` }];
    await messages.appendMessage({ id: `q${n}`, role: "user", parts: part("Question") });
    await messages.appendMessage({ id: `a${n}`, role: "assistant", parts: part("Answer") });
  }
  const request = { sessionId: chat.sessionId, resolved };
  const shown = async () => (await messages.getHistory()).map(({ id }) => id);
  return { chat, messages, request, shown, owner: chat.owner };
}

describe("compacting by hand", () => {
  test("folds exactly what the preview said, and keeps what it said", async () => {
    const { owner, request, shown } = await long(4, await demoModel());
    const preview = await compactionPreview(owner, request);
    const compaction = await compactSession(owner, request);
    expect(preview.range).toMatchObject({
      fromMessageId: compaction.fromMessageId,
      toMessageId: compaction.toMessageId,
      messageCount: compaction.messageCount,
    });
    expect(await shown()).toEqual([`compaction_${compaction.id}`, "q4", "a4"]);
    expect(preview).toMatchObject({ keptMessageCount: 2 });
    expect(compaction.tokensBefore).toBe((preview.range?.tokens ?? 0) + preview.keptTokens);
    expect(compaction.tokensAfter).toBeLessThan(compaction.tokensBefore ?? 0);
    expect(compaction.summary).not.toBe("");
  });

  test("again takes the earlier summary in, as the preview said", async () => {
    const { owner, request, messages, shown } = await long(4, await demoModel());
    const first = await compactSession(owner, request);
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
    const second = await compactSession(owner, request);
    expect(second).toMatchObject({ fromMessageId: "q1", toMessageId: "a4", messageCount: 8 });
    expect(await shown()).toEqual([`compaction_${second.id}`, "q5", "a5"]);
  });

  test("keeps pinned messages word for word", async () => {
    const { owner, request, messages, shown } = await long(4, await demoModel());
    await messages.setPinned("q2", true);
    const { id } = await compactSession(owner, request);
    expect(await shown()).toEqual([`compaction_${id}`, "q2", "q4", "a4"]);
  });

  test("of a path folds that path alone", async () => {
    const { owner, request, messages, shown } = await long(4, await demoModel());
    await messages.appendMessage(
      { id: "beside", role: "user", parts: [{ type: "text", text: "x" }] },
      "a1",
    );
    await messages.setActiveLeaf("beside");
    const { toMessageId } = await compactSession(owner, { ...request, leafId: "a4" });
    expect(toMessageId).toBe("a3");
    expect(await shown()).toEqual(["q1", "a1", "beside"]);
  });

  test("of what is too short says that there is nothing to fold, as the preview does", async () => {
    const { owner, request } = await long(1, await demoModel());
    expect(await compactionPreview(owner, request)).toMatchObject({
      range: null,
      keptMessageCount: 2,
    });
    await expect(compactSession(owner, request)).rejects.toMatchObject({
      code: "nothing-to-compact",
    });
    const unknown = { ...request, sessionId: "unknown" };
    await expect(compactSession(owner, unknown)).rejects.toMatchObject({
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
    const { owner, request, shown } = await long(3, resolvedModel(model.model));
    const before = await shown();
    for (let n = 0; n < 4; n++) answer(model.turn(n));
    await expect(compactSession(owner, request)).rejects.toMatchObject({
      code: "compaction-failed",
    });
    expect(await shown()).toEqual(before);
  });
});

describe("writing a summary anew", () => {
  test("keeps the old one until the new one takes its place, over the same messages", async () => {
    const model = new ManualModel();
    const { owner, request, messages, shown } = await long(4, resolvedModel(model.model));
    model.turn(0).say("Old summary.").finish();
    const old = await compactSession(owner, request);
    const heard: string[] = [];
    const listener = {
      onStart: () => heard.push("started"),
      onDelta: (text: string) => heard.push(text),
    };
    const again = compactSession(owner, {
      ...request,
      replaces: old.id,
      focus: "the owl",
      listener,
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
    expect(heard.join(" ")).toMatch(/^started New/);
    expect(await shown()).toEqual([`compaction_${renewed.id}`, "q4", "a4"]);
    await messages.removeCompaction(renewed.id);
    expect(await shown()).toHaveLength(8);
  });

  test("that fails, or whose summary was undone meanwhile, changes nothing", async () => {
    const model = new ManualModel();
    const { owner, request, messages, shown } = await long(4, resolvedModel(model.model));
    model.turn(0).say("Old summary.").finish();
    const old = await compactSession(owner, request);
    model.turn(1).say("Half").finish("length");
    const replacing = { ...request, replaces: old.id };
    await expect(compactSession(owner, replacing)).rejects.toMatchObject({
      code: "compaction-failed",
    });
    expect(await shown()).toEqual([`compaction_${old.id}`, "q4", "a4"]);
    const again = compactSession(owner, replacing);
    await model.turn(2).opened;
    await messages.removeCompaction(old.id);
    model.turn(2).say("Too late.").finish();
    await expect(again).rejects.toMatchObject({ code: "compaction-not-found" });
    expect(await shown()).toHaveLength(8);
  });
});

describe("stopping", () => {
  test("a summary by hand leaves everything as it is", async () => {
    const model = new ManualModel();
    const { owner, request, shown } = await long(4, resolvedModel(model.model));
    const running = new RunningCompactions();
    const place = { ownerId: owner.ownerId, sessionId: request.sessionId };
    const compaction = running.run(place, (signal) =>
      compactSession(owner, { ...request, signal }),
    );
    await model.turn(0).opened;
    model.turn(0).say("Half");
    expect(running.stop({ ...place, ownerId: "somebody else" })).toBe(false);
    expect(running.stop(place)).toBe(true);
    await expect(compaction).rejects.toMatchObject({ code: "compaction-stopped" });
    expect(running.stop(place)).toBe(false);
    expect(await shown()).toHaveLength(8);
  });

  test("an answer stops the summary that comes before it", async () => {
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

describe("compaction by itself", () => {
  test("folds before an answer that would not fit, and the answer is whole", async () => {
    const { chat, shown } = await long(45, await demoModel());
    const answer = await chat.ask("And now?");
    expect(answer.metadata?.status).toBe("complete");
    const lines = await shown();
    expect(lines.some((id) => id.startsWith("compaction_"))).toBe(true);
    expect(lines.at(-1)).toBe(answer.id);
  });

  test("that fails does not keep the model from answering", async () => {
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

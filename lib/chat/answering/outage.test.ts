import type { UIMessageChunk } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatProcess, newOwner, textIn, textOf } from "@/lib/chat/testing/chat-fixture";
import {
  abandonedAnswer,
  halfAnAnswer,
  manualChat,
  sweep,
  temporarySpool,
  withFaults,
} from "@/lib/chat/testing/run-fixture";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const end: UIMessageChunk[] = [{ type: "text-end", id: "t" }, { type: "finish-step" }];

/** An abandoned answer whose process went on without the database: the log has half of it, the spool all. */
async function spooled(counts: Pick<GroveMetadata, "inputTokens" | "outputTokens"> = {}) {
  const given = await abandonedAnswer(database.sql);
  const spool = await temporarySpool();
  const address = { ownerId: given.owner.spaceId, runId: "answer", part: 0 };
  const metadata = { status: "complete", runId: "answer", model: "test/model", ...counts };
  const finish: UIMessageChunk = { type: "finish", messageMetadata: metadata };
  await spool.append(address, { from: 0, chunks: [...halfAnAnswer, ...end, finish] });
  return { ...given, spool };
}

describe("an answer whose process died while the database was away", () => {
  test("is stored whole from the spool, once, and removed from there", async () => {
    const { conversation, owner, spool } = await spooled();
    expect(await sweep(database.sql, owner, spool)).toEqual(["answer"]);
    expect(await sweep(database.sql, owner, spool)).toEqual([]);
    const answer = await conversation.message("answer");
    expect(textOf(answer)).toBe("Half an answer");
    expect(answer.metadata?.status).toBe("complete");
    const logged = await owner.runs.readChunks("answer", 0);
    expect(logged).toMatchObject([...halfAnAnswer, ...end, { type: "finish" }]);
    expect(await spool.runs()).toEqual([]);
    expect(await owner.store.messages(conversation.sessionId).getPathLength()).toBe(2);
  });

  test("is charged by the counts that its writer had logged", async () => {
    const { owner, spool } = await spooled({ inputTokens: 12, outputTokens: 34 });
    await sweep(database.sql, owner, spool);
    const [usage] = await database.sql`
      select input_tokens as input, output_tokens as output, reported
      from chat_usage where owner_id = ${owner.spaceId}`;
    expect(usage).toEqual({ input: 12, output: 34, reported: true });
  });

  test("is completed when another process had ended it without the spool", async () => {
    const { conversation, owner, spool } = await spooled();
    await sweep(database.sql, owner);
    expect((await conversation.message("answer")).metadata?.status).toBe("interrupted");
    expect(await sweep(database.sql, owner, spool)).toEqual(["answer"]);
    expect((await conversation.message("answer")).metadata?.status).toBe("complete");
    expect(await spool.runs()).toEqual([]);
  });

  test("stays as it was when somebody stopped it meanwhile", async () => {
    const { conversation, owner, spool } = await spooled();
    await owner.runs.finish("answer", "stopped");
    expect(await sweep(database.sql, owner, spool)).toEqual([]);
    expect(await spool.runs()).toEqual([]);
    await expect(conversation.message("answer")).rejects.toThrow("not stored");
  });

  test("stays deleted when somebody deleted it meanwhile", async () => {
    const { conversation, owner, spool } = await spooled();
    await sweep(database.sql, owner);
    const messages = owner.store.messages(conversation.sessionId);
    await messages.deleteMessages(["answer"]);
    await sweep(database.sql, owner, spool);
    expect(await messages.getMessage("answer")).toBeNull();
    expect(await messages.getPathLength()).toBe(1);
  });

  test("waits for its deleted session, and is forgotten with one that is gone for good", async () => {
    const { conversation, owner, spool } = await spooled();
    const { sessions } = owner.store;
    await sessions.delete(conversation.sessionId);
    expect(await sweep(database.sql, owner, spool)).toEqual([]);
    expect(await sessions.get(conversation.sessionId)).toBeNull();
    expect(await spool.runs()).toHaveLength(1);
    await database.sql`delete from chat_run where owner_id = ${owner.spaceId}`;
    await sweep(database.sql, owner, spool);
    expect(await spool.runs()).toEqual([]);
  });
});

/** A database that methods do not reach while it is away. */
function unsteady(affects: (method: string) => boolean = () => true) {
  const state = { isAway: false, failed: 0 };
  const owner = withFaults(newOwner(database.sql), (method) => {
    if (!state.isAway || !affects(method)) return null;
    state.failed++;
    return Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  });
  return { owner, state };
}

/** A question whose answer waits for its input. */
async function unread() {
  const { owner, state } = unsteady((method) => method === "getLoadedSkills");
  state.isAway = true;
  const chat = manualChat(database.sql, { owner });
  await chat.conversation.send("Question", { answerId: "answer" });
  await expect.poll(() => state.failed).toBeGreaterThan(1);
  return { ...chat, state, turn: chat.model.turn() };
}

describe("a database that is away", () => {
  test("for a moment at the end of an answer does not cost the answer", async () => {
    const due = new Set<string>();
    const owner = withFaults(newOwner(database.sql), (method) =>
      due.delete(method) ? new Error("CONNECTION_CLOSED") : null,
    );
    const { model, conversation, process } = manualChat(database.sql, { owner });
    const { run } = await conversation.send("Question", { answerId: "answer" });
    await model.turn().opened;
    for (const method of ["appendChunks", "record", "end"]) due.add(method);
    model.turn().say("Kept").finish();
    expect(await process.ended(run?.id ?? "")).toBe("complete");
    const answer = await conversation.message("answer");
    expect(textOf(answer)).toBe("Kept");
    expect(answer.metadata?.status).toBe("complete");
    expect(textIn(await conversation.watch(answer.id, 0, chatProcess()))).toBe("Kept");
    expect(process.failures).toEqual([]);
  });

  test("for longer than a run may stall ends no answer that waits to be stored", {
    tags: "long",
  }, async () => {
    const { owner, state } = unsteady();
    const limits = { stalledMs: 2_500, graceMs: 1 };
    const { model, conversation, process } = manualChat(database.sql, { owner, limits });
    const turn = model.turn().say("Whole");
    const { run } = await conversation.send("Question", { answerId: "answer" });
    await conversation.readsUpTo("answer", "text-delta");
    const viewer = conversation.watch("answer");
    state.isAway = true;
    const leftAt = performance.now();
    turn.finish();
    await expect.poll(() => performance.now() - leftAt, { timeout: 10_000 }).toBeGreaterThan(4_000);
    state.isAway = false;
    expect(await process.ended(run?.id ?? "")).toBe("complete");
    expect((await viewer).at(-1)).toMatchObject({ messageMetadata: { status: "complete" } });
    expect(textOf(await conversation.message("answer"))).toBe("Whole");
    expect(process.failures.map(String)).not.toContainEqual(expect.stringContaining("progress"));
  });

  test("at the end of an answer leaves it whole in the spool, for a log that a crash shortens", async () => {
    const { owner, state } = unsteady((method) => method === "end");
    const spool = await temporarySpool();
    const { model, conversation, process } = manualChat(database.sql, { owner, spool });
    const turn = model.turn().say("Whole");
    await conversation.send("Question", { answerId: "answer" });
    await conversation.readsUpTo("answer", "text-delta");
    state.isAway = true;
    turn.finish();
    const place = { ownerId: owner.spaceId, runId: "answer", part: 0 };
    const last = async () => (await spool.read(place)).at(-1)?.type;
    await expect.poll(last).toBe("finish");
    state.isAway = false;
    expect(await process.ended("answer")).toBe("complete");
    expect(await spool.runs()).toEqual([]);
  });

  test("while the input is read lets the answer begin once it is back", async () => {
    const { conversation, process, turn, state } = await unread();
    turn.say("Late").finish();
    state.isAway = false;
    expect(await process.ended("answer")).toBe("complete");
    expect(textOf(await conversation.message("answer"))).toBe("Late");
  });

  test("while the input is read lets the answer be stopped, which asks no model", async () => {
    const { model, owner, process } = await unread();
    await process.runner.stop(owner, "answer");
    expect(await process.ended("answer")).toBe("stopped");
    expect(model.calls).toHaveLength(0);
    expect(process.failures).toEqual([]);
  });
});

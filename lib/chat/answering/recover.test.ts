import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UIMessageChunk } from "ai";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { OwnerData } from "@/lib/chat/owner-data";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
  textIn,
  textOf,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { RunClaims } from "@/lib/postgres/internal";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { recoverRuns } from "@/lib/server/recover-runs";
import { AnswerSpool } from "./answer-spool";
import { leaseMs } from "./lease";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const start: UIMessageChunk = { type: "start", messageId: "answer" };
const half: UIMessageChunk[] = [
  start,
  { type: "start-step" },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "Half an " },
  { type: "text-delta", id: "t", delta: "answer" },
];

/** A question whose answer was being written by a dead process. */
async function abandoned(chunks: readonly UIMessageChunk[] = half) {
  const model = new ManualModel();
  const conversation = new Conversation(
    newOwner(database.sql),
    chatProcess(),
    resolvedModel(model.model),
  );
  const { owner, sessionId } = conversation;
  const parentId = await conversation.say("Question");
  const run = { id: "answer", sessionId, messageId: "answer", parentId, model: "test/model" };
  await owner.runs.start(run, -1, { maxRunning: 100 });
  await owner.runs.appendChunks(run.id, 0, chunks);
  return { conversation, owner, model, run, parentId };
}

const end: UIMessageChunk[] = [
  { type: "text-end", id: "t" },
  { type: "finish-step" },
  {
    type: "finish",
    messageMetadata: { status: "complete", runId: "answer", model: "test/model" },
  },
];

async function temporarySpool(): Promise<AnswerSpool> {
  const folder = await mkdtemp(join(tmpdir(), "grove-spool-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return new AnswerSpool(folder, (error) => expect.unreachable(String(error)));
}

/** An abandoned answer whose process went on without the database: the log has half of it, the spool all. */
async function spooled() {
  const given = await abandoned();
  const spool = await temporarySpool();
  const address = { ownerId: given.owner.ownerId, runId: "answer" };
  await spool.append(address, { from: 0, chunks: [...half, ...end] });
  return { ...given, spool };
}

/** A server's periodic work. */
async function sweep(owner: OwnerData, spool: AnswerSpool | null = null): Promise<string[]> {
  const ended: string[] = [];
  const counting = chatProcess({ finished: (_, run) => void ended.push(run.id), spool });
  await recoverRuns({
    claims: new RunClaims(database.sql, { leaseMs }),
    runner: counting.runner,
    dataOf: (ownerId) =>
      (ownerId === owner.ownerId ? owner : newOwner(database.sql, ownerId)) as ReturnType<
        typeof newOwner
      >,
  });
  return ended;
}

describe("an answer whose process died", () => {
  test("is kept as interrupted, with its text", async () => {
    const { conversation, owner } = await abandoned();
    await sweep(owner);
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

  test("is recovered exactly once by five processes at the same moment", async () => {
    const { conversation, owner } = await abandoned();
    const ended = await Promise.all([1, 2, 3, 4, 5].map(() => sweep(owner)));
    expect(ended.flat()).toEqual(["answer"]);
    expect(await owner.store.messages(conversation.sessionId).getPathLength()).toBe(2);
  });

  test("is whole when only its last write is missing", async () => {
    const metadata = { status: "complete", runId: "answer", model: "test/model", outputTokens: 7 };
    const { conversation, owner } = await abandoned([
      ...half,
      { type: "text-end", id: "t" },
      { type: "finish-step" },
      { type: "finish", messageMetadata: metadata },
    ]);
    await sweep(owner);
    expect((await conversation.message("answer")).metadata).toEqual(metadata);
    expect(await owner.runs.get("answer")).toMatchObject({ status: "complete" });
  });

  test("before its first word is an empty answer, not a spinner", async () => {
    const { conversation, owner } = await abandoned([]);
    await sweep(owner);
    expect(await conversation.message("answer")).toMatchObject({
      parts: [],
      metadata: { status: "interrupted" },
    });
  });

  test("tells what it had written into memory", async () => {
    const { conversation, owner } = await abandoned([
      start,
      { type: "start-step" },
      { type: "tool-input-available", toolCallId: "c", toolName: "set_context", input: {} },
      { type: "tool-output-available", toolCallId: "c", output: "Written" },
    ]);
    const { sessionId } = conversation;
    const provenance = { author: "model" as const, sessionId, messageId: "answer" };
    await owner.blocks.text({ label: "memory", sessionId: null }).set("Likes tea", { provenance });
    await sweep(owner);
    expect((await conversation.message("answer")).metadata?.writes).toEqual([
      { blockId: "memory", label: "memory", version: 1, lines: { added: 1, removed: 0 } },
    ]);
  });

  test("leaves a conversation that can go on, even after a call nobody answered", async () => {
    const { conversation, owner, model } = await abandoned([
      ...half,
      { type: "text-end", id: "t" },
      {
        type: "tool-input-available",
        toolCallId: "c",
        toolName: "session_search",
        input: { query: "tea" },
      },
    ]);
    await sweep(owner);
    model.turn().say("Gladly").finish();
    expect((await conversation.ask("Go on")).metadata?.status).toBe("complete");
    const kinds = (model.calls[0]?.prompt ?? []).flatMap(({ content }) =>
      typeof content === "string" ? [] : content.map(({ type }) => type),
    );
    expect(kinds.filter((kind) => kind === "tool-call")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "tool-result")).toHaveLength(1);
  });

  test("waits for its session when that was deleted, and holds up nobody", async () => {
    const first = await abandoned();
    const second = await abandoned();
    await first.owner.store.sessions.delete(first.conversation.sessionId);
    expect(await sweep(second.owner)).toEqual(["answer"]);
    expect(await first.owner.runs.running()).toEqual([]);
    await first.owner.store.sessions.restore(first.conversation.sessionId);
    expect(await sweep(first.owner)).toEqual(["answer"]);
    expect(textOf(await first.conversation.message("answer"))).toBe("Half an answer");
  });

  test("is not taken from a process that is alive", async () => {
    const { owner, run } = await abandoned();
    expect(await owner.runs.heartbeat(run.id, leaseMs)).toEqual({ stopRequested: false });
    expect(await sweep(owner)).toEqual([]);
  });

  test("is handed to one caller at a time, and again when that one dies too", async () => {
    const { owner } = await abandoned();
    const claim = async (lease: number) =>
      (await new RunClaims(database.sql, { leaseMs: lease }).claim()).filter(
        ({ ownerId }) => ownerId === owner.ownerId,
      );
    const claims = await Promise.all([1, 2, 3, 4].map(() => claim(60_000)));
    expect(claims.flat()).toHaveLength(1);
    await database.sql`update chat_run set lease_until = now() - interval '1 second' where owner_id = ${owner.ownerId}`;
    expect(await claim(60_000)).toHaveLength(1);
  });
});

describe("an answer whose lease is an hour ahead, because the clock was set back", () => {
  async function ahead() {
    const given = await abandoned();
    await database.sql`
      update chat_run set lease_until = now() + interval '1 hour' where owner_id = ${given.owner.ownerId}`;
    const claims = new RunClaims(database.sql, { leaseMs: 700 });
    const claimed = async () => {
      const runs = (await claims.claim()).filter(({ ownerId }) => ownerId === given.owner.ownerId);
      return runs.map(({ run }) => run.id);
    };
    return { ...given, claimed };
  }

  test("is taken over once nobody renewed it for its length", async () => {
    const { claimed } = await ahead();
    expect(await claimed()).toEqual([]);
    await expect.poll(claimed).toEqual(["answer"]);
  });

  test("is left to a process that renews it", async () => {
    const { owner, run, claimed } = await ahead();
    const beat = setInterval(() => void owner.runs.heartbeat(run.id, 3_600_000), 100);
    onTestFinished(() => clearInterval(beat));
    const seen: unknown[] = [];
    await expect.poll(async () => seen.push(...(await claimed()), "look") > 15).toBe(true);
    expect(seen).not.toContain("answer");
  });

  test("ends as interrupted at once when it is stopped", async () => {
    const { conversation, owner, run } = await ahead();
    await chatProcess().runner.stop(owner, run.id);
    expect(textOf(await conversation.message("answer"))).toBe("Half an answer");
    expect(await owner.runs.running()).toEqual([]);
  });
});

describe("an answer whose process hangs", () => {
  test("loses its lease, so that another process ends it", async () => {
    const model = new ManualModel();
    const owner = newOwner(database.sql);
    const record = () => new Promise<boolean>(() => undefined);
    const hanging = { ...owner, usage: Object.assign(Object.create(owner.usage), { record }) };
    // Long enough for the model's answer: an earlier interruption would leave nothing to record.
    const process = chatProcess({ limits: { stalledMs: 2_000, graceMs: 1 } });
    const conversation = new Conversation(hanging, process, resolvedModel(model.model));
    const { run } = await conversation.send("Question");
    model.turn().say("Whole").finish();
    await expect
      .poll(() => process.failures.map(String))
      .toContainEqual(expect.stringContaining("no progress"));
    const claims = new RunClaims(database.sql, { leaseMs: 1_500 });
    const claimed = async () => (await claims.claim()).map(({ run: { id } }) => id);
    await expect.poll(claimed).toContain(run?.id);
  });
});

describe("an answer whose process died while the database was away", () => {
  test("is stored whole from the spool, once, and removed from there", async () => {
    const { conversation, owner, spool } = await spooled();
    expect(await sweep(owner, spool)).toEqual(["answer"]);
    expect(await sweep(owner, spool)).toEqual([]);
    const answer = await conversation.message("answer");
    expect(textOf(answer)).toBe("Half an answer");
    expect(answer.metadata?.status).toBe("complete");
    expect(await owner.runs.readChunks("answer", 0)).toEqual([...half, ...end]);
    expect(await spool.runs()).toEqual([]);
    expect(await owner.store.messages(conversation.sessionId).getPathLength()).toBe(2);
  });

  test("is completed when another process had ended it without the spool", async () => {
    const { conversation, owner, spool } = await spooled();
    await sweep(owner);
    expect((await conversation.message("answer")).metadata?.status).toBe("interrupted");
    expect(await sweep(owner, spool)).toEqual(["answer"]);
    expect((await conversation.message("answer")).metadata?.status).toBe("complete");
    expect(await spool.runs()).toEqual([]);
  });

  test("stays as it was when somebody stopped it meanwhile", async () => {
    const { conversation, owner, spool } = await spooled();
    await owner.runs.finish("answer", "stopped");
    expect(await sweep(owner, spool)).toEqual([]);
    expect(await spool.runs()).toEqual([]);
    await expect(conversation.message("answer")).rejects.toThrow("not stored");
  });

  test("stays deleted when somebody deleted it meanwhile", async () => {
    const { conversation, owner, spool } = await spooled();
    await sweep(owner);
    const messages = owner.store.messages(conversation.sessionId);
    await messages.deleteMessages(["answer"]);
    await sweep(owner, spool);
    expect(await messages.getMessage("answer")).toBeNull();
    expect(await messages.getPathLength()).toBe(1);
  });

  test("waits for its deleted session, and is forgotten with one that is gone for good", async () => {
    const { conversation, owner, spool } = await spooled();
    const { sessions } = owner.store;
    await sessions.delete(conversation.sessionId);
    expect(await sweep(owner, spool)).toEqual([]);
    expect(await sessions.get(conversation.sessionId)).toBeNull();
    expect(await spool.runs()).toHaveLength(1);
    await database.sql`delete from chat_run where owner_id = ${owner.ownerId}`;
    await sweep(owner, spool);
    expect(await spool.runs()).toEqual([]);
  });
});

describe("a process taken for dead", () => {
  test("completes what was saved of its answer when it is back", async () => {
    const model = new ManualModel();
    const conversation = new Conversation(
      newOwner(database.sql),
      chatProcess(),
      resolvedModel(model.model),
    );
    const { owner, process } = conversation;
    model.turn().say("Whole ");
    const { run } = await conversation.send("Question", { answerId: "late" });
    await conversation.readsUpTo("late", "text-delta");
    await chatProcess().runner.recover(owner, { ...(await knownRun(owner, "late")) });
    expect((await conversation.message("late")).metadata?.status).toBe("interrupted");
    model.turn().say("answer").finish();
    await process.ended(run?.id ?? "");
    const answer = await conversation.message("late");
    expect(textOf(answer)).toBe("Whole answer");
    expect(answer.metadata?.status).toBe("complete");
    expect(process.failures).toEqual([]);
  });
});

describe("a database that fails for a moment", () => {
  test("at the end of an answer does not cost the answer", async () => {
    const model = new ManualModel();
    const { owner, arm } = forgetful(newOwner(database.sql));
    const conversation = new Conversation(owner, chatProcess(), resolvedModel(model.model));
    const { run } = await conversation.send("Question", { answerId: "answer" });
    await model.turn().opened;
    arm();
    model.turn().say("Kept").finish();
    expect(await conversation.process.ended(run?.id ?? "")).toBe("complete");
    const answer = await conversation.message("answer");
    expect(textOf(answer)).toBe("Kept");
    expect(answer.metadata?.status).toBe("complete");
    expect(textIn(await conversation.watch(answer.id, 0, chatProcess()))).toBe("Kept");
    expect(conversation.process.failures).toEqual([]);
  });
});

describe("an answer of another process", () => {
  test("is read from the database to its end", async () => {
    const model = new ManualModel();
    const conversation = new Conversation(
      newOwner(database.sql),
      chatProcess(),
      resolvedModel(model.model),
    );
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

  test("that dies ends for its viewers too", async () => {
    const { conversation, owner } = await abandoned();
    const viewer = conversation.watch("answer");
    await sweep(owner);
    expect(textIn(await viewer)).toBe("Half an answer");
  });
});

async function knownRun(owner: OwnerData, runId: string) {
  const run = await owner.runs.get(runId);
  if (!run) throw new Error(`There is no run ${runId}.`);
  return run;
}

const endingWrites = ["appendMessage", "appendChunks", "record", "finish"];

/** From `arm` on, an owner whose first write of each kind at the end of an answer fails. */
function forgetful(owner: OwnerData): { owner: OwnerData; arm: () => void } {
  const due = new Set<string>();
  const faulty = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) =>
          due.delete(String(name))
            ? Promise.reject(new Error("CONNECTION_CLOSED"))
            : Reflect.apply(value, target, given);
      },
    });
  const store = {
    sessions: faulty(owner.store.sessions),
    proposals: owner.store.proposals,
    messages: (sessionId: string) => faulty(owner.store.messages(sessionId)),
    block: (address: Parameters<OwnerData["store"]["block"]>[0]) => owner.store.block(address),
    writeBlocks: (writes: Parameters<OwnerData["store"]["writeBlocks"]>[0]) =>
      owner.store.writeBlocks(writes),
    promptCache: (sessionId: string) => owner.store.promptCache(sessionId),
  };
  return {
    owner: { ...owner, runs: faulty(owner.runs), usage: faulty(owner.usage), store },
    arm: () => {
      for (const name of endingWrites) due.add(name);
    },
  };
}

import { MessageConflictError } from "grove-session";
import { assistant, user } from "grove-session/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresSessionStore } from "@/lib/postgres/postgres-session-store";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { PostgresRunStore } from "./postgres-run-store";
import { removeOldChunks } from "./run-chunks";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function runStore() {
  const { sql } = database;
  const ownerId = crypto.randomUUID();
  const { sessions } = new PostgresSessionStore(sql, ownerId);
  await sessions.create("Session", { id: "s" });
  await sessions.create("Other", { id: "t" });
  return { ownerId, sessions, runs: new PostgresRunStore({ sql, chunks: sql, ownerId }) };
}

const run = { id: "r", sessionId: "s", messageId: "r", parentId: "q", model: "test/model" };

describe("a run", () => {
  test("is started once by ten who try, with dates that are dates", async () => {
    const { runs } = await runStore();
    const starts = await Promise.all(
      Array.from({ length: 10 }, () => runs.start(run, 60_000, { maxRunning: 100 })),
    );
    expect(starts.filter((start) => start?.started)).toHaveLength(1);
    expect(starts[0]?.run).toEqual({
      ...run,
      kind: "answer",
      personId: null,
      fence: 0,
      status: "running",
      plan: null,
      pause: null,
      request: null,
      keyId: null,
      problem: null,
      startedAt: expect.any(Date),
      finishedAt: null,
    });
    expect(new Set(starts.map((start) => JSON.stringify(start?.run))).size).toBe(1);
  });

  test("cannot be started under the id of a run of another session", async () => {
    const { runs } = await runStore();
    await runs.start(run, 60_000, { maxRunning: 100 });
    await expect(
      runs.start({ ...run, sessionId: "t" }, 60_000, { maxRunning: 100 }),
    ).rejects.toThrow(MessageConflictError);
  });

  test("is not started in a session that is not there, while one that was is found", async () => {
    const { runs, sessions } = await runStore();
    const limits = { maxRunning: 100 };
    await expect(
      runs.start({ ...run, sessionId: "unknown" }, 60_000, limits),
    ).rejects.toMatchObject({ code: "session-not-found" });
    await runs.start(run, 60_000, limits);
    await sessions.delete("s");
    expect(await runs.start(run, 60_000, limits)).toMatchObject({ started: false });
    const later = runs.start({ ...run, id: "r2", messageId: "r2" }, 60_000, limits);
    await expect(later).rejects.toMatchObject({ code: "session-not-found" });
  });

  test("stores its question with it, or neither", async () => {
    const { runs, ownerId } = await runStore();
    const messages = new PostgresSessionStore(database.sql, ownerId).messages("s");
    const most = { leaseMs: 60_000, maxRunning: 2 };
    const ask = (id: string, parentId: string | null, limits: Partial<typeof most> = {}) =>
      runs.ask(
        { message: user(`q${id}`), parentId },
        null,
        { ...run, id, messageId: id },
        {
          ...{ ...most, ...limits },
        },
      );
    const first = await ask("a", null);
    expect(first).toMatchObject({ started: true, asked: { parentId: null, position: 1 } });
    expect(await ask("b", "nowhere")).toBe("apart");
    expect(await ask("b", null, { maxRunning: 1 })).toBeNull();
    expect(await runs.get("b")).toBeNull();
    expect(await messages.getMessage("qb")).toBeNull();
    await ask("b", null);
    const [entry] = (await messages.getWindow({ leafId: "qb", limit: 1 })).entries;
    await runs.finish("b", "complete");
    expect(await ask("b", null)).toBe("apart");
    expect(entry?.siblings).toMatchObject({ index: 1, count: 2, previousId: "qa" });
    // Appends of a session that wait are joined, and a question with its run cannot be.
    const appending = messages.appendMessage(user("m"));
    expect(await ask("c", null)).toBe("apart");
    await appending;
    expect(await runs.running("s")).toMatchObject([{ id: "a" }]);
  });

  test.each([
    ["of another question", {}],
    ["of another session", { messageId: "other", sessionId: "t" }],
  ])("stores no question under the id of an answer %s", async (_, taken) => {
    const { runs, ownerId } = await runStore();
    await runs.start({ ...run, ...taken }, 60_000, { maxRunning: 100 });
    const messages = new PostgresSessionStore(database.sql, ownerId).messages("s");
    const ask = () =>
      runs.ask(
        { message: user("q2"), parentId: null },
        null,
        { ...run, parentId: "q2" },
        { leaseMs: 60_000, maxRunning: 100 },
      );
    await expect(ask()).rejects.toThrow(MessageConflictError);
    const appending = messages.appendMessage(user("m"));
    await expect(ask()).rejects.toThrow(MessageConflictError);
    await appending;
    expect(await messages.getMessage("q2")).toBeNull();
  });

  test("changes its receipt only for the process that holds it", async () => {
    const { runs } = await runStore();
    await runs.start(run, 60_000, { maxRunning: 100 });
    await runs.saveReceipt({ id: "r", fence: 0 }, { prompt: "first" });
    const token = (await runs.leaseOf("r"))?.token ?? "";
    await runs.claim("r", { token, leaseMs: 60_000 });
    await runs.saveReceipt({ id: "r", fence: 0 }, { prompt: "late" });
    expect(await runs.receiptOf("s", "r")).toEqual({ prompt: "first" });
    await runs.saveReceipt({ id: "r", fence: 1 }, { prompt: "second" });
    expect(await runs.receiptOf("s", "r")).toEqual({ prompt: "second" });
  });

  test("is not started where as many are running as may, while one that was is found", async () => {
    const { runs } = await runStore();
    const limits = { maxRunning: 1 };
    await runs.start(run, 60_000, limits);
    const next = { ...run, id: "u", messageId: "u" };
    expect(await runs.start(next, 60_000, limits)).toBeNull();
    expect(await runs.start(run, 60_000, limits)).toMatchObject({ started: false });
    await expect(runs.start({ ...run, sessionId: "t" }, 60_000, limits)).rejects.toThrow(
      MessageConflictError,
    );
    await runs.finish("r", "complete");
    expect(await runs.start(next, 60_000, limits)).toMatchObject({ started: true });
  });

  test("ends with its message, receipt and pause, or with none of them", async () => {
    const { runs, ownerId } = await runStore();
    const messages = new PostgresSessionStore(database.sql, ownerId).messages("s");
    await runs.start(run, 60_000, { maxRunning: 100 });
    const pause = { number: 1, calls: [] };
    const message = assistant("r", "An answer");
    const answer = { sessionId: "s", message, place: { under: "gone" } };
    const end = { status: "paused", receipt: { cost: 1 }, pause, answer } as const;
    await expect(runs.end({ id: "r", fence: 0 }, end)).rejects.toMatchObject({
      code: "message-not-found",
    });
    expect(await runs.get("r")).toMatchObject({ status: "running", pause: null });
    expect(await runs.receiptOf("s", "r")).toBeNull();
    expect(await messages.getMessage("r")).toBeNull();
    const placed = { ...end, answer: { ...answer, place: "behind" as const } };
    expect(await runs.end({ id: "r", fence: 0 }, placed)).toMatchObject({ stored: "added" });
    expect(await runs.get("r")).toMatchObject({ status: "paused", pause });
    expect(await runs.receiptOf("s", "r")).toEqual({ cost: 1 });
    expect(await messages.getMessage("r")).toMatchObject(message);
  });

  test("is listed while it is running, in its session and in all", async () => {
    const { runs } = await runStore();
    await runs.start(run, 60_000, { maxRunning: 100 });
    await runs.start({ ...run, id: "u", messageId: "u", sessionId: "t" }, 60_000, {
      maxRunning: 100,
    });
    expect((await runs.running()).map(({ id }) => id)).toEqual(["r", "u"]);
    expect((await runs.running("t")).map(({ id }) => id)).toEqual(["u"]);
    await runs.finish("r", "complete");
    expect((await runs.running()).map(({ id }) => id)).toEqual(["u"]);
  });

  test("keeps its session from expiring", async () => {
    const { runs, sessions } = await runStore();
    await runs.start(run, 60_000, { maxRunning: 100 });
    // Idle for more than minus one minute: every session is.
    expect(await sessions.expire(-60_000)).toEqual(["t"]);
    await runs.finish("r", "complete");
    expect(await sessions.expire(-60_000)).toEqual(["s"]);
  });

  test("hears at its next heartbeat that somebody asked it to stop, until it has ended", async () => {
    const { runs } = await runStore();
    await runs.start(run, 60_000, { maxRunning: 100 });
    expect(await runs.heartbeat({ id: "r", fence: 0 }, 60_000)).toEqual({ stopRequested: false });
    expect(await runs.requestStop("r")).toBe(true);
    expect(await runs.heartbeat({ id: "r", fence: 0 }, 60_000)).toEqual({ stopRequested: true });
    await runs.finish("r", "stopped");
    expect(await runs.heartbeat({ id: "r", fence: 0 }, 60_000)).toBeNull();
    expect(await runs.requestStop("r")).toBe(false);
    expect(await runs.requestStop("unknown")).toBe(false);
  });

  test("keeps its receipt when it ends without another, and shows in it what no text may hold", async () => {
    const { runs } = await runStore();
    await runs.start(run, 60_000, { maxRunning: 100 });
    expect(await runs.receiptOf("s", "r")).toBeNull();
    const receipt = { prompt: "a\u0000b\ud800 ✓" };
    await runs.saveReceipt({ id: "r", fence: 0 }, receipt);
    await runs.finish("r", "complete");
    expect(await runs.receiptOf("s", "r")).toEqual({ prompt: "a\u2400b\ufffd ✓" });
    expect(await runs.receiptOf("t", "r")).toBeNull();
    expect(await runs.get("r")).toMatchObject({ status: "complete", finishedAt: expect.any(Date) });
  });
});

describe("a summary", () => {
  const limits = { maxRunning: 1 };
  const summary = {
    ...{ ...run, kind: "summary" as const, id: "c", messageId: "c" },
    plan: { isManual: true, focus: "✓" },
  };

  test("is a run of another kind than answers, and hidden once it is complete", async () => {
    const { runs } = await runStore();
    await runs.start(run, 60_000, limits);
    const started = (await runs.start(summary, 60_000, limits))?.run;
    expect(started).toMatchObject({ kind: "summary", plan: summary.plan, problem: null });
    expect((await runs.running()).map(({ id }) => id)).toEqual(["r"]);
    expect(await runs.openSummaries("s")).toEqual([started]);
    expect(await runs.openSummaries("t")).toEqual([]);
    await runs.finish("c", "complete");
    expect(await runs.openSummaries("s")).toEqual([]);
  });

  test("that failed is kept with its reason until it is dismissed or another one begins", async () => {
    const { runs } = await runStore();
    await runs.start(summary, 60_000, limits);
    await runs.appendChunks("c", 0, ["half"]);
    expect(await runs.forgetSummary("c")).toBe(false);
    await runs.finish("c", "failed", { problem: "No." });
    expect(await runs.openSummaries("s")).toMatchObject([{ status: "failed", problem: "No." }]);
    await runs.start({ ...summary, id: "d", messageId: "d" }, 60_000, limits);
    expect((await runs.openSummaries("s")).map(({ id }) => id)).toEqual(["d"]);
    await runs.finish("d", "interrupted");
    expect((await runs.openSummaries("s")).map(({ id }) => id)).toEqual(["d"]);
    expect(await runs.forgetSummary("d")).toBe(true);
    expect(await runs.forgetSummary("c")).toBe(true);
    expect(await runs.readChunks("c", 0)).toEqual([]);
    expect(await runs.openSummaries("s")).toEqual([]);
  });

  test("is the only kind that can be dismissed", async () => {
    const { runs } = await runStore();
    await runs.start(run, 60_000, limits);
    await runs.finish("r", "failed");
    expect(await runs.forgetSummary("r")).toBe(false);
    expect(await runs.get("r")).toMatchObject({ kind: "answer", status: "failed" });
  });
});

describe("the chunks of a run", () => {
  test("are read from any number on, however they were batched", async () => {
    const { runs } = await runStore();
    await runs.start(run, 60_000, { maxRunning: 100 });
    const chunks = Array.from({ length: 10 }, (_, n) => ({ n, text: `\u0000${n}\ud800` }));
    await runs.appendChunks("r", 0, chunks.slice(0, 3));
    await runs.appendChunks("r", 3, chunks.slice(3, 4));
    await runs.appendChunks("r", 4, chunks.slice(4));
    for (let from = 0; from <= 11; from++)
      expect(await runs.readChunks("r", from)).toEqual(chunks.slice(from));
  });

  test("are stored once when a batch is sent again", async () => {
    const { runs } = await runStore();
    await runs.start(run, 60_000, { maxRunning: 100 });
    await runs.appendChunks("r", 0, [1, 2]);
    await runs.appendChunks("r", 0, [1, 2]);
    expect(await runs.readChunks("r", 0)).toEqual([1, 2]);
  });

  test("go some time after the end, and never before it", async () => {
    const { runs, ownerId } = await runStore();
    await runs.start(run, 60_000, { maxRunning: 100 });
    await runs.appendChunks("r", 0, [1]);
    await removeOldChunks(database.sql, { olderThanMs: 0 });
    expect(await runs.readChunks("r", 0)).toEqual([1]);
    await runs.finish("r", "complete");
    await removeOldChunks(database.sql, { olderThanMs: 60_000 });
    expect(await runs.readChunks("r", 0)).toEqual([1]);
    await database.sql`
      update chat_run set finished_at = now() - interval '2 minutes' where owner_id = ${ownerId}`;
    await removeOldChunks(database.sql, { olderThanMs: 60_000 });
    expect(await runs.readChunks("r", 0)).toEqual([]);
  });
});

describe("the marks of a session", () => {
  const limits = { maxRunning: 100 };
  const none = { writing: false, waiting: false, unread: false };

  async function answering(keyId?: string) {
    const { ownerId, runs } = await runStore();
    await runs.start({ ...run, keyId }, 60_000, limits);
    const messages = new PostgresSessionStore(database.sql, ownerId).messages("s");
    await messages.appendMessage(assistant("r", "An answer"));
    return { runs, messages };
  }

  test("say that an answer is written, then that it is new, until it is read", async () => {
    const { runs } = await answering();
    expect(await runs.marks(["s", "t"])).toEqual(new Map([["s", { ...none, writing: true }]]));
    await runs.finish("r", "complete");
    expect(await runs.marks(["s", "t"])).toEqual(new Map([["s", { ...none, unread: true }]]));
    expect(await runs.markRead("t")).toBe(false);
    expect(await runs.markRead("s")).toBe(true);
    expect(await runs.marks(["s"])).toEqual(new Map());
    expect(await runs.markRead("s")).toBe(false);
  });

  test("say that an answer waits for the person", async () => {
    const { runs } = await answering();
    await runs.finish("r", "paused", { pause: { number: 1, calls: [] } });
    expect(await runs.marks(["s"])).toEqual(new Map([["s", { ...none, waiting: true }]]));
  });

  test("leave out an answer that was deleted", async () => {
    const { runs, messages } = await answering();
    await runs.finish("r", "paused", { pause: { number: 1, calls: [] } });
    await messages.deleteMessages(["r"]);
    expect(await runs.marks(["s"])).toEqual(new Map());
  });

  test("leave out the answers that programs read", async () => {
    const { runs } = await answering("key");
    await runs.finish("r", "complete");
    expect(await runs.marks(["s"])).toEqual(new Map());
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunEnd } from "@/lib/chat/core/run-store";
import { newOwner, textOf } from "@/lib/chat/testing/chat-fixture";
import { manualChat } from "@/lib/chat/testing/run-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const broken = new Error("This is broken.");
const refused = Object.assign(new Error("invalid input syntax"), { code: "22P02" });

/** An object of which one method fails. */
function failing<Target extends object>(target: Target, method: keyof Target): Target {
  return new Proxy(target, {
    get: (_, name) => {
      if (name === method) return () => Promise.reject(broken);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Refuses the ends of runs for which `isRefused`. */
function refusing(owner: OwnerData, isRefused: (end: RunEnd) => boolean): OwnerData {
  const end: OwnerData["runs"]["end"] = async (run, given) => {
    if (isRefused(given)) throw refused;
    return owner.runs.end(run, given);
  };
  const runs = new Proxy(owner.runs, {
    get: (target, name) => {
      if (name === "end") return end;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ...owner, runs };
}

/** An answer with text, a picture and a write to memory, which has ended. */
async function ended(owner: OwnerData) {
  const chat = manualChat(database.sql, { owner });
  const { model, conversation, process } = chat;
  model.turn().say("Noted. ");
  model.turn().make("image/png", new Uint8Array([1, 2, 3]));
  model.turn().call("set_context", { label: "memory", content: "Likes tea" });
  model.turn().finish("tool-calls");
  model.turn(1).say("Done.").finish();
  const startedAt = performance.now();
  const { run } = await conversation.send("Remember", { answerId: "answer" });
  await process.ended(run?.id ?? "");
  return { ...chat, tookMs: performance.now() - startedAt };
}

const faults: [string, (owner: OwnerData) => OwnerData][] = [
  ["its use", (owner) => ({ ...owner, usage: failing(owner.usage, "record") })],
  ["its receipt", (owner) => ({ ...owner, runs: failing(owner.runs, "saveReceipt") })],
  ["facts of its files", (owner) => ({ ...owner, files: failing(owner.files, "touch") })],
  ["what it wrote to memory", (owner) => ({ ...owner, blocks: failing(owner.blocks, "writesOf") })],
];

describe("an answer whose end fails", () => {
  test.each(faults)("for %s is complete within seconds", async (_, faultIn) => {
    const { conversation, owner, process, tookMs } = await ended(faultIn(newOwner(database.sql)));
    const answer = await conversation.message("answer");
    expect(textOf(answer)).toBe("Noted. Done.");
    expect(answer.metadata?.status).toBe("complete");
    expect(tookMs).toBeLessThan(5_000);
    expect(await owner.runs.running()).toEqual([]);
    for (const failure of process.failures) expect(failure).toBe(broken);
  });

  test("for a receipt that the database refuses is complete without one", async () => {
    const owner = refusing(newOwner(database.sql), ({ receipt }) => receipt !== undefined);
    const { conversation, process } = await ended(owner);
    const answer = await conversation.message("answer");
    expect(answer.metadata).toMatchObject({ status: "complete", inputTokens: 20 });
    expect(process.failures).toEqual([refused]);
  });

  test("for a part that the database refuses keeps its text, and says so", async () => {
    const hasCall = ({ answer }: RunEnd) =>
      answer?.message.parts.some(({ type }) => type.startsWith("tool-")) === true;
    const { conversation, owner } = await ended(refusing(newOwner(database.sql), hasCall));
    const answer = await conversation.message("answer");
    expect(textOf(answer)).toBe("Noted. Done.");
    expect(answer.metadata).toMatchObject({
      status: "failed",
      error: { code: "unstored", message: expect.stringContaining("its text is kept alone") },
    });
    expect(await owner.runs.get("answer")).toMatchObject({ status: "failed" });
  });

  test("for all of it leaves its place to another answer", async () => {
    const owner = refusing(newOwner(database.sql), ({ answer }) => answer !== undefined);
    const { conversation, process } = await ended(owner);
    await expect(conversation.message("answer")).rejects.toThrow("not stored");
    expect(await owner.runs.get("answer")).toMatchObject({ status: "failed" });
    expect(process.failures).toEqual([refused, refused, refused]);
  });
});

test("A message and the end of its run are stored together, or not at all", async () => {
  const { conversation, owner } = await ended(newOwner(database.sql));
  const run = { id: "next", messageId: "next", parentId: "answer", model: "test/model" };
  const { sessionId } = conversation;
  await owner.runs.start({ ...run, sessionId }, 60_000, { maxRunning: 1 });
  const message = { id: "next", role: "assistant" as const, parts: [{ type: "text", text: "" }] };
  const answer = { sessionId, message, place: { under: "answer" } } as const;
  const end = { status: "complete", answer } as const;
  expect(await owner.runs.end({ id: "next", fence: 1 }, end)).toBeNull();
  expect(await owner.store.messages(sessionId).getMessage("next")).toBeNull();
  expect(await owner.runs.get("next")).toMatchObject({ status: "running" });
  const known = { stored: "added", parentId: "answer" };
  expect(await owner.runs.end({ id: "next", fence: 0 }, end)).toEqual(known);
  expect(await owner.runs.get("next")).toMatchObject({ status: "complete" });
  expect(await owner.runs.end({ id: "next", fence: 0 }, end)).toBeNull();
});

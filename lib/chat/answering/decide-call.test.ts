import type { UIMessageChunk } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decided, pauseOf, undecided } from "@/lib/chat/runs/pause";
import { entryOf } from "@/lib/chat/sessions/transcript";
import { newOwner, textOf } from "@/lib/chat/testing/chat-fixture";
import { endedAnswer, manualChat, sweep, temporarySpool } from "@/lib/chat/testing/run-fixture";
import { type WeatherOptions, weatherSource } from "@/lib/chat/tools/testing/weather-tool";
import type { DecideRequest, EntryWire, GroveMessage } from "@/lib/chat/wire/messages";
import { decideRequest } from "@/lib/chat/wire/messages";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { decideCall } from "./decide-call";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A chat whose answer waits for the person's word about the weather of Rome. */
async function pausedChat(cities: readonly string[] = ["Rome"], options?: WeatherOptions) {
  const { source, calls } = weatherSource({ policy: "ask", ...options });
  const owner = newOwner(database.sql, crypto.randomUUID(), { toolSources: () => [source] });
  const chat = manualChat(database.sql, { owner });
  const turn = chat.model.turn(0).say("Let me look. ");
  for (const city of cities) turn.call("weather", { city });
  turn.finish("tool-calls");
  const answer = await chat.conversation.ask("Weather?");
  const decide = (request: DecideRequest, approvalId = approvalsIn(answer)[0] ?? "") =>
    decideCall(
      chat.conversation.answering,
      { sessionId: chat.conversation.sessionId, messageId: answer.id, approvalId },
      decideRequest.parse(request),
    );
  const ended = () => endedAnswer(chat, answer.id);
  const entry = (): Promise<EntryWire> => entryOf(owner, chat.conversation.sessionId, answer.id);
  return { ...chat, owner, calls, answer, decide, ended, entry };
}

function approvalsIn({ parts }: GroveMessage): string[] {
  return parts.flatMap((part) => {
    return "approval" in part && part.approval ? [part.approval.id] : [];
  });
}

function callsIn({ parts }: GroveMessage): unknown[] {
  return parts.flatMap((part) => {
    if (!part.type.startsWith("tool-")) return [];
    const { state, input, output } = part as { state: string; input: unknown; output?: unknown };
    return [output === undefined ? { state, input } : { state, input, output }];
  });
}

describe("a tool that asks first", () => {
  test("is not called, and its answer waits in the tree", async () => {
    const { answer, calls, entry, owner } = await pausedChat();
    expect(calls).toEqual([]);
    expect(answer.metadata).toMatchObject({ status: "paused", pausedAt: expect.any(String) });
    expect(callsIn(answer)).toEqual([{ state: "approval-requested", input: { city: "Rome" } }]);
    expect((await entry()).isWaiting).toBe(true);
    expect((await owner.runs.get(answer.id))?.status).toBe("paused");
  });

  test("is called once approved, and the answer goes on in the same message", async () => {
    const { model, decide, ended, calls, answer, conversation, owner } = await pausedChat();
    model.turn(1).say("It is sunny.").finish();
    await decide({ decision: "approve" });
    const done = await ended();
    expect(calls).toEqual(["Rome"]);
    expect(done.id).toBe(answer.id);
    expect(callsIn(done)).toEqual([
      { state: "output-available", input: { city: "Rome" }, output: "Sunny in Rome" },
    ]);
    expect(
      done.parts.filter(({ type }) => type === "text").map((part) => "text" in part && part.text),
    ).toEqual(["Let me look. ", "It is sunny."]);
    expect(done.metadata).toMatchObject({ status: "complete", inputTokens: 20, outputTokens: 10 });
    expect(done.metadata?.pausedAt).toBeUndefined();
    expect(await owner.runs.running(conversation.sessionId)).toEqual([]);
  });

  test("can be approved once its pause is stored, after a crash of a version that stored it later", async () => {
    const { model, decide, ended, calls, answer, owner } = await pausedChat();
    model.turn(1).say("It is sunny.").finish();
    const run = await owner.runs.get(answer.id);
    await database.sql`
      update chat_run set status = 'running', pause = null, lease_until = now() + interval '1 minute'
      where owner_id = ${owner.spaceId} and run_id = ${answer.id}`;
    await expect(decide({ decision: "approve" })).rejects.toMatchObject({ code: "answer-running" });
    await owner.runs.finish(answer.id, "paused", { pause: run?.pause as object });
    await decide({ decision: "approve" });
    expect((await ended()).metadata?.status).toBe("complete");
    expect(calls).toEqual(["Rome"]);
  });

  test("is called with the input as the person changed it, and the model's is kept", async () => {
    const { model, decide, ended, calls } = await pausedChat();
    model.turn(1).say("Done").finish();
    await decide({ decision: "approve", input: { city: "Oslo" } });
    const done = await ended();
    expect(calls).toEqual(["Oslo"]);
    expect(callsIn(done)).toEqual([
      { state: "output-available", input: { city: "Oslo" }, output: "Sunny in Oslo" },
    ]);
    expect(done.metadata?.changedCalls).toEqual([
      { toolCallId: expect.any(String), input: { city: "Rome" } },
    ]);
    expect(JSON.stringify(model.calls[1]?.prompt)).not.toContain("Rome");
  });

  test("is not called when denied, and the model receives the reason", async () => {
    const { model, decide, ended, calls } = await pausedChat();
    model.turn(1).say("Fine.").finish();
    await decide({ decision: "deny", reason: "I live there" });
    const done = await ended();
    expect(calls).toEqual([]);
    expect(callsIn(done)).toEqual([{ state: "output-denied", input: { city: "Rome" } }]);
    const told = "The person did not allow this call. Reason: I live there";
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain(told);
    expect(JSON.stringify(done.parts)).not.toContain("did not allow");
    expect(done.metadata?.status).toBe("complete");
  });

  test("is reported as not allowed without a reason, in this answer and the next", async () => {
    const { model, decide, ended, conversation } = await pausedChat();
    model.turn(1).say("Fine.").finish();
    model.turn(2).say("Hello.").finish();
    await decide({ decision: "deny" });
    await ended();
    await conversation.ask("Hello");
    for (const { prompt } of model.calls.slice(1)) {
      expect(JSON.stringify(prompt)).toContain('"The person did not allow this call."');
      expect(JSON.stringify(prompt)).not.toContain("Reason");
    }
  });

  test("asks again in the next step, unless it was approved for the chat", {
    tags: "long",
  }, async () => {
    const once = await pausedChat();
    once.model.turn(1).call("weather", { city: "Bonn" }).finish("tool-calls");
    await once.decide({ decision: "approve" });
    expect((await once.ended()).metadata?.status).toBe("paused");
    expect(once.calls).toEqual(["Rome"]);

    const always = await pausedChat();
    always.model.turn(1).call("weather", { city: "Bonn" }).finish("tool-calls");
    always.model.turn(2).say("Done").finish();
    await always.decide({ decision: "approve", forChat: true });
    expect((await always.ended()).metadata?.status).toBe("complete");
    expect(always.calls).toEqual(["Rome", "Bonn"]);
  });

  test("asks again in a fork of a chat that it was approved for", async () => {
    const chat = await pausedChat();
    chat.model.turn(1).say("Done").finish();
    await chat.decide({ decision: "approve", forChat: true });
    await chat.ended();
    const { sessionId } = chat.conversation;
    const fork = await chat.owner.store.sessions.fork(sessionId, chat.answer.id, "Fork", {});
    const { consents } = chat.owner;
    expect(await consents.list(sessionId)).toEqual([{ tool: "weather", version: "" }]);
    expect(await consents.list(fork.id)).toEqual([]);
  });

  test("waits until each of several calls is decided", async () => {
    const { model, decide, ended, calls, answer, entry } = await pausedChat(["Rome", "Bonn"]);
    model.turn(1).say("Done").finish();
    const [first = "", second = ""] = approvalsIn(answer);
    const after = await decide({ decision: "approve" }, first);
    expect(after.isWaiting).toBe(true);
    expect(calls).toEqual([]);
    expect((await entry()).message.parts.map((part) => "state" in part && part.state)).toContain(
      "approval-responded",
    );
    await decide({ decision: "deny" }, second);
    await ended();
    expect(calls).toEqual(["Rome"]);
  });

  test("is decided once by 16 concurrent decisions", async () => {
    const { model, decide, ended, calls } = await pausedChat();
    model.turn(1).say("Done").finish();
    const all = await Promise.allSettled(
      Array.from({ length: 16 }, (_, n) =>
        decide(n % 2 === 0 ? { decision: "approve" } : { decision: "deny" }),
      ),
    );
    const refused = all.flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []));
    expect(refused).toEqual(Array.from({ length: 15 }, () => "approval-decided"));
    await ended();
    expect(calls.length).toBeLessThan(2);
    expect(model.calls).toHaveLength(2);
  });

  test("is not called after another message was sent", async () => {
    const { model, conversation, decide, calls, answer, entry } = await pausedChat();
    model.turn(1).say("Hello").finish();
    await conversation.ask("Never mind", { expectedLeaf: answer.id });
    await expect(decide({ decision: "approve" })).rejects.toMatchObject({
      code: "approval-decided",
    });
    const { message, isWaiting } = await entry();
    expect(isWaiting).toBeUndefined();
    expect(message.metadata?.status).toBe("stopped");
    expect(callsIn(message)).toEqual([{ state: "output-denied", input: { city: "Rome" } }]);
    expect(calls).toEqual([]);
  });

  test("is not called after the answer was stopped", async () => {
    const { owner, process, decide, calls, answer, entry } = await pausedChat();
    await process.runner.stop(owner, answer.id);
    await expect(decide({ decision: "approve" })).rejects.toMatchObject({
      code: "approval-decided",
    });
    expect((await entry()).message.metadata?.status).toBe("stopped");
    expect(calls).toEqual([]);
  });

  test("still waits while another answer to the question is written", async () => {
    const { model, conversation, decide, ended, calls, answer, entry } = await pausedChat();
    model.turn(1).say("Another").finish();
    model.turn(2).say("Done").finish();
    const { parentId } = await entry();
    await conversation.askAgain(parentId ?? "");
    await decide({ decision: "approve" });
    expect((await ended()).metadata?.status).toBe("complete");
    expect(calls).toEqual(["Rome"]);
    expect((await entry()).message.id).toBe(answer.id);
  });

  test("cannot be decided in a fork, which shows the call without waiting", async () => {
    const { conversation, answer, owner } = await pausedChat();
    const fork = await owner.store.sessions.fork(conversation.sessionId, answer.id, "Fork", {});
    const copy = await entryOf(owner, fork.id, answer.id);
    expect(copy.isWaiting).toBeUndefined();
    const address = {
      sessionId: fork.id,
      messageId: answer.id,
      approvalId: approvalsIn(answer)[0] ?? "",
    };
    const request = decideRequest.parse({ decision: "approve" });
    await expect(decideCall(conversation.answering, address, request)).rejects.toMatchObject({
      code: "approval-not-found",
    });
  });

  test("is decided by another process after the one that paused died", async () => {
    const chat = await pausedChat();
    expect(await sweep(database.sql, chat.owner)).toEqual([]);
    const other = manualChat(database.sql, { owner: chat.owner });
    other.model.turn(0).say("Sunny").finish();
    const { sessionId } = chat.conversation;
    const approvalId = approvalsIn(chat.answer)[0] ?? "";
    await decideCall(
      other.conversation.answering,
      { sessionId, messageId: chat.answer.id, approvalId },
      decideRequest.parse({ decision: "approve" }),
    );
    expect(await other.process.ended(chat.answer.id)).toBe("complete");
    expect(chat.calls).toEqual(["Rome"]);
  });

  test("is decided after its recovery when the process died before the pause was stored", async () => {
    const { answer, calls, decide, owner, model, ended, entry } = await pausedChat();
    model.turn(1).say("Sunny").finish();
    await database.sql`
      update chat_run set status = 'running', pause = null, lease_until = now() - interval '1 minute'
      where run_id = ${answer.id}`;
    expect((await entry()).isWaiting).toBeUndefined();
    await expect(decide({ decision: "approve" })).rejects.toMatchObject({
      code: "answer-running",
      message: "This answer is still being stored. Try again.",
    });
    expect(await sweep(database.sql, owner)).toEqual([answer.id]);
    expect((await entry()).isWaiting).toBe(true);
    await decide({ decision: "approve" });
    expect((await ended()).metadata?.status).toBe("complete");
    expect(calls).toEqual(["Rome"]);
  });

  test("is called as well when version 0.2, which stored no order, had paused its answer", async () => {
    const { answer, calls, decide, ended, model, owner } = await pausedChat();
    await database.sql`update chat_run set plan = null where owner_id = ${owner.spaceId}`;
    model.turn(1).say("It is sunny.").finish();
    await decide({ decision: "approve" });
    const done = await ended();
    expect(calls).toEqual(["Rome"]);
    expect(done).toMatchObject({ id: answer.id, metadata: { status: "complete" } });
  });

  test("is called once, and its text stored once, when two recoveries find more of its answer each", async () => {
    const { answer, owner, conversation } = await pausedChat();
    const run = await owner.runs.get(answer.id);
    const pause = run && pauseOf(run);
    const approvalId = approvalsIn(answer)[0] ?? "";
    if (!pause) throw new Error("The answer does not wait.");
    const to = decided(pause, approvalId, { approved: true });
    await owner.runs.decide(answer.id, { from: pause, to, status: "running", leaseMs: -1 });
    const { toolCallId } = undecided(pause, approvalId);
    const begun: UIMessageChunk[] = [
      { type: "start", messageId: answer.id },
      { type: "tool-output-available", toolCallId, output: "Sunny" },
      { type: "start-step" },
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "It is " },
    ];
    await owner.runs.appendChunks(answer.id, 0, begun);
    await sweep(database.sql, owner);
    const cut = await conversation.message(answer.id);
    expect(textOf(cut)).toBe("Let me look. It is ");
    expect(cut.metadata).toMatchObject({ status: "interrupted", inputTokens: 10, outputTokens: 5 });
    const spool = await temporarySpool();
    const rest: UIMessageChunk[] = [{ type: "text-delta", id: "t", delta: "sunny." }];
    const address = { ownerId: owner.spaceId, runId: answer.id, part: 1 };
    await spool.append(address, { from: 0, chunks: [...begun, ...rest] });
    expect(await sweep(database.sql, owner, spool)).toEqual([answer.id]);
    const whole = await conversation.message(answer.id);
    expect(textOf(whole)).toBe("Let me look. It is sunny.");
    expect(callsIn(whole)).toMatchObject([{ state: "output-available", output: "Sunny" }]);
  });

  test("is never called again when the process dies during the call", async () => {
    const never = new Promise(() => undefined);
    const chat = await pausedChat(["Rome"], { answer: () => never });
    await chat.decide({ decision: "approve" });
    while (chat.calls.length === 0) await new Promise((wake) => setTimeout(wake, 20));
    await database.sql`update chat_run set lease_until = now() - interval '1 minute' where run_id = ${chat.answer.id}`;
    expect(await sweep(database.sql, chat.owner)).toEqual([chat.answer.id]);
    const message = await chat.conversation.message(chat.answer.id);
    expect(message.metadata?.status).toBe("interrupted");
    expect(callsIn(message)).toEqual([{ state: "output-error", input: { city: "Rome" } }]);
    expect(chat.calls).toEqual(["Rome"]);
    await expect(chat.decide({ decision: "approve" })).rejects.toMatchObject({
      code: "approval-decided",
    });
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listProposals, readProposal } from "@/lib/chat/memory/proposals";
import { changeSession } from "@/lib/chat/sessions/session-detail";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { writeBlock } from "@/lib/chat/testing/memory-by-label";
import { abandonedAnswer, endedAnswer, manualChat, sweep } from "@/lib/chat/testing/run-fixture";
import { weatherSource } from "@/lib/chat/tools/testing/weather-tool";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { decideRequest } from "@/lib/chat/wire/messages";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { decideCall, decideProposal } from "./decide-call";
import { heldWriteId } from "./memory-writes";
import { withdrawCalls } from "./recover-answer";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const tea = { label: "memory", content: "- Likes tea", action: "append" };
const place = { label: "memory", sessionId: null };

interface Options {
  readonly writes?: readonly object[];
  readonly mode?: "ask" | "on";
  readonly owner?: ReturnType<typeof newOwner>;
  /** Before the model reads memory. */
  readonly text?: string;
}

/** A chat whose answer asks before it writes to memory. */
async function askingChat({ writes = [tea], mode = "ask", text, ...given }: Options = {}) {
  const owner = given.owner ?? newOwner(database.sql);
  if (text !== undefined) await writeBlock(owner, { ...place, content: text });
  const chat = manualChat(database.sql, { owner });
  const { sessionId, answering } = chat.conversation;
  await owner.store.sessions.create("", { id: sessionId, metadata: { memoryMode: mode } });
  const turn = chat.model.turn(0);
  for (const write of writes) turn.call("set_context", write);
  turn.finish("tool-calls");
  const answer = await chat.conversation.ask("Remember that I like tea");
  const memory = owner.blocks.text({ label: "memory", sessionId: null });
  const ids = (answer.metadata?.proposals ?? []).map(({ id }) => id);
  const approvals = approvalsIn(answer);
  const decide = (request: object, approvalId = approvals[0] ?? "") =>
    decideCall(
      answering,
      { sessionId, messageId: answer.id, approvalId },
      decideRequest.parse(request),
    );
  const ended = () => endedAnswer(chat, answer.id);
  return { ...chat, owner, answering, sessionId, answer, memory, ids, approvals, decide, ended };
}

function approvalsIn({ parts }: GroveMessage): string[] {
  return parts.flatMap((part) => ("approval" in part && part.approval ? [part.approval.id] : []));
}

function callIn({ parts }: GroveMessage) {
  return parts.find(({ type }) => type === "tool-set_context");
}

describe("a write to memory that asks first", () => {
  test("pauses its answer, which goes on once it is approved", async () => {
    const { answer, model, decide, ended, memory, owner, ids } = await askingChat();
    expect(answer.metadata?.status).toBe("paused");
    expect(answer.metadata?.proposals?.[0]?.toolCallId).toBe(
      answer.parts.flatMap((part) => ("toolCallId" in part ? [part.toolCallId] : []))[0],
    );
    expect(await memory.get()).toBeNull();
    model.turn(1).say("I will.").finish();
    await decide({ decision: "approve" });
    const done = await ended();
    expect(done.metadata?.status).toBe("complete");
    expect(callIn(done)).toMatchObject({
      state: "output-available",
      output: { outcome: "written", label: "memory" },
    });
    expect(await memory.get()).toBe("- Likes tea");
    expect(await readProposal(owner, ids[0] ?? "")).toMatchObject({ status: "accepted" });
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain("Written to memory");
    expect((await memory.versions())[0]?.provenance).toMatchObject({
      author: "model",
      messageId: answer.id,
      proposalId: ids[0],
    });
  });

  test("is decided from the list of what waits, too", { tags: "long" }, async () => {
    const { model, answering, ended, memory, ids } = await askingChat();
    model.turn(1).say("I will.").finish();
    const decided = await decideProposal(answering, ids[0] ?? "", { decision: "approve" });
    expect(decided.status).toBe("accepted");
    expect((await ended()).metadata?.status).toBe("complete");
    expect(await memory.get()).toBe("- Likes tea");
    await expect(
      decideProposal(answering, ids[0] ?? "", { decision: "deny" }),
    ).rejects.toMatchObject({ code: "proposal-decided" });
  });

  test("is listed, and can be decided, once its answer waits", { tags: "long" }, async () => {
    const slow = Promise.withResolvers<string>();
    const { source } = weatherSource({ answer: () => slow.promise });
    const owner = newOwner(database.sql, crypto.randomUUID(), { toolSources: () => [source] });
    const { model, conversation, process } = manualChat(database.sql, { owner });
    model.turn().call("set_context", tea).call("weather", { city: "Rome" }).finish("tool-calls");
    await conversation.send("Remember", { answerId: "answer" });
    const held = () => owner.store.proposals.list({ status: "open" });
    await expect.poll(held).toHaveLength(1);
    const id = (await held())[0]?.id ?? "";
    expect(await listProposals(owner, { status: "open" })).toEqual([]);
    await expect(
      decideProposal(conversation.answering, id, { decision: "approve" }),
    ).rejects.toMatchObject({ code: "answer-running" });
    slow.resolve("Sunny");
    expect(await process.ended("answer")).toBe("paused");
    expect(await listProposals(owner, { status: "open" })).toMatchObject([{ id }]);
    model.turn(1).say("Done").finish();
    await decideProposal(conversation.answering, id, { decision: "approve" });
    expect(await owner.blocks.text({ label: "memory", sessionId: null }).get()).toBe(tea.content);
  });

  test("is not made when denied, and the model receives the reason", { tags: "long" }, async () => {
    const { model, decide, ended, memory, owner, ids } = await askingChat();
    model.turn(1).say("Fine.").finish();
    await decide({ decision: "deny", reason: "That was a joke" });
    const done = await ended();
    expect(callIn(done)).toMatchObject({ state: "output-denied" });
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain("That was a joke");
    expect(await memory.versions()).toEqual([]);
    expect((await readProposal(owner, ids[0] ?? "")).status).toBe("declined");
  });

  test("writes the text as the person changed it, and keeps the model's", async () => {
    const { model, decide, ended, memory } = await askingChat();
    model.turn(1).say("I will.").finish();
    await decide({ decision: "approve", content: "- Likes green tea", expectedVersion: 0 });
    const done = await ended();
    expect(await memory.get()).toBe("- Likes green tea");
    expect((await memory.versions())[0]?.provenance.author).toBe("person");
    expect(callIn(done)).toMatchObject({
      input: { label: "memory", content: "- Likes green tea", action: "replace" },
    });
    expect(done.metadata?.changedCalls).toEqual([
      { toolCallId: expect.any(String), input: expect.objectContaining(tea) },
    ]);
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain("green tea");
  });

  test("never replaces a text that the person has not seen", { tags: "long" }, async () => {
    const rewriting = { label: "memory", content: "All new", action: "replace" };
    const { model, decide, ended, memory, owner } = await askingChat({
      writes: [rewriting],
      text: "Old",
    });
    await writeBlock(owner, { ...place, content: "By hand meanwhile" });
    await expect(decide({ decision: "approve" })).rejects.toMatchObject({
      code: "block-conflict",
      currentVersion: 2,
    });
    expect(await memory.get()).toBe("By hand meanwhile");
    model.turn(1).say("Done").finish();
    await decide({ decision: "approve", expectedVersion: 2 });
    expect((await ended()).metadata?.status).toBe("complete");
    expect(await memory.get()).toBe("All new");
  });

  test("goes on as decided when a crash came between the decision and the answer", async () => {
    const { model, decide, ended, memory, owner, ids, approvals } = await askingChat();
    // As by a process that died next.
    const provenance = { author: "model", proposalId: ids[0] ?? "" } as const;
    await owner.store.proposals.accept(ids[0] ?? "", async () => {
      await memory.set("- Likes tea", { provenance });
      return 1;
    });
    expect((await readProposal(owner, ids[0] ?? "")).status).toBe("accepted");
    model.turn(1).say("I will.").finish();
    await decide({ decision: "deny" }, approvals[0]);
    const done = await ended();
    expect(callIn(done)).toMatchObject({ output: { outcome: "written" } });
    expect(await memory.versions()).toHaveLength(1);
  });

  test("stays to be decided when a crash came before its answer waited", async () => {
    const input = { ...tea };
    const toolCallId = "call";
    const { owner, conversation } = await abandonedAnswer(database.sql, [
      { type: "start", messageId: "answer" },
      { type: "start-step" },
      { type: "tool-input-available", toolCallId, toolName: "set_context", input },
      { type: "tool-approval-request", toolCallId, approvalId: "approval" },
    ]);
    const { sessionId, answering } = conversation;
    const { id } = await owner.store.proposals.add({
      id: heldWriteId("answer", toolCallId),
      sessionId,
      messageId: "answer",
      program: null,
      blockId: "memory",
      key: null,
      title: null,
      description: null,
      action: "append",
      content: tea.content,
      baseVersion: 0,
    });
    await sweep(database.sql, owner);
    const cut = await conversation.message("answer");
    expect(cut.metadata).toMatchObject({ status: "interrupted", proposals: [{ id, toolCallId }] });
    const decided = await decideProposal(answering, id, { decision: "approve" });
    expect(decided.status).toBe("accepted");
    expect(await owner.blocks.text({ label: "memory", sessionId: null }).get()).toBe(tea.content);
    expect((await owner.runs.get("answer"))?.status).toBe("interrupted");
  });

  test("is not asked again in this chat when that was chosen", { tags: "long" }, async () => {
    const { model, decide, ended, memory, owner, sessionId, ids } = await askingChat();
    expect((await readProposal(owner, ids[0] ?? "")).mayAllowForChat).toBe(true);
    model
      .turn(1)
      .call("set_context", { ...tea, content: "- Likes rain" })
      .finish("tool-calls");
    model.turn(2).say("Both.").finish();
    await decide({ decision: "approve", forChat: true });
    expect((await ended()).metadata?.status).toBe("complete");
    expect(await memory.get()).toBe("- Likes tea\n- Likes rain");
    expect((await owner.store.sessions.get(sessionId))?.metadata).toMatchObject({
      memoryMode: "on",
    });
  });

  test("is asked about in a chat that has the web for itself", async () => {
    const { source } = weatherSource({ policy: "off", kind: "web" });
    const owner = newOwner(database.sql, crypto.randomUUID(), { toolSources: () => [source] });
    const { sessionId, ids } = await askingChat({ owner });
    const mayAllow = async () => (await readProposal(owner, ids[0] ?? "")).mayAllowForChat;
    expect(await mayAllow()).toBe(true);
    await changeSession(owner, sessionId, { parameters: { web: true } });
    expect(await mayAllow()).toBe(false);
  });

  test("waits for every one of several", { tags: "long" }, async () => {
    const other = { ...tea, content: "- Likes rain" };
    const { model, decide, ended, memory, approvals } = await askingChat({ writes: [tea, other] });
    model.turn(1).say("Done").finish();
    await decide({ decision: "approve" }, approvals[0]);
    await decide({ decision: "deny" }, approvals[1]);
    expect((await ended()).metadata?.status).toBe("complete");
    expect(await memory.get()).toBe("- Likes tea");
  });

  test("is declined when the chat goes on without it", async () => {
    const { owner, answer, ids, memory } = await askingChat();
    await withdrawCalls(owner, answer.id, (error) => expect.unreachable(String(error)));
    expect((await readProposal(owner, ids[0] ?? "")).status).toBe("declined");
    expect(await listProposals(owner, { status: "open" })).toEqual([]);
    expect(await memory.versions()).toEqual([]);
  });

  test("says at once what could never be written, and goes on", async () => {
    const { answer, model } = await manualRefusal();
    expect(answer.metadata?.status).toBe("complete");
    expect(answer.metadata?.proposals).toBeUndefined();
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain("exceeds maxTokens");
  });

  test("is asked about in every chat while tools from outside are on", async () => {
    const { source } = weatherSource();
    const owner = newOwner(database.sql, crypto.randomUUID(), { toolSources: () => [source] });
    const { answer, ids } = await askingChat({ mode: "on", owner });
    expect(answer.metadata?.status).toBe("paused");
    expect((await readProposal(owner, ids[0] ?? "")).mayAllowForChat).toBe(false);
  });
});

async function manualRefusal() {
  const chat = manualChat(database.sql);
  const { sessionId } = chat.conversation;
  await chat.owner.store.sessions.create("", { id: sessionId, metadata: { memoryMode: "ask" } });
  const content = "word ".repeat(20_000);
  chat.model.turn(0).call("set_context", { label: "memory", content }).finish("tool-calls");
  chat.model.turn(1).say("Too long.").finish();
  return { ...chat, answer: await chat.conversation.ask("Remember") };
}

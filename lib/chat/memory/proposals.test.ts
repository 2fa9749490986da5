import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession } from "@/lib/chat/sessions/open-session";
import { forkSession } from "@/lib/chat/sessions/session-detail";
import {
  Conversation,
  chatProcess,
  demoModel,
  newOwner,
  resolvedModel,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { addEntry, writeBlock } from "@/lib/chat/testing/memory-by-label";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import { acceptProposal, declineProposal, listProposals, propose, readProposal } from "./proposals";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function asking(owner: OwnerServices, sessionId: string): Promise<void> {
  await owner.store.sessions.create("", { id: sessionId, metadata: { memoryMode: "ask" } });
}

/** The scripted model in ask-first mode. */
async function demo() {
  const owner = newOwner(database.sql);
  const proposed: string[] = [];
  owner.store.events.on("proposal", ({ action, proposalId }) => {
    if (action === "add") proposed.push(proposalId);
  });
  const chat = new Conversation(owner, chatProcess(), await demoModel());
  await asking(owner, chat.sessionId);
  const memory = owner.blocks.text({ label: "memory", sessionId: null });
  return { owner, chat, memory, proposed };
}

/** A model that proposes one write in ask-first mode. */
async function wishing(input: unknown, prepare?: (owner: OwnerServices) => Promise<unknown>) {
  const owner = newOwner(database.sql);
  await prepare?.(owner);
  const model = new ManualModel();
  const chat = new Conversation(owner, chatProcess(), resolvedModel(model.model));
  await asking(owner, chat.sessionId);
  model.turn(0).call("set_context", input).finish("tool-calls");
  model.turn(1).say("Done").finish();
  const answer = await chat.ask("Remember");
  const [wish] = answer.metadata?.proposals ?? [];
  if (!wish) throw new Error("Nothing was proposed.");
  return { owner, chat, model, answer, wish };
}

type Request = Parameters<typeof acceptProposal>[2];

async function accept(owner: OwnerServices, id: string, request: Request) {
  await acceptProposal(owner, id, request);
  return readProposal(owner, id);
}

async function decline(owner: OwnerServices, id: string) {
  await declineProposal(owner, id);
  return readProposal(owner, id);
}

const person = { label: "memory", sessionId: null };

describe("a session that asks first", () => {
  test("writes nothing, waits with the answer, and keeps what the model wants to write", async () => {
    const { owner, chat, memory, proposed } = await demo();
    const answer = await chat.ask("Remember that I like tea");
    expect(answer.metadata).toMatchObject({
      status: "paused",
      proposals: [{ id: expect.any(String), label: "memory", lines: { added: 1, removed: 0 } }],
    });
    expect(answer.metadata?.writes).toBeUndefined();
    expect(await memory.versions()).toEqual([]);
    expect(proposed).toEqual(answer.metadata?.proposals?.map(({ id }) => id));
    expect(await listProposals(owner, { sessionId: chat.sessionId, status: "open" })).toEqual([
      {
        id: answer.metadata?.proposals?.[0]?.id,
        program: null,
        blockId: "memory",
        sessionId: chat.sessionId,
        messageId: answer.id,
        label: "memory",
        key: null,
        title: null,
        action: "append",
        status: "open",
        before: "",
        after: "- Likes tea",
        currentVersion: 0,
        isChangedSince: false,
        version: null,
        createdAt: expect.any(String),
        decidedAt: null,
      },
    ]);
  });

  test("is what new sessions are when their owner wants so", async () => {
    const owner = newOwner(database.sql);
    expect((await createSession(owner, {})).metadata).toEqual({ memoryMode: "on" });
    await owner.settings.change({ memoryMode: "ask" });
    expect((await createSession(owner, { id: "new" })).metadata).toEqual({ memoryMode: "ask" });
    const chat = new Conversation(owner, chatProcess(), await demoModel());
    expect((await chat.ask("Remember that I like tea")).metadata?.proposals).toHaveLength(1);
  });
});

describe("accepting", () => {
  test("writes a version of the model's, which says that a person agreed", async () => {
    const { owner, chat, memory } = await demo();
    await writeBlock(owner, { ...person, content: "By hand" });
    const answer = await chat.ask("Remember that I like tea");
    const id = answer.metadata?.proposals?.[0]?.id ?? "";
    expect(await accept(owner, id, {})).toMatchObject({
      status: "accepted",
      version: 2,
      before: "By hand",
      after: "By hand\n- Likes tea",
      decidedAt: expect.any(String),
    });
    const provenance = { author: "model", sessionId: chat.sessionId, messageId: answer.id };
    expect(await memory.versions()).toMatchObject([
      { version: 2, provenance: { ...provenance, proposalId: id } },
      { version: 1 },
    ]);
    await expect(decline(owner, id)).rejects.toMatchObject({ code: "proposal-decided" });
  });

  test("a rewriting of a text that was changed since asks first, and shows the text as it is now", async () => {
    const { owner, wish } = await wishing({ label: "memory", content: "All new" }, (fresh) =>
      writeBlock(fresh, { ...person, content: "Old" }),
    );
    await writeBlock(owner, { ...person, content: "Changed by hand" });
    await expect(accept(owner, wish.id, {})).rejects.toMatchObject({
      code: "block-conflict",
      currentVersion: 2,
    });
    expect(await readProposal(owner, wish.id)).toMatchObject({
      status: "open",
      isChangedSince: true,
      before: "Changed by hand",
      after: "All new",
      currentVersion: 2,
    });
    expect(await accept(owner, wish.id, { expectedVersion: 2 })).toMatchObject({
      version: 3,
      before: "Changed by hand",
      after: "All new",
    });
  });

  test("takes the text as the person has put it right", async () => {
    const { owner, wish } = await wishing({ label: "todos", content: "- [ ] Tea" });
    const content = "- [ ] Green tea";
    const accepted = await accept(owner, wish.id, { content, expectedVersion: 0 });
    expect(accepted).toMatchObject({ status: "accepted", after: "- [ ] Green tea" });
  });

  test("writes entries of knowledge under their title, and adds to those there are", async () => {
    const tea = { label: "knowledge", metadata: { title: "Tea" } };
    const { owner, wish } = await wishing({ ...tea, content: "Two", action: "append" }, (fresh) =>
      addEntry(fresh, { label: "knowledge", sessionId: null }, { title: "Tea", content: "One" }),
    );
    expect(wish).toMatchObject({ label: "knowledge", key: "tea" });
    expect(await readProposal(owner, wish.id)).toMatchObject({ before: "One", after: "One\nTwo" });
    await accept(owner, wish.id, {});
    expect(
      await owner.blocks.searchable({ label: "knowledge", sessionId: null }).entry("tea"),
    ).toMatchObject({ content: "One\nTwo", version: 2 });
  });

  test("writes a meanwhile deleted entry again only when the person has seen that", async () => {
    const { owner, wish } = await wishing(
      { label: "knowledge", metadata: { title: "Tea" }, content: "Two" },
      (fresh) =>
        addEntry(fresh, { label: "knowledge", sessionId: null }, { title: "Tea", content: "One" }),
    );
    await owner.blocks.searchable({ label: "knowledge", sessionId: null }).remove("tea");
    await expect(accept(owner, wish.id, {})).rejects.toMatchObject({
      code: "block-conflict",
    });
    const { currentVersion, before } = await readProposal(owner, wish.id);
    expect({ currentVersion, before }).toEqual({ currentVersion: 2, before: "" });
    await accept(owner, wish.id, { expectedVersion: currentVersion });
    expect(
      await owner.blocks.searchable({ label: "knowledge", sessionId: null }).entry("tea"),
    ).toMatchObject({ content: "Two" });
  });
});

describe("declining", () => {
  test("leaves memory alone and keeps what was declined", async () => {
    const { owner, chat, memory } = await demo();
    const answer = await chat.ask("Remember that I like tea");
    const id = answer.metadata?.proposals?.[0]?.id ?? "";
    expect(await decline(owner, id)).toMatchObject({ status: "declined", version: null });
    expect(await memory.versions()).toEqual([]);
    expect(await listProposals(owner, { status: "open" })).toEqual([]);
    expect(await readProposal(owner, id)).toMatchObject({
      status: "declined",
      after: "- Likes tea",
    });
  });
});

describe("a proposal", () => {
  test("stays with its session: a fork shows it and decides about the same one", async () => {
    const { owner, chat } = await demo();
    const answer = await chat.ask("Remember that I like tea");
    const fork = await forkSession(owner, chat.sessionId, {
      messageId: answer.id,
      withSideBranches: false,
    });
    expect(await listProposals(owner, { sessionId: fork.id })).toEqual([]);
    expect(fork.memoryMode).toBe("ask");
    const id = answer.metadata?.proposals?.[0]?.id ?? "";
    expect(await accept(owner, id, {})).toMatchObject({ sessionId: chat.sessionId });
  });

  test("goes with its session and comes back with it", async () => {
    const { owner, chat } = await demo();
    const answer = await chat.ask("Remember that I like tea");
    const id = answer.metadata?.proposals?.[0]?.id ?? "";
    await owner.store.sessions.delete(chat.sessionId);
    await expect(accept(owner, id, {})).rejects.toMatchObject({
      code: "proposal-not-found",
    });
    expect(await listProposals(owner, {})).toEqual([]);
    await owner.store.sessions.restore(chat.sessionId);
    expect(await listProposals(owner, {})).toHaveLength(1);
  });
});

test("What another product remembered waits for the person, and the same text twice is one", async () => {
  const owner = newOwner(database.sql);
  const memory = owner.blocks.text({ label: "memory", sessionId: null });
  const first = await propose(owner, { content: "Grows apples.", from: "ChatGPT" });
  const second = await propose(owner, { content: "Grows apples.", from: "ChatGPT" });
  expect(second.id).toBe(first.id);
  expect(first).toMatchObject({ program: "ChatGPT", status: "open", after: "Grows apples." });
  expect(await memory.get()).toBeNull();
  await accept(owner, first.id, {});
  expect(await memory.get()).toBe("Grows apples.");
});

import { describe, expect, test } from "vitest";
import { createCompactFunction } from "../../compaction/create-compact-function";
import { isVersionedProvider } from "../../context-provider";
import {
  blockEvents,
  type EmittingStore,
  emittingStore,
  messageEvents,
  promptEvents,
  proposalEvents,
  registryEvents,
  storeEvents,
} from "../../emitting";
import type { NewSessionEvent, SessionEvent } from "../../events";
import type { NewProposal } from "../../proposals";
import { Session } from "../../session";
import { SessionManager } from "../../session-manager";
import { appendChain, assistant, collect, toolCall, user } from "../builders";
import { type CallOfEveryMethod, describeEmitting } from "../describe-emitting";
import type { MakeStore } from "./make-store";

const sessionId = "a";
const usage = { inputTokens: 1, outputTokens: 2, cost: 0.5 };
const memory = { blockId: "memory", label: "memory" };
const proposal: NewProposal = {
  sessionId,
  messageId: "a1",
  program: null,
  blockId: "memory",
  key: null,
  title: null,
  description: null,
  action: "append",
  content: "Likes tea",
  baseVersion: 0,
};

/** A store with one thing of each kind that a call can be about. */
async function furnished(make: MakeStore) {
  const store = emittingStore(await make());
  const events: NewSessionEvent[] = [];
  await store.sessions.create("A", { id: sessionId });
  await store.sessions.create("Gone", { id: "gone" });
  await store.sessions.delete("gone");
  const messages = store.messages(sessionId);
  await appendChain(messages, [user("q1"), assistant("a1"), user("q2"), assistant("a2")]);
  const { id: summaryId } = await messages.addCompaction("S", "q1", "a1");
  const { id: removedId } = await messages.addCompaction("T", "q2", "a2");
  await messages.removeCompaction(removedId);
  await messages.appendMessage(user("q3"));
  const { deletionId } = await messages.deleteMessages(["q3"]);
  const { id: proposalId } = await store.proposals.add(proposal);
  store.events.onEvery(({ ownerId: _, ...event }) => void events.push(event as NewSessionEvent));
  const context = { store, messages, summaryId, removedId, deletionId, proposalId };
  return { context, events };
}

type Context = Awaited<ReturnType<typeof furnished>>["context"];
type Calls<Table> = CallOfEveryMethod<Table, Context>;

const registryCalls: Calls<typeof registryEvents> = {
  create: async ({ store }) => {
    await store.sessions.create("B", { id: "b" });
    return [{ type: "session", sessionId: "b", action: "create" }];
  },
  get: ({ store }) => store.sessions.get(sessionId),
  list: ({ store }) => store.sessions.list(),
  update: async ({ store }) => {
    await store.sessions.update(sessionId, { name: "B" });
    return [{ type: "session", sessionId, action: "update" }];
  },
  delete: async ({ store }) => {
    await store.sessions.delete(sessionId);
    return [{ type: "session", sessionId, action: "delete" }];
  },
  purge: async ({ store }) => {
    await store.sessions.purge(-1_000);
    return [{ type: "session", sessionId: "gone", action: "delete" }];
  },
  restore: async ({ store }) => {
    await store.sessions.restore("gone");
    return [{ type: "session", sessionId: "gone", action: "restore" }];
  },
  expire: async ({ store }) => {
    await store.sessions.expire(-1_000);
    return [{ type: "session", sessionId, action: "delete" }];
  },
  fork: async ({ store }) => {
    await store.sessions.fork(sessionId, "a1", "Fork", { id: "f" });
    return [{ type: "session", sessionId: "f", action: "fork" }];
  },
  forks: ({ store }) => store.sessions.forks(sessionId),
  export: ({ store }) => store.sessions.export(sessionId),
  import: async ({ store }) => {
    const exported = await store.sessions.export(sessionId);
    await store.sessions.import({ ...exported, session: { ...exported.session, id: "b" } });
    return [{ type: "session", sessionId: "b", action: "create" }];
  },
  addUsage: async ({ store }) => {
    await store.sessions.addUsage(sessionId, usage);
    return [{ type: "usage", sessionId, ...usage }];
  },
  search: ({ store }) => store.sessions.search("q1"),
  searchSessions: ({ store }) => store.sessions.searchSessions("q1"),
};

const messageCalls: Calls<ReturnType<typeof messageEvents>> = {
  getMessage: ({ messages }) => messages.getMessage("q1"),
  getHistory: ({ messages }) => messages.getHistory(),
  getLatestLeaf: ({ messages }) => messages.getLatestLeaf(),
  getBranches: ({ messages }) => messages.getBranches("q1"),
  getPathLength: ({ messages }) => messages.getPathLength(),
  appendMessage: async ({ messages }) => {
    await messages.appendMessage(user("new"), "a1");
    return [{ type: "append", sessionId, messageId: "new", parentId: "a1", role: "user" }];
  },
  appendMessages: async ({ messages }) => {
    const skill = { label: "skills", key: "k" };
    const calls = ["load", "unload"].map((what) => toolCall(`${what}_context`, skill, "Done"));
    await messages.appendMessages([user("q1"), assistant("b1", "", ...calls), user("b2")]);
    return [
      { type: "append", sessionId, messageId: "b1", parentId: "q1", role: "assistant" },
      { type: "skill", sessionId, ...skill, action: "load" },
      { type: "skill", sessionId, ...skill, action: "unload" },
      { type: "append", sessionId, messageId: "b2", parentId: "b1", role: "user" },
    ];
  },
  updateMessage: async ({ messages }) => {
    await messages.updateMessage(user("q1", "x"));
    return [{ type: "update", sessionId, messageId: "q1" }];
  },
  deleteMessages: async ({ messages }) => {
    const { deletionId } = await messages.deleteMessages(["q2", "a2", "nowhere"]);
    return [{ type: "delete", sessionId, deletionId, messageIds: ["q2", "a2"] }];
  },
  restoreMessages: async ({ messages, deletionId }) => {
    await messages.restoreMessages(deletionId);
    return [{ type: "restore", sessionId, deletionId }];
  },
  clearMessages: async ({ messages }) => {
    await messages.clearMessages();
    return [{ type: "delete", sessionId, deletionId: null, messageIds: [] }];
  },
  setActiveLeaf: async ({ messages }) => {
    await messages.setActiveLeaf("q1");
    return [{ type: "activate", sessionId, messageId: "q1" }];
  },
  stepBack: async ({ messages }) => {
    await messages.stepBack(1);
    await messages.stepBack(9);
    return [
      { type: "activate", sessionId, messageId: "q2" },
      { type: "activate", sessionId, messageId: null },
    ];
  },
  continueAfter: async ({ messages }) => {
    await messages.continueAfter("q1", [assistant("b1")], { expectedLeafId: "a2" });
    await messages.continueAfter(null, [], { expectedLeafId: "b1" });
    return [
      { type: "append", sessionId, messageId: "b1", parentId: "q1", role: "assistant" },
      { type: "activate", sessionId, messageId: null },
    ];
  },
  follow: async ({ messages }) => {
    await messages.follow([user("q1"), assistant("a1")]);
    await messages.follow([user("q1"), user("b1"), assistant("b2")]);
    return [
      { type: "activate", sessionId, messageId: "a1" },
      { type: "append", sessionId, messageId: "b1", parentId: "q1", role: "user" },
      { type: "append", sessionId, messageId: "b2", parentId: "b1", role: "assistant" },
    ];
  },
  getLeafUnder: ({ messages }) => messages.getLeafUnder("q1"),
  getSiblings: ({ messages }) => messages.getSiblings("q1"),
  getRoots: ({ messages }) => messages.getRoots(),
  getLeaves: ({ messages }) => messages.getLeaves(),
  getTree: ({ messages }) => messages.getTree(),
  getWindow: ({ messages }) => messages.getWindow(),
  getHistoryRowStats: ({ messages }) => messages.getHistoryRowStats(),
  getRecentHistory: ({ messages }) => messages.getRecentHistory(1_000),
  iterateHistory: ({ messages }) => collect(messages.iterateHistory()),
  setPinned: async ({ messages }) => {
    await messages.setPinned("q1", true);
    return [{ type: "pin", sessionId, messageId: "q1", pinned: true }];
  },
  setLabel: async ({ messages }) => {
    await messages.setLabel("q1", "L");
    return [{ type: "label", sessionId, messageId: "q1" }];
  },
  addCompaction: async ({ messages }) => {
    const { id } = await messages.addCompaction("U", "q2", "a2");
    return [{ type: "compact", sessionId, compactionId: id, action: "add" }];
  },
  replaceCompaction: async ({ messages, summaryId }) => {
    const { id } = await messages.replaceCompaction(summaryId, "U");
    return [
      { type: "compact", sessionId, compactionId: summaryId, action: "remove" },
      { type: "compact", sessionId, compactionId: id, action: "add" },
    ];
  },
  getCompactions: ({ messages }) => messages.getCompactions(),
  removeCompaction: async ({ messages, summaryId }) => {
    await messages.removeCompaction(summaryId);
    return [{ type: "compact", sessionId, compactionId: summaryId, action: "remove" }];
  },
  restoreCompaction: async ({ messages, removedId }) => {
    await messages.restoreCompaction(removedId);
    return [{ type: "compact", sessionId, compactionId: removedId, action: "restore" }];
  },
  updateCompaction: async ({ messages, summaryId }) => {
    await messages.updateCompaction(summaryId, "U");
    return [{ type: "compact", sessionId, compactionId: summaryId, action: "update" }];
  },
  searchMessages: ({ messages }) => messages.searchMessages("q1"),
  getLoadedSkills: ({ messages }) => messages.getLoadedSkills(),
  recordSkillEvent: async ({ messages }) => {
    await messages.recordSkillEvent({ label: "skills", key: "k" }, "load");
    return [{ type: "skill", sessionId, label: "skills", key: "k", action: "load" }];
  },
};

const proposalCalls: Calls<typeof proposalEvents> = {
  add: async ({ store }) => {
    const { id } = await store.proposals.add(proposal);
    return [{ type: "proposal", sessionId, proposalId: id, action: "add" }];
  },
  get: ({ store, proposalId }) => store.proposals.get(proposalId),
  list: ({ store }) => store.proposals.list(),
  accept: async ({ store, proposalId }) => {
    await store.proposals.accept(proposalId, async () => null);
    return [{ type: "proposal", sessionId, proposalId, action: "accept" }];
  },
  decline: async ({ store, proposalId }) => {
    await store.proposals.decline(proposalId);
    return [{ type: "proposal", sessionId, proposalId, action: "decline" }];
  },
};

const storeCalls: Calls<typeof storeEvents> = {
  writeBlocks: async ({ store }) => {
    const provenance = { author: "model" } as const;
    await store.writeBlocks([
      { block: { label: "memory", sessionId }, content: "x", provenance },
      { block: { label: "memory", sessionId: null }, content: "y" },
    ]);
    return [
      { type: "block-write", sessionId, ...memory, action: "replace", author: "model" },
      { type: "block-write", sessionId: null, ...memory, action: "replace", author: undefined },
    ];
  },
};

const memoryOf = ({ store }: Pick<Context, "store">, scope: "owner" | "session") => {
  const block = store.block({ label: "memory", sessionId: scope === "owner" ? null : sessionId });
  if (!isVersionedProvider(block)) throw new TypeError("The blocks of a store keep versions.");
  return block;
};

const blockCalls: Calls<ReturnType<typeof blockEvents>> = {
  get: (context) => memoryOf(context, "owner").get(),
  set: async (context) => {
    const provenance = { author: "person" } as const;
    await memoryOf(context, "session").set("x", { provenance });
    await memoryOf(context, "owner").set("y", { action: "append" });
    return [
      { type: "block-write", sessionId, ...memory, action: "replace", author: "person" },
      {
        type: "block-write",
        sessionId: null,
        ...memory,
        action: "append",
        author: undefined,
      },
    ];
  },
  read: (context) => memoryOf(context, "owner").read(),
  versions: (context) => memoryOf(context, "owner").versions(),
};

const promptCalls: Calls<Pick<ReturnType<typeof promptEvents>, "get" | "set">> = {
  get: ({ store }) => store.promptCache(sessionId).get(),
  set: async ({ store }) => {
    await store.promptCache(sessionId).set("prompt");
    return [{ type: "prompt", sessionId }];
  },
};

export function emittingGuarantees(make: MakeStore): void {
  const start = () => furnished(make);

  describe("a store that emits", () => {
    describeEmitting("store", storeEvents, storeCalls, start);
    describeEmitting("sessions", registryEvents, registryCalls, start);
    describeEmitting("messages()", messageEvents(sessionId), messageCalls, start);
    describeEmitting("proposals", proposalEvents, proposalCalls, start);
    describeEmitting("block()", blockEvents({ ...memory, sessionId }), blockCalls, start);
    const { get, set } = promptEvents(sessionId);
    describeEmitting("promptCache()", { get, set }, promptCalls, start);

    test("names its owner in every event", async () => {
      const { context } = await start();
      const { store, messages } = context;
      const owners: string[] = [];
      store.events.onEvery(({ ownerId }) => void owners.push(ownerId));
      await messages.setActiveLeaf("q1");
      expect(owners).toEqual([store.ownerId ?? ""]);
    });

    test("emits nothing for a call that was refused or changed nothing", async () => {
      const { context, events } = await start();
      const { store, messages } = context;
      await store.sessions.fork(sessionId, "a1", "Fork", { id: "f" });
      events.length = 0;
      await messages.appendMessage(user("q1"));
      await messages.appendMessages([user("q1"), assistant("a1")]);
      await messages.stepBack(0);
      await messages.continueAfter("q1", [], { expectedLeafId: "q1" });
      await messages.follow([user("q1"), assistant("a1"), user("q2"), assistant("a2")]);
      await messages.deleteMessages(["nowhere"]);
      await store.sessions.create("A again", { id: sessionId });
      await store.sessions.fork(sessionId, "a1", "Fork", { id: "f" });
      await store.sessions.restore(sessionId);
      await store.sessions.expire(60_000);
      await expect(messages.appendMessage(user("q9"), "nowhere")).rejects.toThrow();
      await expect(messages.updateMessage(user("nowhere"))).rejects.toThrow();
      await expect(messages.restoreMessages("nowhere")).rejects.toThrow();
      await expect(messages.removeCompaction("nowhere")).rejects.toThrow();
      await expect(store.sessions.update("nowhere", { name: "x" })).rejects.toThrow();
      await expect(store.proposals.decline("nowhere")).rejects.toThrow();
      expect(events).toEqual([]);
    });
  });

  describe("the events of a session", () => {
    test("arrive from every writer, until the listener unsubscribes", async () => {
      const { store, messages } = (await start()).context;
      await store.sessions.create("B", { id: "b" });
      const received: string[] = [];
      const stop = sessionOf(store).on("append", ({ messageId }) => void received.push(messageId));
      await messages.appendMessage(user("q4"));
      await sessionOf(store).appendMessage(assistant("a4"));
      await store.messages("b").appendMessage(user("elsewhere"));
      stop();
      await messages.appendMessage(user("q5"));
      expect(received).toEqual(["q4", "a4"]);
    });

    test("arrive once each over a store without events of its own, in every session over it", async () => {
      const store = await make();
      const received: unknown[] = [];
      const one = Session.create(store).forSession(sessionId).withContext("memory");
      one.on("append", ({ messageId }) => void received.push(messageId));
      one.on("block-write", ({ label, action }) => void received.push([label, action]));
      one.on("compact", ({ action }) => void received.push(action));
      const other = Session.create(store).forSession(sessionId).withContext("memory");
      await other.appendMessages([user("q1"), assistant("a1")]);
      await other.appendContextBlock("memory", "x");
      const { id } = await other.addCompaction("S", "q1", "a1");
      await other.tree.replaceCompaction(id, "T");
      expect(received).toEqual(["q1", "a1", ["memory", "append"], "add", "remove", "add"]);
    });

    test("arrive in a manager for all its sessions", async () => {
      const { store, messages } = (await start()).context;
      const manager = SessionManager.create(store);
      const received: unknown[] = [];
      manager.on("append", (event) => void received.push([event.sessionId, event.messageId]));
      await messages.appendMessage(user("q4"));
      const { id } = await manager.create("B");
      await manager.append(id, user("q1"));
      expect(received).toEqual([
        [sessionId, "q4"],
        [id, "q1"],
      ]);
    });

    test("a listener that fails breaks no write and is reported, and the others receive all the same", async () => {
      const { store } = (await start()).context;
      const errors: unknown[] = [];
      const session = sessionOf(store).onListenerError((error) => errors.push(error));
      const received: string[] = [];
      session.on("append", () => {
        throw new Error("sync");
      });
      session.on("append", async () => Promise.reject(new Error("async")));
      session.on("append", ({ messageId }) => void received.push(messageId));
      expect((await session.appendMessage(user("q4"))).inserted).toBe(true);
      await expect.poll(() => errors).toMatchObject([{ message: "sync" }, { message: "async" }]);
      expect(received).toEqual(["q4"]);
    });

    test("report what each call has saved, once for all it wrote, and what is loaded", async () => {
      const store = emittingStore(await make());
      await store.sessions.create("A", { id: sessionId });
      const events: SessionEvent[] = [];
      store.events.onEvery((event) => void events.push(event));
      const session = sessionOf(store)
        .withContext("memory")
        .onCompaction(
          createCompactFunction({
            summarize: async () => "S",
            protectHead: 0,
            tailTokenBudget: 0,
            minTailMessages: 1,
          }),
        )
        .compactAfter(20);
      await session.appendMessages([user("q1", "x".repeat(80)), assistant("a1"), user("q2")]);
      await session.updateMessage(user("q2", "y"));
      await session.replaceContextBlock("memory", "z", { provenance: { author: "person" } });
      await session.getHistory();
      await session.getHistory();
      const [summary] = await session.getCompactions();
      const reported = events.flatMap(({ ownerId: _, sessionId: __, type, ...details }) =>
        ["save", "load", "block-write", "compact"].includes(type) ? [[type, details]] : [],
      );
      expect(reported).toEqual([
        ["compact", { compactionId: summary?.id, action: "add" }],
        ["save", { messageIds: ["q1", "a1", "q2"] }],
        ["save", { messageIds: ["q2"] }],
        ["block-write", { ...memory, action: "replace", author: "person" }],
        ["save", { messageIds: [] }],
        ["load", { messageCount: 2 }],
      ]);
    });
  });
}

function sessionOf(store: EmittingStore): Session {
  return Session.create(store).forSession(sessionId);
}

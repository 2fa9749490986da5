import { describe, expect, test } from "vitest";
import { createCompactFunction } from "@/lib/session/compaction/create-compact-function";
import type { SessionEvent } from "@/lib/session/events";
import { Session } from "@/lib/session/session";
import { SessionManager } from "@/lib/session/session-manager";
import type { SessionStore } from "@/lib/session/session-store";
import { appendNumbered, assistant, user } from "@/lib/session/testing/builders";
import type { MakeStore } from "./make-store";

/** What a store of whom `heard` keeps every event tells. */
function hearing(store: SessionStore): SessionEvent[] {
  const heard: SessionEvent[] = [];
  store.events?.onEvery((event) => void heard.push(event));
  return heard;
}

/** Events without what every one of them has. */
function told(heard: readonly SessionEvent[]): unknown[] {
  return heard.map(({ ownerId, sessionId, type, ...details }) => [type, details]);
}

export function tellingGuarantees(make: MakeStore): void {
  async function conversation() {
    const store = await make();
    await store.sessions.create("A", { id: "a" });
    return { store, messages: store.messages("a"), heard: hearing(store) };
  }

  describe("events of a store", () => {
    test("tell of every write to messages, in order, with session and owner", async () => {
      const { store, messages, heard } = await conversation();
      await messages.appendMessage(user("q1"));
      await messages.appendMessage(assistant("a1"));
      await messages.updateMessage(assistant("a1", "x"));
      const { id } = await messages.addCompaction("S", "q1", "a1");
      await messages.updateCompaction(id, "T");
      await messages.removeCompaction(id);
      await messages.restoreCompaction(id);
      await messages.setPinned("q1", true);
      await messages.setLabel("q1", "L");
      await messages.setActiveLeaf("q1");
      await messages.recordSkillEvent({ label: "skills", key: "k" }, "load");
      const { deletionId } = await messages.deleteMessages(["a1"]);
      await messages.restoreMessages(deletionId);
      await messages.clearMessages();
      expect(told(heard)).toEqual([
        ["append", { messageId: "q1", parentId: null, role: "user" }],
        ["append", { messageId: "a1", parentId: "q1", role: "assistant" }],
        ["update", { messageId: "a1" }],
        ["compact", { compactionId: id, action: "add" }],
        ["compact", { compactionId: id, action: "update" }],
        ["compact", { compactionId: id, action: "remove" }],
        ["compact", { compactionId: id, action: "restore" }],
        ["pin", { messageId: "q1", pinned: true }],
        ["label", { messageId: "q1" }],
        ["activate", { messageId: "q1" }],
        ["skill", { label: "skills", key: "k", action: "load" }],
        ["delete", { deletionId, messageIds: ["a1"] }],
        ["restore", { deletionId }],
        ["delete", { deletionId: null, messageIds: [] }],
      ]);
      const owner = store.events?.ownerId;
      expect(heard.every(({ ownerId, sessionId }) => ownerId === owner && sessionId === "a")).toBe(
        true,
      );
    });

    test("tell of sessions that come, change and go, and of their usage", async () => {
      const { store, messages, heard } = await conversation();
      await appendNumbered(messages, 2);
      heard.length = 0;
      await store.sessions.create("A again", { id: "a" });
      await store.sessions.update("a", { name: "B" });
      await store.sessions.fork("a", "m1", "Fork", { id: "f" });
      await store.sessions.addUsage("a", { inputTokens: 1, outputTokens: 2, cost: 0.5 });
      await store.sessions.delete("a");
      await store.sessions.restore("a");
      expect(heard.map(({ sessionId }) => sessionId)).toEqual(["a", "f", "a", "a", "a"]);
      expect(told(heard)).toEqual([
        ["session", { action: "update" }],
        ["session", { action: "fork" }],
        ["usage", { inputTokens: 1, outputTokens: 2, cost: 0.5 }],
        ["session", { action: "delete" }],
        ["session", { action: "restore" }],
      ]);
    });

    test("tell nothing of what was refused or had happened before", async () => {
      const { messages, heard } = await conversation();
      await messages.appendMessage(user("q1"));
      heard.length = 0;
      await messages.appendMessage(user("q1"));
      await expect(messages.appendMessage(user("q2"), "nowhere")).rejects.toThrow();
      await expect(messages.updateMessage(user("nowhere"))).rejects.toThrow();
      await expect(messages.restoreMessages("nowhere")).rejects.toThrow();
      expect(heard).toEqual([]);
    });

    test("are heard in a session whoever writes, until one stops listening", async () => {
      const { store, messages } = await conversation();
      await store.sessions.create("B", { id: "b" });
      const session = Session.create(store).forSession("a");
      const heard: string[] = [];
      const stop = session.on("append", ({ messageId }) => void heard.push(messageId));
      await messages.appendMessage(user("q1"));
      await Session.create(store).forSession("a").appendMessage(assistant("a1"));
      await store.messages("b").appendMessage(user("elsewhere"));
      stop();
      await messages.appendMessage(user("q2"));
      expect(heard).toEqual(["q1", "a1"]);
    });

    test("are heard in a manager for all its sessions", async () => {
      const { store, messages } = await conversation();
      const manager = SessionManager.create(store);
      const heard: unknown[] = [];
      manager.on("append", ({ sessionId, messageId }) => void heard.push([sessionId, messageId]));
      await messages.appendMessage(user("q1"));
      const { id } = await manager.create("B");
      await manager.append(id, user("q1"));
      expect(heard).toEqual([
        ["a", "q1"],
        [id, "q1"],
      ]);
    });

    test("a listener that fails breaks no write and is reported, and the others hear all the same", async () => {
      const { store } = await conversation();
      const errors: unknown[] = [];
      const session = Session.create(store)
        .forSession("a")
        .onListenerError((error) => errors.push(error));
      const heard: string[] = [];
      session.on("append", () => {
        throw new Error("sync");
      });
      session.on("append", async () => Promise.reject(new Error("async")));
      session.on("append", ({ messageId }) => void heard.push(messageId));
      expect((await session.appendMessage(user("q1"))).inserted).toBe(true);
      await expect.poll(() => errors).toMatchObject([{ message: "sync" }, { message: "async" }]);
      expect(heard).toEqual(["q1"]);
    });

    test("tell what each call has saved, once for all it wrote, and what is loaded", async () => {
      const { store, heard } = await conversation();
      const session = Session.create(store)
        .forSession("a")
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
      const block = { blockId: "memory", label: "memory" };
      const isOfSession = ({ type }: SessionEvent) =>
        ["save", "load", "block-write", "compact"].includes(type);
      expect(told(heard.filter(isOfSession))).toEqual([
        ["compact", { compactionId: summary?.id, action: "add" }],
        ["save", { messageIds: ["q1", "a1", "q2"] }],
        ["save", { messageIds: ["q2"] }],
        ["block-write", { ...block, action: "replace", author: "person" }],
        ["save", { messageIds: [] }],
        ["load", { messageCount: 3 }],
      ]);
    });
  });
}

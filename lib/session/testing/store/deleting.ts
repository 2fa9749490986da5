import { describe, expect, test } from "vitest";
import {
  DeletionConflictError,
  SessionExistsError,
  SessionExpiredError,
  SessionNotFoundError,
} from "../../errors";
import { appendNumbered, assistant, ids, user } from "../builders";
import { listed, type MakeStore, nextMillisecond } from "./make-store";

export function deletingGuarantees(make: MakeStore): void {
  describe("a session that is deleted or expires", () => {
    test("is hidden when deleted and restored completely", async () => {
      const store = await make();
      await store.sessions.create("A", { id: "a" });
      await store.messages("a").appendMessage(user("q1", "apples"));
      await store.sessions.delete("a");
      expect(await store.sessions.get("a")).toBeNull();
      expect(await listed(store)).toEqual([]);
      expect(await store.sessions.search("apples")).toEqual([]);
      await expect(store.messages("a").appendMessage(user("q2"))).rejects.toThrow(
        SessionNotFoundError,
      );
      await expect(store.sessions.create("A", { id: "a" })).rejects.toThrow(SessionExistsError);
      await store.sessions.restore("a");
      expect(ids(await store.messages("a").getHistory())).toEqual(["q1"]);
      expect(await listed(store)).toEqual(["a"]);
    });

    test("keeps its place when restored, and expires only after it is used again", async () => {
      const store = await make();
      for (const id of ["a", "b"]) await store.sessions.create(id, { id });
      const before = await store.sessions.get("a");
      await store.sessions.delete("a");
      expect(await store.sessions.restore("a")).toMatchObject({ updatedAt: before?.updatedAt });
      expect(await listed(store)).toEqual(["b", "a"]);
      // Every session has been idle for more than minus one minute.
      expect(await store.sessions.expire(-60_000)).toEqual(["b"]);
      await store.messages("a").appendMessage(user("q1"));
      expect(await store.sessions.expire(-60_000)).toEqual(["a"]);
    });

    test("is deleted once, and says whether there was one", async () => {
      const { sessions } = await make();
      await sessions.create("A", { id: "a" });
      expect(await sessions.delete("a")).toBe(true);
      expect(await sessions.delete("a")).toBe(false);
      expect(await sessions.delete("nowhere", { permanently: true })).toBe(false);
    });

    test("is restored from the deletion that is named, not from a later one", async () => {
      const { sessions } = await make();
      await sessions.create("A", { id: "a" });
      await sessions.delete("a", { deletionId: "d" });
      await sessions.restore("a", "d");
      await sessions.delete("a", { deletionId: "e" });
      await expect(sessions.restore("a", "d")).rejects.toThrow(SessionNotFoundError);
      expect(await sessions.restore("a", "e")).toMatchObject({ id: "a", changed: true });
      expect(await sessions.restore("a", "e")).toMatchObject({ changed: false });
    });

    test("is deleted once for each id of a client, also after it was restored", async () => {
      const { sessions } = await make();
      await sessions.create("A", { id: "a" });
      await sessions.create("B", { id: "b" });
      expect(await sessions.delete("a", { deletionId: "d" })).toBe(true);
      expect(await sessions.delete("a", { deletionId: "d" })).toBe(false);
      expect(await sessions.delete("a", { deletionId: "e" })).toBe(false);
      await sessions.restore("a");
      expect(await sessions.delete("a", { deletionId: "d" })).toBe(false);
      expect(await sessions.delete("a", { deletionId: "e" })).toBe(false);
      expect(await sessions.get("a")).not.toBeNull();
      await expect(sessions.delete("b", { deletionId: "d" })).rejects.toThrow(
        DeletionConflictError,
      );
      expect(await sessions.delete("a", { deletionId: "f" })).toBe(true);
    });

    test("leaves its id free when it is deleted permanently, and nothing of it behind", async () => {
      const store = await make();
      const { sessions } = store;
      await sessions.create("A", { id: "a", tags: ["old"] });
      await appendNumbered(store.messages("a"), 3);
      await store.block({ label: "memory", sessionId: "a" }).set("old");
      await store.promptCache("a").set("old");
      expect(await sessions.delete("a", { permanently: true })).toBe(true);
      await expect(sessions.restore("a")).rejects.toThrow(SessionNotFoundError);
      expect(await sessions.create("B", { id: "a" })).toMatchObject({
        changed: true,
        name: "B",
        tags: [],
        messageCount: 0,
      });
      expect(await store.messages("a").getHistory()).toEqual([]);
      expect(await store.block({ label: "memory", sessionId: "a" }).get()).toBeNull();
      expect(await store.promptCache("a").get()).toBeNull();
      expect(await sessions.search("m1")).toEqual([]);
    });

    test("leaves forks and children whole when it is deleted permanently", async () => {
      const store = await make();
      const { sessions } = store;
      await sessions.create("Root", { id: "root" });
      await sessions.create("A", { id: "a", parentSessionId: "root" });
      await appendNumbered(store.messages("a"), 3);
      await sessions.fork("a", "m2", "Fork", { id: "fork" });
      await sessions.create("Child", { id: "child", parentSessionId: "a" });
      await sessions.delete("a");
      await sessions.delete("a", { permanently: true });
      expect(ids(await store.messages("fork").getHistory())).toEqual(["m1", "m2"]);
      expect(await listed(store, { parentSessionId: "root" })).toEqual(["child", "fork"]);
      await sessions.create("Another", { id: "a" });
      expect(await listed(store, { parentSessionId: "a" })).toEqual([]);
    });

    test("is purged some time after it was deleted, and stays restorable until then", async () => {
      const { sessions } = await make();
      for (const id of ["a", "b"]) await sessions.create(id, { id });
      await sessions.delete("a");
      expect(await sessions.purge(60_000)).toEqual([]);
      await sessions.restore("a");
      await sessions.delete("a");
      expect(await sessions.purge(-60_000)).toEqual(["a"]);
      await expect(sessions.restore("a")).rejects.toThrow(SessionNotFoundError);
      expect(await sessions.get("b")).not.toBeNull();
    });

    test("takes neither reads nor writes once it has expired", async () => {
      const store = await make();
      const { sessions } = store;
      await sessions.create("A", { id: "a", tags: ["t"] });
      const messages = store.messages("a");
      await appendNumbered(messages, 2);
      await messages.addCompaction("S", "m1", "m1");
      const block = store.block({ label: "memory", sessionId: "a" });
      await block.set("old");
      await store.promptCache("a").set("old");
      await sessions.update("a", { expiresAfterMs: -1 });
      for (const attempt of [
        () => messages.getHistory(),
        () => messages.getMessage("m1"),
        () => messages.getLatestLeaf(),
        () => messages.getBranches("m1"),
        () => messages.getSiblings("m1"),
        () => messages.getRoots(),
        () => messages.getLeaves(),
        () => messages.getTree(),
        () => messages.getWindow(),
        () => messages.getRecentHistory(1_000),
        () => messages.getPathLength(),
        () => messages.getLeafUnder("m1"),
        () => messages.getCompactions(),
        () => messages.getLoadedSkills(),
        () => messages.searchMessages("m1"),
        () => messages.appendMessage(user("q3")),
        () => messages.appendMessages([user("q3")]),
        () => messages.follow([user("q3")]),
        () => messages.follow([user("m1")]),
        () => messages.follow([]),
        () => messages.stepBack(1),
        () => messages.stepBack(0),
        () => messages.continueAfter("m2", [user("q3")], { expectedLeafId: "m2" }),
        () => messages.continueAfter("m1", [], { expectedLeafId: "m2" }),
        () => messages.continueAfter("m1", [], { expectedLeafId: "elsewhere" }),
        () => messages.updateMessage(user("m1", "x")),
        () => messages.deleteMessages(["m1"]),
        () => messages.clearMessages(),
        () => messages.setActiveLeaf("m1"),
        () => messages.setPinned("m1", true),
        () => messages.addCompaction("T", "m1", "m2"),
        () => block.get(),
        () => block.set("new"),
        () => store.writeBlocks([{ block: { label: "memory", sessionId: "a" }, content: "new" }]),
        () => store.writeBlocks([{ block: { label: "fresh", sessionId: "a" }, content: "new" }]),
        () => store.block({ label: "fresh", sessionId: "a" }).get(),
        () => store.block({ label: "fresh", sessionId: "a" }).set("new"),
        () => store.promptCache("a").get(),
        () => store.promptCache("a").set("new"),
        () => sessions.update("a", { name: "B" }),
        () => sessions.addUsage("a", { inputTokens: 1, outputTokens: 1, cost: 1 }),
        () => sessions.fork("a", "m1", "Fork"),
        () => sessions.export("a"),
        () => sessions.create("A", { id: "a" }),
      ]) {
        await expect((async () => attempt())(), String(attempt)).rejects.toThrow(
          SessionExpiredError,
        );
      }
      expect(await sessions.get("a")).toBeNull();
      expect(await listed(store)).toEqual([]);
      expect(await sessions.search("m1")).toEqual([]);
    });

    test("is removed by a purge once it has expired, and its id is free", async () => {
      const store = await make();
      const { sessions } = store;
      await sessions.create("A", { id: "a", expiresAfterMs: 60_000 });
      await appendNumbered(store.messages("a"), 2);
      await sessions.fork("a", "m1", "Fork", { id: "fork" });
      await sessions.update("a", { expiresAfterMs: -1 });
      expect(await sessions.purge(60_000)).toEqual([]);
      expect(await sessions.purge(0)).toEqual(["a"]);
      expect((await sessions.create("B", { id: "a" })).changed).toBe(true);
      expect(await store.messages("a").getHistory()).toEqual([]);
      expect(ids(await store.messages("fork").getHistory())).toEqual(["m1"]);
    });

    test("expires later after each write, and never after being told so", async () => {
      const store = await make();
      const { sessions } = store;
      await sessions.create("A", { id: "a", expiresAfterMs: 60_000 });
      const messages = store.messages("a");
      await messages.appendMessage(user("q1"));
      const expiry = async () => (await sessions.get("a"))?.expiresAt?.getTime() ?? 0;
      const block = { label: "memory", sessionId: "a" };
      for (const write of [
        () => messages.appendMessage(assistant("a1")),
        () => messages.setPinned("q1", true),
        () => messages.setActiveLeaf("q1"),
        () => messages.continueAfter("a1", [], { expectedLeafId: "q1" }),
        () => messages.stepBack(1),
        () => messages.follow([user("q1"), assistant("a1")]),
        () => sessions.update("a", { name: "B" }),
        () => sessions.addUsage("a", { inputTokens: 1, outputTokens: 1, cost: 1 }),
        () => store.block(block).set("x"),
        () => store.writeBlocks([{ block, content: "y" }]),
        () => store.promptCache("a").set("prompt"),
      ]) {
        const before = await expiry();
        await nextMillisecond();
        await write();
        expect(await expiry(), String(write)).toBeGreaterThan(before);
      }
      const before = await expiry();
      await nextMillisecond();
      await messages.getHistory();
      await messages.follow([user("q1"), assistant("a1")]);
      await messages.continueAfter("q1", [user("q2")], { expectedLeafId: "elsewhere" });
      expect(await expiry()).toBe(before);
      expect(await sessions.update("a", { expiresAfterMs: null })).toMatchObject({
        expiresAfterMs: null,
        expiresAt: null,
      });
    });

    test("lists no forks once it is deleted or has expired", async () => {
      const store = await make();
      const { sessions } = store;
      await sessions.create("A", { id: "a" });
      await appendNumbered(store.messages("a"), 1);
      await sessions.fork("a", "m1", "Fork");
      await sessions.delete("a");
      await expect(sessions.forks("a")).rejects.toThrow(SessionNotFoundError);
      await sessions.restore("a");
      expect(await sessions.forks("a")).toHaveLength(1);
      await sessions.update("a", { expiresAfterMs: -1 });
      await expect(sessions.forks("a")).rejects.toThrow(SessionExpiredError);
    });
  });
}

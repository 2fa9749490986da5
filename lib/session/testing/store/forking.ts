import { describe, expect, test } from "vitest";
import { MessageNotFoundError, SessionExistsError } from "../../errors";
import type { SessionStore } from "../../session-store";
import { appendNumbered, assistant, ids, toolCall, user } from "../builders";
import type { MakeStore } from "./make-store";

export function forkingGuarantees(make: MakeStore): void {
  async function source(count: number): Promise<SessionStore> {
    const store = await make();
    await store.sessions.create("Source", { id: "source", model: "m", source: "web" });
    await appendNumbered(store.messages("source"), count);
    return store;
  }

  const historyOf = async (store: SessionStore, id: string, leafId?: string) =>
    ids(await store.messages(id).getHistory(leafId));

  describe("a fork", () => {
    test("starts with the path to its message, ids included, and records its origin", async () => {
      const store = await source(5);
      const info = await store.sessions.fork("source", "m3", "Fork", { id: "fork" });
      expect(info).toMatchObject({
        id: "fork",
        name: "Fork",
        parentSessionId: "source",
        forkedAtMessageId: "m3",
        model: "m",
        messageCount: 3,
        inputTokens: 0,
      });
      expect(await historyOf(store, "fork")).toEqual(["m1", "m2", "m3"]);
      expect((await store.messages("fork").getLatestLeaf())?.id).toBe("m3");
      expect(await store.messages("fork").getMessage("m4")).toBeNull();
      expect(await store.messages("fork").getBranches("m3")).toEqual([]);
      expect(ids(await store.sessions.forks("source"))).toEqual(["fork"]);
    });

    test("starts with the tags and metadata of its source, which then change apart", async () => {
      const store = await make();
      const about = { tags: ["t"], metadata: { mood: "calm" } };
      await store.sessions.create("Source", { id: "source", ...about });
      await appendNumbered(store.messages("source"), 1);
      const fork = await store.sessions.fork("source", "m1", "Fork", { id: "fork" });
      expect(fork).toMatchObject(about);
      await store.sessions.update("source", { tags: [], metadata: { mood: "wild" } });
      expect(await store.sessions.get("fork")).toMatchObject(about);
    });

    test("takes along the skills that were loaded before the first message", async () => {
      const store = await make();
      await store.sessions.create("Source", { id: "source" });
      const guide = { label: "skills", key: "guide" };
      await store.messages("source").recordSkillEvent(guide, "load");
      await appendNumbered(store.messages("source"), 1);
      await store.sessions.fork("source", "m1", "Fork", { id: "fork" });
      await store.messages("source").recordSkillEvent(guide, "unload");
      expect(await store.messages("fork").getLoadedSkills()).toEqual([guide]);
    });

    test("is made once when asked twice with one id", async () => {
      const store = await source(3);
      await store.sessions.fork("source", "m2", "Fork", { id: "fork" });
      await store.messages("fork").appendMessage(user("f3"));
      const again = await store.sessions.fork("source", "m2", "Again", { id: "fork" });
      expect(again).toMatchObject({ name: "Fork", messageCount: 3 });
      await expect(store.sessions.fork("source", "m3", "Other", { id: "fork" })).rejects.toThrow(
        SessionExistsError,
      );
    });

    test("needs a message of its source", async () => {
      const store = await source(2);
      await store.messages("source").deleteMessages(["m2"]);
      for (const id of ["nowhere", "m2"]) {
        await expect(store.sessions.fork("source", id, "Fork")).rejects.toThrow(
          MessageNotFoundError,
        );
      }
      expect((await store.sessions.list()).sessions).toHaveLength(1);
    });

    test("diverges from its source, with equal ids on both sides", async () => {
      const store = await source(3);
      await store.sessions.fork("source", "m3", "Fork", { id: "fork" });
      await store.messages("fork").appendMessage(assistant("next", "in the fork"));
      await store.messages("source").appendMessage(assistant("next", "in the source"));
      expect((await store.messages("fork").getMessage("next"))?.parts[0]?.text).toBe("in the fork");
      expect(await historyOf(store, "fork")).toEqual(["m1", "m2", "m3", "next"]);
      expect(await historyOf(store, "source")).toEqual(["m1", "m2", "m3", "next"]);
      expect((await store.messages("source").getMessage("next"))?.parts[0]?.text).toBe(
        "in the source",
      );
    });

    test("never changes when its source does", async () => {
      const store = await source(6);
      await store.messages("source").addCompaction("S", "m2", "m3");
      await store.sessions.fork("source", "m4", "Fork", { id: "fork" });
      const fork = store.messages("fork");
      const before = [await fork.getHistory(), await fork.getTree(), await fork.getCompactions()];
      const original = store.messages("source");
      await original.updateMessage(user("m1", "changed"));
      await original.deleteMessages(["m2", "m4"]);
      await original.setPinned("m3", true);
      await original.setLabel("m3", "in the source");
      await original.appendMessage(assistant("b2"), "m1");
      for (const { id } of await original.getCompactions()) await original.removeCompaction(id);
      await original.addCompaction("other", "m1", "m3");
      const now = async () => [
        await fork.getHistory(),
        await fork.getTree(),
        await fork.getCompactions(),
      ];
      expect(await now()).toEqual(before);
      await original.clearMessages();
      expect(await now()).toEqual(before);
      await store.sessions.delete("source");
      expect(await now()).toEqual(before);
      expect((await store.sessions.get("fork"))?.messageCount).toBe(4);
    });

    test("never changes its source", async () => {
      const store = await source(5);
      const original = store.messages("source");
      const { id } = await original.addCompaction("S", "m2", "m3");
      const before = [
        await original.getHistory(),
        await original.getTree(),
        await original.getCompactions(),
      ];
      await store.sessions.fork("source", "m4", "Fork", { id: "fork" });
      const fork = store.messages("fork");
      await fork.updateMessage(user("m1", "changed"));
      await fork.setPinned("m3", true);
      await fork.setLabel("m3", "in the fork");
      await fork.updateCompaction(id, "rewritten");
      await fork.removeCompaction(id);
      await fork.appendMessage(assistant("b2"), "m1");
      await fork.deleteMessages(["m2", "m4"]);
      expect(await historyOf(store, "fork")).toEqual(["m1", "b2"]);
      expect(await historyOf(store, "fork", "m3")).toEqual(["m1", "m3"]);
      await fork.clearMessages();
      await store.sessions.delete("fork");
      expect([
        await original.getHistory(),
        await original.getTree(),
        await original.getCompactions(),
      ]).toEqual(before);
    });

    test("keeps the labels of its path, which then change apart", async () => {
      const store = await source(4);
      const original = store.messages("source");
      await original.setLabel("m2", "start");
      await original.setLabel("m4", "beyond");
      await store.sessions.fork("source", "m3", "Fork", { id: "fork" });
      const labels = async (id: string) =>
        (await store.messages(id).getTree()).map(({ label }) => label);
      expect(await labels("fork")).toEqual([null, "start", null]);
      await store.messages("fork").setLabel("m2", "mine");
      await original.setLabel("m1", "first");
      expect(await labels("fork")).toEqual([null, "mine", null]);
      expect(await labels("source")).toEqual(["first", "start", null, "beyond"]);
    });

    test("keeps summaries, pins and loaded skills of its path", async () => {
      const store = await source(6);
      const original = store.messages("source");
      const load = toolCall("load_context", { label: "skills", key: "guide" }, "text");
      await original.appendMessage(assistant("m7", "m7", load));
      await original.setPinned("m3", true);
      await original.addCompaction("S", "m2", "m4");
      await original.appendMessage(user("m8"));
      await original.addCompaction("beyond", "m6", "m8");
      await store.sessions.fork("source", "m7", "Fork", { id: "fork" });
      const fork = store.messages("fork");
      expect((await fork.getHistory()).map(({ parts }) => parts[0]?.text)).toEqual([
        "m1",
        "S",
        "m3",
        "m5",
        "m6",
        "m7",
      ]);
      expect(await fork.getLoadedSkills()).toEqual([{ label: "skills", key: "guide" }]);
      expect((await fork.getCompactions()).map(({ summary }) => summary)).toEqual(["S"]);
    });

    test("leaves side branches behind unless asked", async () => {
      const store = await source(5);
      const original = store.messages("source");
      await original.appendMessage(user("b3"), "m2");
      await original.appendMessage(assistant("b4"), "b3");
      await store.sessions.fork("source", "m4", "Bare", { id: "bare" });
      await store.sessions.fork("source", "m4", "Full", { id: "full", withSideBranches: true });
      expect(ids(await store.messages("bare").getBranches("m2"))).toEqual(["m3"]);
      expect(ids(await store.messages("full").getBranches("m2"))).toEqual(["m3", "b3"]);
      expect(await historyOf(store, "full")).toEqual(["m1", "m2", "m3", "m4"]);
      expect(await historyOf(store, "full", "b4")).toEqual(["m1", "m2", "b3", "b4"]);
      expect(await store.messages("full").getMessage("m5")).toBeNull();
    });

    test("can be forked again", async () => {
      const store = await source(4);
      await store.sessions.fork("source", "m3", "One", { id: "one" });
      await store.messages("one").appendMessage(assistant("x4"));
      await store.sessions.fork("one", "x4", "Two", { id: "two" });
      await store.sessions.fork("one", "m2", "Three", { id: "three" });
      await store.messages("two").appendMessage(user("y5"));
      await store.messages("three").appendMessage(user("z3"));
      await store.sessions.delete("one");
      await store.sessions.delete("source");
      expect(await historyOf(store, "two")).toEqual(["m1", "m2", "m3", "x4", "y5"]);
      expect(await historyOf(store, "three")).toEqual(["m1", "m2", "z3"]);
    });

    test("of a fork of a fork shows each message once after the first fork changes one", async () => {
      const store = await source(1);
      await store.sessions.fork("source", "m1", "One", { id: "one" });
      await store.messages("one").appendMessage(assistant("x2"), "m1");
      await store.sessions.fork("one", "x2", "Two", { id: "two" });
      await store.messages("two").appendMessage(assistant("y2"), "m1");
      await store.sessions.fork("two", "y2", "Three", { id: "three" });
      const three = store.messages("three");
      await three.appendMessage(assistant("z2"), "m1");
      const before = await three.getTree();
      await store.messages("one").setPinned("m1", true);
      expect(await three.getTree()).toEqual(before);
      expect(ids(await three.getBranches("m1"))).toEqual(["y2", "z2"]);
    });

    test("with side branches shows each message once after its source changes one", async () => {
      const store = await source(1);
      await store.sessions.fork("source", "m1", "One", { id: "one" });
      await store.messages("one").appendMessage(assistant("x2"), "m1");
      await store.sessions.fork("one", "x2", "Two", { id: "two" });
      await store.messages("two").appendMessage(assistant("y2"), "m1");
      await store.sessions.fork("two", "y2", "Three", { id: "three", withSideBranches: true });
      const before = await store.messages("three").getTree();
      await store.messages("two").setPinned("m1", true);
      expect(await store.messages("three").getTree()).toEqual(before);
      expect(ids(await store.messages("three").getBranches("m1"))).toEqual(["x2", "y2"]);
    });

    test("with side branches of a fork's fork shows each message once after the first source changes one", async () => {
      const store = await source(1);
      for (const id of ["a", "b", "c"])
        await store.messages("source").appendMessage(assistant(id), "m1");
      const withSideBranches = true;
      await store.sessions.fork("source", "a", "One", { id: "one", withSideBranches });
      await store.messages("one").appendMessage(user("x3"));
      await store.sessions.fork("one", "c", "Two", { id: "two", withSideBranches });
      await store.messages("two").appendMessage(user("y3"), "c");
      await store.sessions.fork("two", "a", "Three", { id: "three", withSideBranches });
      const before = await store.messages("three").getTree();
      await store.messages("source").setPinned("m1", true);
      expect(await store.messages("three").getTree()).toEqual(before);
    });

    test("searches shared messages, which are found once across sessions", async () => {
      const store = await make();
      await store.sessions.create("Source", { id: "source" });
      await store.messages("source").appendMessage(user("q1", "apples"));
      await store.sessions.fork("source", "q1", "Fork", { id: "fork" });
      expect(ids(await store.messages("fork").searchMessages("apples"))).toEqual(["q1"]);
      const hits = await store.sessions.search("apples");
      expect(hits.map(({ sessionId, id }) => [sessionId, id])).toEqual([["source", "q1"]]);
    });

    test("starts with its source's own blocks, which then change apart", async () => {
      const store = await source(1);
      const block = (sessionId: string) => store.block({ label: "todos", sessionId });
      await block("source").set("write");
      await store.sessions.fork("source", "m1", "Fork", { id: "fork" });
      expect(await block("fork").get()).toBe("write");
      await block("fork").set("read");
      expect(await block("source").get()).toBe("write");
    });
  });
}

import { describe, expect, test } from "vitest";
import { InvalidArgumentError, MessageConflictError, MessageNotFoundError } from "../../errors";
import { appendChain, appendNumbered, assistant, ids, user } from "../builders";
import type { MakeProvider } from "./make-provider";

export function navigatingGuarantees(make: MakeProvider): void {
  describe("the active leaf", () => {
    test("stays with activate false", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      await provider.appendMessage(assistant("background"), "m1", { activate: false });
      expect((await provider.getLatestLeaf())?.id).toBe("m3");
      expect(ids(await provider.getBranches("m1"))).toEqual(["m2", "background"]);
    });

    test("follows only work on the branch it is on", async () => {
      const provider = await make();
      await provider.appendMessage(user("m1"), null, { activate: "follow" });
      await provider.appendMessage(assistant("m2"), "m1", { activate: "follow" });
      expect((await provider.getLatestLeaf())?.id).toBe("m2");
      await provider.appendMessage(assistant("late"), "m1", { activate: "follow" });
      expect((await provider.getLatestLeaf())?.id).toBe("m2");
    });

    test("can be any message, also an interior one, and new messages continue there", async () => {
      const provider = await make();
      await appendNumbered(provider, 4);
      await provider.setActiveLeaf("m2");
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2"]);
      const { parentId } = await provider.appendMessage(user("side"));
      expect(parentId).toBe("m2");
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "side"]);
    });

    test("cannot be an unknown or deleted message", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      await provider.deleteMessages(["m2"]);
      await expect(provider.setActiveLeaf("nowhere")).rejects.toThrow(MessageNotFoundError);
      await expect(provider.setActiveLeaf("m2")).rejects.toThrow(MessageNotFoundError);
    });
  });

  describe("stepping back", () => {
    test("moves the active leaf and returns the messages it passed, root-most first", async () => {
      const provider = await make();
      await appendNumbered(provider, 4);
      const history = await provider.getHistory();
      expect(await provider.stepBack(2)).toEqual({ passed: history.slice(2), leafId: "m2" });
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2"]);
      const { parentId } = await provider.appendMessage(user("side"));
      expect(parentId).toBe("m2");
      expect(ids(await provider.getHistory("m4"))).toEqual(["m1", "m2", "m3", "m4"]);
    });

    test("is undone by activating the last message it passed", async () => {
      const provider = await make();
      await appendNumbered(provider, 4);
      const { passed } = await provider.stepBack(3);
      await provider.setActiveLeaf(passed.at(-1)?.id ?? "");
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "m3", "m4"]);
    });

    test("goes before the first message, where the next one becomes a root", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      const { passed, leafId } = await provider.stepBack(Number.POSITIVE_INFINITY);
      expect([ids(passed), leafId]).toEqual([["m1", "m2"], null]);
      expect(await provider.getLatestLeaf()).toBeNull();
      expect(await provider.getHistory()).toEqual([]);
      expect(await provider.getPathLength()).toBe(0);
      expect(await provider.getWindow()).toEqual({ entries: [], leafId: null, hasMore: false });
      expect(await provider.stepBack(1)).toEqual({ passed: [], leafId: null });
      await provider.appendMessage(assistant("late"), "m2", { activate: "follow" });
      expect(await provider.getLatestLeaf()).toBeNull();
      expect((await provider.appendMessage(user("again"))).parentId).toBeNull();
      expect(ids(await provider.getRoots())).toEqual(["m1", "again"]);
      expect(ids(await provider.getHistory())).toEqual(["again"]);
    });

    test("counts stored messages, not deleted ones or summaries", async () => {
      const provider = await make();
      await appendNumbered(provider, 6);
      await provider.addCompaction("S", "m1", "m4");
      await provider.deleteMessages(["m5"]);
      const { passed, leafId } = await provider.stepBack(2);
      expect([ids(passed), leafId]).toEqual([["m4", "m6"], "m3"]);
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "m3"]);
    });

    test("crosses the starts of branches", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      await appendChain(provider, [user("b3"), user("b4")], "m2");
      const { passed, leafId } = await provider.stepBack(3);
      expect([ids(passed), leafId]).toEqual([["m2", "b3", "b4"], "m1"]);
    });

    test("takes turns with other calls, each passing messages of its own", async () => {
      const provider = await make();
      await appendNumbered(provider, 10);
      const steps = await Promise.all([1, 2, 1, 3, 1].map((count) => provider.stepBack(count)));
      const passed = steps.flatMap((step) => ids(step.passed));
      expect(passed.toSorted()).toEqual(["m10", "m3", "m4", "m5", "m6", "m7", "m8", "m9"]);
      expect((await provider.getLatestLeaf())?.id).toBe("m2");
    });

    test("changes nothing for 0, and refuses what is no number of messages", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      expect(await provider.stepBack(0)).toEqual({ passed: [], leafId: "m2" });
      for (const count of [-1, 1.5, Number.NaN]) {
        await expect(provider.stepBack(count)).rejects.toThrow(InvalidArgumentError);
      }
      expect((await provider.getLatestLeaf())?.id).toBe("m2");
    });
  });

  describe("continuing after a message", () => {
    test("replaces the end of the active path, and deletes nothing", async () => {
      const provider = await make();
      await appendNumbered(provider, 4);
      const appended = await provider.continueAfter("m2", [user("b3"), assistant("b4")], {
        expectedLeafId: "m4",
      });
      expect(appended?.map(({ parentId }) => parentId)).toEqual(["m2", "b3"]);
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "b3", "b4"]);
      expect(ids(await provider.getHistory("m4"))).toEqual(["m1", "m2", "m3", "m4"]);
    });

    test("moves the active leaf for an empty list, also before the first message", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      expect(await provider.continueAfter("m1", [], { expectedLeafId: "m3" })).toEqual([]);
      expect((await provider.getLatestLeaf())?.id).toBe("m1");
      expect(await provider.continueAfter(null, [], { expectedLeafId: "m1" })).toEqual([]);
      expect(await provider.getHistory()).toEqual([]);
    });

    test("starts an empty session", async () => {
      const provider = await make();
      await provider.continueAfter(null, [user("m1")], { expectedLeafId: null });
      expect(ids(await provider.getHistory())).toEqual(["m1"]);
    });

    test("changes nothing when another leaf is active", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      const options = { expectedLeafId: "m2" };
      expect(await provider.continueAfter("m1", [user("b2")], options)).toBeNull();
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "m3"]);
      expect(await provider.getMessage("b2")).toBeNull();
    });

    test("succeeds once among several calls that expect the same leaf", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      const calls = [1, 2, 3, 4].map((n) =>
        provider.continueAfter("m2", [user(`b${n}`)], { expectedLeafId: "m3" }),
      );
      const done = (await Promise.all(calls)).filter((appended) => appended !== null);
      expect(done).toHaveLength(1);
      expect(await provider.getBranches("m2")).toHaveLength(2);
    });

    test("refuses an unknown message and an id that is taken", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      const options = { expectedLeafId: "m3" };
      const unknown = provider.continueAfter("nowhere", [user("b1")], options);
      await expect(unknown).rejects.toThrow(MessageNotFoundError);
      const taken = provider.continueAfter("m1", [user("b1"), assistant("m2")], options);
      await expect(taken).rejects.toThrow(MessageConflictError);
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "m3"]);
      expect(await provider.getMessage("b1")).toBeNull();
    });
  });

  describe("the leaf under a message", () => {
    test("is the one most recently appended", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      await provider.appendMessage(assistant("b2"), "m1");
      await provider.appendMessage(user("b3"), "b2");
      expect(await provider.getLeafUnder("m1")).toBe("b3");
      expect(await provider.getLeafUnder("m2")).toBe("m3");
      expect(await provider.getLeafUnder("b3")).toBe("b3");
      await provider.appendMessage(assistant("m4"), "m3", { activate: false });
      expect(await provider.getLeafUnder("m1")).toBe("m4");
    });

    test("is the one most recently activated, until another is appended", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      await provider.appendMessage(assistant("b2"), "m1");
      await provider.setActiveLeaf("m3");
      expect(await provider.getLeafUnder("m1")).toBe("m3");
      await provider.appendMessage(user("b3"), "b2");
      expect(await provider.getLeafUnder("m1")).toBe("b3");
    });

    test("is the one whose deleted end was used most recently", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      await provider.appendMessage(assistant("b2"), "m1");
      await provider.appendMessage(user("m3"), "m2");
      await provider.deleteMessages(["m3"]);
      expect(await provider.getLeafUnder("m1")).toBe("m2");
    });

    test("is the restored one, when the message above was used as a leaf meanwhile", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      await provider.appendMessage(assistant("b2"), "m1");
      const { deletionId } = await provider.deleteMessages(["m3"]);
      await provider.setActiveLeaf("m2");
      await provider.restoreMessages(deletionId);
      expect(await provider.getLeafUnder("m1")).toBe("m3");
    });

    test("is of several restored ones the one used most recently before", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      await provider.appendMessage(user("c3"), "m2");
      await provider.appendMessage(assistant("b2"), "m1");
      const { deletionId } = await provider.deleteMessages(["m3", "c3"]);
      await provider.setActiveLeaf("m2");
      await provider.restoreMessages(deletionId);
      expect(await provider.getLeafUnder("m1")).toBe("c3");
    });

    test("is no other one because a message above it was activated", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      await provider.appendMessage(assistant("b2"), "m1");
      await provider.setActiveLeaf("m2");
      expect(await provider.getLeafUnder("m1")).toBe("b2");
    });

    test("is unchanged by a repeated append", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      await provider.appendMessage(assistant("b2"), "m1");
      await provider.appendMessage(user("m3"), "m2");
      expect(await provider.getLeafUnder("m1")).toBe("b2");
    });

    test("has no replies, also when the newest branch below the message was deleted", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      await provider.appendMessage(assistant("b2"), "m1");
      await provider.appendMessage(assistant("c2"), "m1");
      await provider.deleteMessages(["c2"]);
      expect(await provider.getLeafUnder("m1")).toBe("b2");
    });

    test("of an unknown message does not exist", async () => {
      const provider = await make();
      await expect(provider.getLeafUnder("nowhere")).rejects.toThrow(MessageNotFoundError);
    });
  });

  describe("the tree", () => {
    test("gives history to an interior message and nothing for an unknown one", async () => {
      const provider = await make();
      await appendNumbered(provider, 4);
      expect(ids(await provider.getHistory("m2"))).toEqual(["m1", "m2"]);
      expect(await provider.getPathLength("m2")).toBe(2);
      expect(await provider.getHistory("nowhere")).toEqual([]);
      expect(await provider.getPathLength("nowhere")).toBe(0);
      expect(await provider.getBranches("nowhere")).toEqual([]);
    });

    test("lists siblings, children, roots and leaves oldest first", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      await provider.appendMessage(assistant("b2"), "m1");
      await provider.appendMessage(assistant("c2"), "m1");
      await provider.appendMessage(user("b3"), "b2");
      await provider.appendMessage(user("root2"), null);
      expect(ids(await provider.getBranches("m1"))).toEqual(["m2", "b2", "c2"]);
      expect(ids(await provider.getSiblings("b2"))).toEqual(["m2", "b2", "c2"]);
      expect(ids(await provider.getSiblings("m1"))).toEqual(["m1", "root2"]);
      expect(ids(await provider.getRoots())).toEqual(["m1", "root2"]);
      expect(ids(await provider.getLeaves())).toEqual(["m2", "c2", "b3", "root2"]);
      await expect(provider.getSiblings("nowhere")).rejects.toThrow(MessageNotFoundError);
    });

    test("keeps branches of branches apart", async () => {
      const provider = await make();
      await appendNumbered(provider, 5);
      await appendChain(provider, [user("b3"), assistant("b4"), user("b5")], "m2");
      await appendChain(provider, [assistant("c4"), user("c5")], "b3");
      expect(ids(await provider.getHistory("m5"))).toEqual(["m1", "m2", "m3", "m4", "m5"]);
      expect(ids(await provider.getHistory("b5"))).toEqual(["m1", "m2", "b3", "b4", "b5"]);
      expect(ids(await provider.getHistory("c5"))).toEqual(["m1", "m2", "b3", "c4", "c5"]);
      expect(ids(await provider.getBranches("b3"))).toEqual(["b4", "c4"]);
    });

    test("lists every node without content, parents first", async () => {
      const provider = await make();
      await provider.appendMessage(user("m1", "Why  is\nthe sky blue?"));
      await provider.appendMessage(assistant("m2", "word ".repeat(100)));
      await provider.appendMessage(assistant("b2", "Scattering."), "m1");
      await provider.setPinned("b2", true);
      const nodes = await provider.getTree();
      expect(nodes.map(({ id, parentId, role, pinned }) => [id, parentId, role, pinned])).toEqual([
        ["m1", null, "user", false],
        ["m2", "m1", "assistant", false],
        ["b2", "m1", "assistant", true],
      ]);
      expect(nodes[0]?.preview).toBe("Why is the sky blue?");
      expect(nodes[1]?.preview.length).toBeLessThanOrEqual(120);
    });

    test("gives a message a label, in the tree and on every path through it", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      await provider.setLabel("m2", "  the good\nanswer ");
      expect((await provider.getTree()).map(({ label }) => label)).toEqual([
        null,
        "the good answer",
        null,
      ]);
      const { entries } = await provider.getWindow();
      expect(entries.map(({ label }) => label)).toEqual([null, "the good answer", null]);
      await provider.addCompaction("S", "m1", "m2");
      const [summary] = (await provider.getWindow()).entries;
      expect(summary?.label).toBeNull();
      await provider.updateMessage(assistant("m2", "rewritten"));
      expect((await provider.getTree())[1]?.label).toBe("the good answer");
      const { deletionId } = await provider.deleteMessages(["m2"]);
      await provider.restoreMessages(deletionId);
      expect((await provider.getTree())[1]?.label).toBe("the good answer");
      await provider.setLabel("m2", " ");
      expect((await provider.getTree())[1]?.label).toBeNull();
    });

    test("pins a message with its label, and unpins it with the label", async () => {
      const provider = await make();
      await appendNumbered(provider, 1);
      const marks = async () =>
        (await provider.getTree()).map(({ pinned, label }) => ({ pinned, label }));
      await provider.setLabel("m1", "start");
      expect(await marks()).toEqual([{ pinned: true, label: "start" }]);
      await provider.setPinned("m1", true);
      expect(await marks()).toEqual([{ pinned: true, label: "start" }]);
      await provider.setLabel("m1", null);
      expect(await marks()).toEqual([{ pinned: true, label: null }]);
      await provider.setLabel("m1", "again");
      await provider.setPinned("m1", false);
      expect(await marks()).toEqual([{ pinned: false, label: null }]);
      await provider.setLabel("m1", null);
      expect(await marks()).toEqual([{ pinned: false, label: null }]);
    });

    test("refuses a label that is too long, or for a message that is not there", async () => {
      const provider = await make();
      await appendNumbered(provider, 1);
      await provider.setLabel("m1", "🌳".repeat(80));
      await expect(provider.setLabel("m1", "x".repeat(81))).rejects.toThrow(InvalidArgumentError);
      expect((await provider.getTree())[0]?.label).toBe("🌳".repeat(80));
      await expect(provider.setLabel("nowhere", "x")).rejects.toThrow(MessageNotFoundError);
    });
  });
}

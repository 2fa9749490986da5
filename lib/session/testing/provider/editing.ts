import { describe, expect, test } from "vitest";
import {
  CompactionNotFoundError,
  DeletionConflictError,
  DeletionNotFoundError,
  MessageNotFoundError,
} from "../../errors";
import { appendChain, appendNumbered, assistant, ids, user } from "../builders";
import type { MakeProvider } from "./make-provider";

export function editingGuarantees(make: MakeProvider): void {
  describe("updating", () => {
    test("writes nothing when an update changes nothing", async () => {
      const provider = await make();
      const message = { ...user("m1"), metadata: { a: 1 } };
      await provider.appendMessage(message);
      expect(await provider.updateMessage(message)).toBe(false);
      expect(await provider.updateMessage({ ...message, metadata: { a: 2 } })).toBe(true);
      expect(await provider.updateMessage({ ...message, metadata: { a: 2 } })).toBe(false);
      expect(await provider.updateMessage(user("m1"))).toBe(true);
    });

    test("refuses in an empty session what it refuses in any other", async () => {
      const provider = await make();
      const unknown = [
        () => provider.updateMessage(user("x")),
        () => provider.setActiveLeaf("x"),
        () => provider.setPinned("x", true),
        () => provider.setLabel("x", "name"),
        () => provider.getLeafUnder("x"),
        () => provider.getSiblings("x"),
        () => provider.addCompaction("S", "x", "x"),
        () => provider.appendMessage(user("y"), "x"),
      ];
      for (const call of unknown) await expect(call()).rejects.toThrow(MessageNotFoundError);
      await expect(provider.restoreMessages("x")).rejects.toThrow(DeletionNotFoundError);
      const noSummary = [
        () => provider.removeCompaction("x"),
        () => provider.restoreCompaction("x"),
        () => provider.updateCompaction("x", "S"),
        () => provider.replaceCompaction("x", "S"),
      ];
      for (const call of noSummary) await expect(call()).rejects.toThrow(CompactionNotFoundError);
      expect((await provider.deleteMessages(["x"])).messageIds).toEqual([]);
      expect(await provider.stepBack(1)).toEqual({ passed: [], leafId: null });
      await provider.clearMessages();
      expect(await provider.getTree()).toEqual([]);
    });

    test("replaces parts and metadata and keeps place, role and time", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      const before = await provider.getMessage("m2");
      await provider.updateMessage({ ...assistant("m2", "new words"), metadata: { edited: true } });
      expect(await provider.getMessage("m2")).toEqual({
        ...before,
        parts: [{ type: "text", text: "new words" }],
        metadata: { edited: true },
      });
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "m3"]);
    });

    test("is found under its new words only", async () => {
      const provider = await make();
      await provider.appendMessage(user("m1", "apples"));
      await provider.updateMessage(user("m1", "oranges"));
      expect(ids(await provider.searchMessages("oranges"))).toEqual(["m1"]);
      expect(await provider.searchMessages("apples")).toEqual([]);
    });

    test("of an unknown or deleted message throws", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      await provider.deleteMessages(["m2"]);
      for (const id of ["nowhere", "m2"]) {
        await expect(provider.updateMessage(assistant(id, "x"))).rejects.toThrow(
          MessageNotFoundError,
        );
      }
    });
  });

  describe("deleting", () => {
    test("closes the path over a middle message", async () => {
      const provider = await make();
      await appendNumbered(provider, 5);
      const { messageIds } = await provider.deleteMessages(["m2", "m3", "m3", "unknown"]);
      expect(messageIds.toSorted()).toEqual(["m2", "m3"]);
      expect(ids(await provider.getHistory())).toEqual(["m1", "m4", "m5"]);
      expect(await provider.getPathLength()).toBe(3);
      expect(ids(await provider.getBranches("m1"))).toEqual(["m4"]);
      expect(await provider.getMessage("m2")).toBeNull();
      expect(await provider.getHistory("m2")).toEqual([]);
      expect((await provider.getTree()).find(({ id }) => id === "m4")?.parentId).toBe("m1");
    });

    test("moves what hung under it to the nearest surviving ancestor, in order of age", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      await provider.appendMessage(assistant("b2"), "m1");
      await provider.appendMessage(user("c3"), "m2");
      await provider.deleteMessages(["m2"]);
      expect(ids(await provider.getBranches("m1"))).toEqual(["m3", "b2", "c3"]);
      expect(ids(await provider.getSiblings("c3"))).toEqual(["m3", "b2", "c3"]);
      expect(ids(await provider.getHistory("c3"))).toEqual(["m1", "c3"]);
    });

    test("makes the children of a deleted root roots", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      await provider.appendMessage(assistant("b2"), "m1");
      await provider.deleteMessages(["m1"]);
      expect(ids(await provider.getRoots())).toEqual(["m2", "b2"]);
      expect(ids(await provider.getHistory("m3"))).toEqual(["m2", "m3"]);
    });

    test("of the active leaf continues at its nearest surviving ancestor", async () => {
      const provider = await make();
      await appendNumbered(provider, 4);
      await provider.deleteMessages(["m4", "m3"]);
      expect((await provider.getLatestLeaf())?.id).toBe("m2");
      const { parentId } = await provider.appendMessage(user("next"));
      expect(parentId).toBe("m2");
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "next"]);
    });

    test("of the active leaf continues under its nearest sibling, the older one first", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      for (const id of ["a", "b", "c"]) await provider.appendMessage(user(id), "m2");
      await provider.appendMessage(user("under-a"), "a");
      await provider.setActiveLeaf("b");
      await provider.deleteMessages(["b"]);
      expect((await provider.getLatestLeaf())?.id).toBe("under-a");
      await provider.deleteMessages(["under-a", "a"]);
      expect((await provider.getLatestLeaf())?.id).toBe("c");
      await provider.deleteMessages(["c"]);
      expect((await provider.getLatestLeaf())?.id).toBe("m2");
    });

    test("takes the place of what it deleted, not of what was deleted above", async () => {
      const provider = await make();
      await appendNumbered(provider, 1);
      await provider.appendMessage(user("gone"), "m1");
      await provider.appendMessage(user("a"), "gone");
      await provider.appendMessage(user("b"), "m1");
      await provider.appendMessage(user("c"), "gone");
      await provider.deleteMessages(["gone"]);
      expect(ids(await provider.getBranches("m1"))).toEqual(["a", "b", "c"]);
      await provider.deleteMessages(["c"]);
      expect((await provider.getLatestLeaf())?.id).toBe("b");
    });

    test("continues at the parent on request, though there are siblings", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      await provider.appendMessage(user("a"), "m2");
      await provider.appendMessage(user("b"), "m2");
      await provider.deleteMessages(["b"], { continueAt: "parent" });
      expect((await provider.getLatestLeaf())?.id).toBe("m2");
    });

    test("of a whole path continues at the newest leaf of another root, or nowhere", async () => {
      const provider = await make();
      await appendNumbered(provider, 2);
      await provider.appendMessage(user("root2"), null);
      await provider.deleteMessages(["root2"]);
      expect((await provider.getLatestLeaf())?.id).toBe("m2");
      await provider.deleteMessages(["m1", "m2"]);
      expect(await provider.getLatestLeaf()).toBeNull();
      const { parentId } = await provider.appendMessage(user("fresh"));
      expect(parentId).toBeNull();
      expect(ids(await provider.getHistory())).toEqual(["fresh"]);
    });

    test("is not found by searching any more", async () => {
      const provider = await make();
      await provider.appendMessage(user("m1", "apples"));
      await provider.deleteMessages(["m1"]);
      expect(await provider.searchMessages("apples")).toEqual([]);
    });
  });

  describe("undoing a deletion", () => {
    test("restores messages in place, the active leaf included", async () => {
      const provider = await make();
      await appendNumbered(provider, 5);
      await provider.appendMessage(user("b3"), "m2");
      await provider.setActiveLeaf("m5");
      const before = { history: await provider.getHistory(), tree: await provider.getTree() };
      const { deletionId } = await provider.deleteMessages(["m2", "m5"]);
      await provider.restoreMessages(deletionId);
      expect(await provider.getHistory()).toEqual(before.history);
      expect(await provider.getTree()).toEqual(before.tree);
    });

    test("does not move a leaf that became active since", async () => {
      const provider = await make();
      await appendNumbered(provider, 4);
      const { deletionId } = await provider.deleteMessages(["m3", "m4"]);
      await provider.appendMessage(user("since"));
      await provider.restoreMessages(deletionId);
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "since"]);
      expect(ids(await provider.getBranches("m2"))).toEqual(["m3", "since"]);
      expect(ids(await provider.getHistory("m4"))).toEqual(["m1", "m2", "m3", "m4"]);
    });

    test("leaves messages of other deletions deleted", async () => {
      const provider = await make();
      await appendNumbered(provider, 5);
      const first = await provider.deleteMessages(["m2"]);
      const second = await provider.deleteMessages(["m2", "m3", "m4"]);
      expect(second.messageIds.toSorted()).toEqual(["m3", "m4"]);
      await provider.restoreMessages(first.deletionId);
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "m5"]);
      await provider.restoreMessages(second.deletionId);
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "m3", "m4", "m5"]);
    });

    test("restores a root above the remaining messages", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      const { deletionId } = await provider.deleteMessages(["m1"]);
      await appendChain(provider, [user("m4"), assistant("m5")], "m3");
      await provider.restoreMessages(deletionId);
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "m3", "m4", "m5"]);
    });

    test("restores a deletion once, however often it is asked to", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      const { deletionId } = await provider.deleteMessages(["m2"]);
      expect(await provider.restoreMessages(deletionId)).toBe(true);
      const again = await provider.deleteMessages(["m2"]);
      expect(await provider.restoreMessages(deletionId)).toBe(false);
      expect(ids(await provider.getHistory())).toEqual(["m1", "m3"]);
      expect(await provider.restoreMessages(again.deletionId)).toBe(true);
      await expect(provider.restoreMessages(crypto.randomUUID())).rejects.toThrow(
        DeletionNotFoundError,
      );
    });

    test("is found by searching again", async () => {
      const provider = await make();
      await provider.appendMessage(user("m1", "apples"));
      const { deletionId } = await provider.deleteMessages(["m1"]);
      await provider.restoreMessages(deletionId);
      expect(ids(await provider.searchMessages("apples"))).toEqual(["m1"]);
    });
  });

  describe("a deletion with an id of its client", () => {
    test("is the same however often it is requested", async () => {
      const provider = await make();
      await appendNumbered(provider, 4);
      const first = await provider.deleteMessages(["m2", "m3"], { deletionId: "d" });
      expect(first).toEqual({ deletionId: "d", messageIds: ["m2", "m3"], changed: true });
      const again = await provider.deleteMessages(["m3", "m2"], { deletionId: "d" });
      expect(again).toEqual({ ...first, changed: false });
      expect(ids(await provider.getHistory())).toEqual(["m1", "m4"]);
    });

    test("deletes nothing again once it was restored", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      const first = await provider.deleteMessages(["m2"], { deletionId: "d" });
      await provider.restoreMessages("d");
      const late = await provider.deleteMessages(["m2"], { deletionId: "d" });
      expect(late).toEqual({ ...first, changed: false });
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "m3"]);
    });

    test("of messages that another one deleted is that other one", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      const first = await provider.deleteMessages(["m2", "m3"], { deletionId: "first" });
      const second = await provider.deleteMessages(["m3"], { deletionId: "second" });
      expect(second).toEqual({ ...first, changed: false });
      await provider.restoreMessages("second");
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "m3"]);
      await provider.deleteMessages(["m3"], { deletionId: "second" });
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "m3"]);
    });

    test("of unknown messages is empty", async () => {
      const provider = await make();
      await appendNumbered(provider, 1);
      const deletion = { deletionId: "d", messageIds: [], changed: false };
      expect(await provider.deleteMessages(["x"], { deletionId: "d" })).toEqual(deletion);
      expect(await provider.restoreMessages("d")).toBe(false);
    });

    test("is refused for other messages", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      await provider.deleteMessages(["m2"], { deletionId: "d" });
      await expect(provider.deleteMessages(["m3"], { deletionId: "d" })).rejects.toThrow(
        DeletionConflictError,
      );
      expect(ids(await provider.getHistory())).toEqual(["m1", "m3"]);
    });

    test("removes descendants when asked to, and is repeated by its first message", async () => {
      const provider = await make();
      await appendNumbered(provider, 4);
      await provider.appendMessage(user("b3"), "m2");
      const options = { deletionId: "d", withDescendants: true };
      const { messageIds } = await provider.deleteMessages(["m2"], options);
      expect(messageIds.toSorted()).toEqual(["b3", "m2", "m3", "m4"]);
      await provider.restoreMessages("d");
      await provider.appendMessage(user("since"), "m2");
      expect((await provider.deleteMessages(["m2"], options)).changed).toBe(false);
      expect(ids(await provider.getHistory())).toEqual(["m1", "m2", "since"]);
    });

    test("of concurrent requests happens once", async () => {
      const provider = await make();
      await appendNumbered(provider, 3);
      const all = await Promise.all(
        ["d", "d", "e", "f"].map((deletionId) => provider.deleteMessages(["m2"], { deletionId })),
      );
      expect(all.filter(({ changed }) => changed)).toHaveLength(1);
      expect(new Set(all.map(({ deletionId }) => deletionId)).size).toBe(1);
    });
  });

  describe("clearing", () => {
    test("empties messages, summaries and loaded skills", async () => {
      const provider = await make();
      await appendNumbered(provider, 4);
      await provider.addCompaction("summary", "m1", "m2");
      await provider.recordSkillEvent({ label: "skills", key: "a" }, "load");
      const { deletionId } = await provider.deleteMessages(["m4"]);
      await provider.clearMessages();
      expect(await provider.getHistory()).toEqual([]);
      expect(await provider.getLatestLeaf()).toBeNull();
      expect(await provider.getTree()).toEqual([]);
      expect(await provider.getCompactions()).toEqual([]);
      expect(await provider.getLoadedSkills()).toEqual([]);
      expect(await provider.searchMessages("m1")).toEqual([]);
      await expect(provider.restoreMessages(deletionId)).rejects.toThrow(DeletionNotFoundError);
      await provider.appendMessage(user("fresh"));
      expect(ids(await provider.getHistory())).toEqual(["fresh"]);
    });
  });
}

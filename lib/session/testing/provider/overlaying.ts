import { describe, expect, test } from "vitest";
import { CompactionNotFoundError, CompactionRangeError, MessageNotFoundError } from "../../errors";
import type { SessionTreeProvider } from "../../session-provider";
import { appendChain, appendNumbered, assistant, ids, user } from "../builders";
import type { MakeProvider } from "./make-provider";

/** The history with summaries as `[text]`. */
async function shown(provider: SessionTreeProvider, leafId?: string): Promise<string[]> {
  const history = await provider.getHistory(leafId);
  return history.map(({ id, parts }) =>
    id.startsWith("compaction_") ? `[${parts[0]?.text}]` : id,
  );
}

export function overlayingGuarantees(make: MakeProvider): void {
  async function numbered(count: number): Promise<SessionTreeProvider> {
    const provider = await make();
    await appendNumbered(provider, count);
    return provider;
  }

  describe("a compaction", () => {
    test("shows one synthetic message in place of its range", async () => {
      const provider = await numbered(6);
      const compaction = await provider.addCompaction("S", "m2", "m4", { tokensBefore: 9 });
      expect(compaction).toMatchObject({
        summary: "S",
        fromMessageId: "m2",
        toMessageId: "m4",
        metadata: { tokensBefore: 9 },
      });
      const history = await provider.getHistory();
      expect(ids(history)).toEqual(["m1", `compaction_${compaction.id}`, "m5", "m6"]);
      expect(history[1]).toEqual({
        id: `compaction_${compaction.id}`,
        role: "user",
        parts: [{ type: "text", text: "S" }],
        createdAt: compaction.createdAt,
        metadata: {
          compaction: { id: compaction.id, fromMessageId: "m2", toMessageId: "m4" },
        },
      });
      expect(await provider.getCompactions()).toEqual([compaction]);
    });

    test("deletes nothing: length, messages and tree stay", async () => {
      const provider = await numbered(4);
      await provider.addCompaction("S", "m1", "m3");
      expect(await provider.getPathLength()).toBe(4);
      expect((await provider.getMessage("m2"))?.id).toBe("m2");
      expect(await provider.getTree()).toHaveLength(4);
    });

    test("may cover one message, the first or the last", async () => {
      const provider = await numbered(3);
      await provider.addCompaction("A", "m1", "m1");
      await provider.addCompaction("B", "m3", "m3");
      expect(await shown(provider)).toEqual(["[A]", "m2", "[B]"]);
    });

    test("applies only on paths through its last message", async () => {
      const provider = await numbered(6);
      await provider.appendMessage(user("b3"), "m2");
      await provider.appendMessage(user("b5"), "m4");
      await provider.addCompaction("S", "m2", "m4");
      expect(await shown(provider, "m6")).toEqual(["m1", "[S]", "m5", "m6"]);
      expect(await shown(provider, "b5")).toEqual(["m1", "[S]", "b5"]);
      expect(await shown(provider, "b3")).toEqual(["m1", "m2", "b3"]);
      expect(await shown(provider, "m3")).toEqual(["m1", "m2", "m3"]);
      expect(await shown(provider, "m4")).toEqual(["m1", "[S]"]);
    });

    test("may start on one branch and end on another that continues it", async () => {
      const provider = await numbered(4);
      await appendChain(provider, [user("b3"), assistant("b4"), user("b5")], "m2");
      await provider.addCompaction("S", "m2", "b4");
      expect(await shown(provider, "b5")).toEqual(["m1", "[S]", "b5"]);
      expect(await shown(provider, "m4")).toEqual(["m1", "m2", "m3", "m4"]);
    });

    test("needs both ends, the first before the last on one path", async () => {
      const provider = await numbered(4);
      await provider.appendMessage(user("b3"), "m2");
      for (const [from, to] of [
        ["nowhere", "m2"],
        ["m2", "nowhere"],
        ["compaction_none", "m2"],
      ] as const) {
        await expect(provider.addCompaction("S", from, to)).rejects.toThrow(MessageNotFoundError);
      }
      for (const [from, to] of [
        ["m3", "m2"],
        ["m3", "b3"],
        ["b3", "m4"],
      ] as const) {
        await expect(provider.addCompaction("S", from, to)).rejects.toThrow(CompactionRangeError);
      }
      expect(await provider.getCompactions()).toEqual([]);
    });
  });

  describe("several compactions", () => {
    test("of disjoint ranges are both visible", async () => {
      const provider = await numbered(7);
      await provider.addCompaction("B", "m5", "m6");
      await provider.addCompaction("A", "m2", "m3");
      expect(await shown(provider)).toEqual(["m1", "[A]", "m4", "[B]", "m7"]);
    });

    test("a containing one wins, newer or older", async () => {
      const newer = await numbered(6);
      await newer.addCompaction("inner", "m2", "m3");
      await newer.addCompaction("outer", "m2", "m5");
      expect(await shown(newer)).toEqual(["m1", "[outer]", "m6"]);
      const older = await numbered(6);
      await older.addCompaction("outer", "m2", "m5");
      await older.addCompaction("inner", "m3", "m4");
      expect(await shown(older)).toEqual(["m1", "[outer]", "m6"]);
    });

    test("of equal or partly overlapping ones the newer wins, and nothing uncovered is hidden", async () => {
      const equal = await numbered(4);
      await equal.addCompaction("first", "m2", "m3");
      await equal.addCompaction("second", "m2", "m3");
      expect(await shown(equal)).toEqual(["m1", "[second]", "m4"]);
      const partly = await numbered(7);
      await partly.addCompaction("old", "m2", "m4");
      await partly.addCompaction("new", "m4", "m6");
      expect(await shown(partly)).toEqual(["m1", "m2", "m3", "[new]", "m7"]);
    });

    test("may be bounded by summaries shown before", async () => {
      const provider = await numbered(8);
      const first = await provider.addCompaction("A", "m2", "m3");
      const second = await provider.addCompaction("B", "m5", "m6");
      const both = await provider.addCompaction(
        "AB",
        `compaction_${first.id}`,
        `compaction_${second.id}`,
      );
      expect(both).toMatchObject({ fromMessageId: "m2", toMessageId: "m6" });
      expect(await shown(provider)).toEqual(["m1", "[AB]", "m7", "m8"]);
      expect((await provider.getCompactions()).map(({ summary }) => summary)).toEqual([
        "A",
        "B",
        "AB",
      ]);
    });

    test("removing one shows the messages it covered, and it can be restored", async () => {
      const provider = await numbered(6);
      const inner = await provider.addCompaction("inner", "m2", "m3");
      const outer = await provider.addCompaction("outer", "m2", "m5");
      await provider.removeCompaction(outer.id);
      expect(await shown(provider)).toEqual(["m1", "[inner]", "m4", "m5", "m6"]);
      await provider.removeCompaction(inner.id);
      expect(await shown(provider)).toEqual(["m1", "m2", "m3", "m4", "m5", "m6"]);
      expect(await provider.getCompactions()).toEqual([]);
      await provider.restoreCompaction(outer.id);
      expect(await shown(provider)).toEqual(["m1", "[outer]", "m6"]);
    });

    test("can be rewritten", async () => {
      const provider = await numbered(3);
      const { id } = await provider.addCompaction("old words", "m1", "m2");
      await provider.updateCompaction(id, "new words");
      expect(await shown(provider)).toEqual(["[new words]", "m3"]);
      expect(await provider.searchMessages("old words")).toEqual([]);
    });

    test("can be replaced in one step, and the replacement undone", async () => {
      const provider = await numbered(5);
      await provider.addCompaction("inner", "m2", "m3");
      const old = await provider.addCompaction("old words", "m2", "m4");
      const renewed = await provider.replaceCompaction(old.id, "new words", { focus: "owls" });
      expect(renewed).toMatchObject({
        summary: "new words",
        fromMessageId: "m2",
        toMessageId: "m4",
        metadata: { focus: "owls" },
      });
      expect(renewed.id).not.toBe(old.id);
      expect(await shown(provider)).toEqual(["m1", "[new words]", "m5"]);
      expect(await provider.searchMessages("old words")).toEqual([]);
      await expect(provider.replaceCompaction(old.id, "too late")).rejects.toThrow(
        CompactionNotFoundError,
      );
      expect(await shown(provider)).toEqual(["m1", "[new words]", "m5"]);
      await provider.removeCompaction(renewed.id);
      expect(await shown(provider)).toEqual(["m1", "[inner]", "m4", "m5"]);
    });

    test("unknown, removed and present ones are distinguished", async () => {
      const provider = await numbered(3);
      const { id } = await provider.addCompaction("S", "m1", "m2");
      await expect(provider.restoreCompaction(id)).rejects.toThrow(CompactionNotFoundError);
      await provider.removeCompaction(id);
      await expect(provider.removeCompaction(id)).rejects.toThrow(CompactionNotFoundError);
      await expect(provider.updateCompaction(id, "x")).rejects.toThrow(CompactionNotFoundError);
      await expect(provider.removeCompaction(crypto.randomUUID())).rejects.toThrow(
        CompactionNotFoundError,
      );
    });
  });

  describe("pinned messages", () => {
    test("are shown verbatim after the summary that covers them", async () => {
      const provider = await numbered(6);
      await provider.setPinned("m4", true);
      await provider.setPinned("m2", true);
      await provider.addCompaction("S", "m2", "m5");
      expect(await shown(provider)).toEqual(["m1", "[S]", "m2", "m4", "m6"]);
      const positions = (await provider.getWindow()).entries.map(({ position }) => position);
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      expect(new Set(positions).size).toBe(5);
      await provider.setPinned("m4", false);
      expect(await shown(provider)).toEqual(["m1", "[S]", "m2", "m6"]);
    });

    test("must exist", async () => {
      const provider = await numbered(1);
      await expect(provider.setPinned("nowhere", true)).rejects.toThrow(MessageNotFoundError);
    });
  });

  describe("summaries and deletions", () => {
    test("a summary stays while any of its messages does, its ends included", async () => {
      const provider = await numbered(6);
      await provider.addCompaction("S", "m2", "m4");
      const ends = await provider.deleteMessages(["m2", "m4"]);
      expect(await shown(provider)).toEqual(["m1", "[S]", "m5", "m6"]);
      const middle = await provider.deleteMessages(["m3"]);
      expect(await shown(provider)).toEqual(["m1", "m5", "m6"]);
      await provider.restoreMessages(middle.deletionId);
      expect(await shown(provider)).toEqual(["m1", "[S]", "m5", "m6"]);
      await provider.restoreMessages(ends.deletionId);
      expect(await shown(provider)).toEqual(["m1", "[S]", "m5", "m6"]);
    });

    test("a summary of deleted messages supersedes nothing", async () => {
      const provider = await numbered(6);
      await provider.addCompaction("old", "m2", "m3");
      await provider.addCompaction("new", "m3", "m4");
      await provider.deleteMessages(["m3", "m4"]);
      expect(await shown(provider)).toEqual(["m1", "[old]", "m5", "m6"]);
    });

    test("a summary whose last message was the deleted leaf no longer lies on the path", async () => {
      const provider = await numbered(4);
      await provider.addCompaction("S", "m2", "m4");
      await provider.deleteMessages(["m4"]);
      expect(await shown(provider)).toEqual(["m1", "m2", "m3"]);
      await provider.appendMessage(user("next"));
      expect(await shown(provider)).toEqual(["m1", "m2", "m3", "next"]);
    });
  });
}

import { describe, expect, test } from "vitest";
import type { SessionTreeProvider, TranscriptWindow, WindowEntry } from "../../session-provider";
import { appendNumbered, assistant, collect, ids, user } from "../builders";
import type { MakeProvider } from "./make-provider";

function shownIds({ entries }: TranscriptWindow): string[] {
  return entries.map(({ message }) => message.id);
}

export function windowingGuarantees(make: MakeProvider, { longPath }: { longPath: number }): void {
  async function numbered(count: number): Promise<SessionTreeProvider> {
    const provider = await make();
    await appendNumbered(provider, count);
    return provider;
  }

  describe("a window", () => {
    test("keeps the newest entries and reads further up without gap or repetition", async () => {
      const provider = await numbered(10);
      const pages: string[][] = [];
      let beforePosition: number | undefined;
      for (let more = true; more; ) {
        const window = await provider.getWindow({ limit: 4, beforePosition });
        pages.unshift(shownIds(window));
        expect(window.leafId).toBe("m10");
        beforePosition = window.entries[0]?.position;
        more = window.hasMore;
      }
      expect(pages).toEqual([
        ["m1", "m2"],
        ["m3", "m4", "m5", "m6"],
        ["m7", "m8", "m9", "m10"],
      ]);
    });

    test("reads towards the leaf in pages that are full, whatever was deleted or summarized", async () => {
      const provider = await numbered(30);
      await provider.addCompaction("S", "m4", "m15");
      await provider.addCompaction("T", "m16", "m20");
      await provider.setPinned("m7", true);
      await provider.deleteMessages(["m2", "m21", "m22", "m23"]);
      await provider.appendMessage(assistant("side"), "m26", { activate: false });
      for (const overlays of [true, false]) {
        for (const leafId of ["m30", "side", undefined]) {
          const options = { leafId, overlays };
          const whole = await provider.getWindow(options);
          for (const limit of [1, 2, 3, 7, 40]) {
            const entries: WindowEntry[] = [];
            const pages: number[] = [];
            for (let more = true; more; ) {
              const afterPosition = entries.at(-1)?.position;
              const page = await provider.getWindow({
                ...options,
                limit,
                oldest: true,
                afterPosition,
              });
              expect(page.leafId).toBe(whole.leafId);
              entries.push(...page.entries);
              pages.push(page.entries.length);
              more = page.hasMore;
            }
            expect(entries).toEqual(whole.entries);
            expect(pages.slice(0, -1).every((count) => count === limit)).toBe(true);
          }
        }
      }
    });

    test("of the oldest ends before a position", async () => {
      const provider = await numbered(10);
      const { entries } = await provider.getWindow();
      const [afterPosition, beforePosition] = [entries[1]?.position, entries[6]?.position];
      const page = { afterPosition, beforePosition, oldest: true };
      const part = await provider.getWindow({ ...page, limit: 3 });
      expect([shownIds(part), part.hasMore]).toEqual([["m3", "m4", "m5"], true]);
      const all = await provider.getWindow({ ...page, limit: 4 });
      expect([shownIds(all), all.hasMore]).toEqual([["m3", "m4", "m5", "m6"], false]);
      const none = await provider.getWindow({ afterPosition: entries[9]?.position, oldest: true });
      expect(none).toEqual({ entries: [], leafId: "m10", hasMore: false });
    });

    test("shows 50 entries by default", async () => {
      const provider = await numbered(60);
      const window = await provider.getWindow();
      expect(window.entries).toHaveLength(50);
      expect(window.hasMore).toBe(true);
    });

    test("gives the position of each message among its siblings", async () => {
      const provider = await numbered(3);
      await provider.appendMessage(assistant("b2"), "m1");
      await provider.appendMessage(assistant("c2"), "m1");
      await provider.appendMessage(user("other root"), null);
      const { entries } = await provider.getWindow({ leafId: "b2" });
      expect(entries.map(({ parentId, siblings }) => ({ parentId, siblings }))).toEqual([
        {
          parentId: null,
          siblings: { index: 0, count: 2, previousId: null, nextId: "other root" },
        },
        { parentId: "m1", siblings: { index: 1, count: 3, previousId: "m2", nextId: "c2" } },
      ]);
    });

    test("of stored messages leaves siblings out where they are not wanted", async () => {
      const provider = await numbered(3);
      await provider.appendMessage(assistant("b2"), "m1");
      await provider.addCompaction("S", "m1", "m2");
      const { entries } = await provider.getWindow({
        ...{ leafId: "m3", overlays: false, siblings: false },
      });
      expect(
        entries.map(({ message, parentId, siblings }) => [message.id, parentId, siblings.count]),
      ).toEqual([
        ["m1", null, 1],
        ["m2", "m1", 1],
        ["m3", "m2", 1],
      ]);
      const shown = await provider.getWindow({ leafId: "m3", siblings: false });
      expect(shown.entries.at(-1)?.parentId).toBe("m2");
    });

    test("counts alternatives across deletions", async () => {
      const provider = await numbered(3);
      await provider.appendMessage(assistant("b2"), "m1");
      await provider.appendMessage(user("b3"), "b2");
      await provider.deleteMessages(["m2"]);
      const { entries } = await provider.getWindow({ leafId: "b3" });
      expect(
        entries.map(({ message, siblings }) => [message.id, siblings.index, siblings.count]),
      ).toEqual([
        ["m1", 0, 1],
        ["b2", 1, 2],
        ["b3", 0, 1],
      ]);
      const spliced = await provider.getWindow({ leafId: "m3" });
      expect(spliced.entries[1]).toMatchObject({
        parentId: "m1",
        siblings: { index: 0, count: 2, previousId: null, nextId: "b2" },
      });
    });

    test("shows a summary as one entry with what it covers", async () => {
      const provider = await numbered(8);
      await provider.appendMessage(user("b3"), "m2", { activate: false });
      const compaction = await provider.addCompaction("S", "m3", "m6");
      await provider.deleteMessages(["m4"]);
      await provider.setPinned("m8", true);
      const { entries } = await provider.getWindow();
      expect(entries.map(({ message, pinned }) => [message.id, pinned])).toEqual([
        ["m1", false],
        ["m2", false],
        [`compaction_${compaction.id}`, false],
        ["m7", false],
        ["m8", true],
      ]);
      expect(entries[2]).toMatchObject({
        parentId: "m2",
        compaction: { ...compaction, messageCount: 3 },
        siblings: { index: 0, count: 2, previousId: null, nextId: "b3" },
      });
      expect(entries[0]?.compaction).toBeUndefined();
    });

    test("counts summaries as entries when reading up", async () => {
      const provider = await numbered(6);
      await provider.addCompaction("S", "m2", "m4");
      const last = await provider.getWindow({ limit: 2 });
      expect(shownIds(last)).toEqual(["m5", "m6"]);
      const above = await provider.getWindow({
        limit: 2,
        beforePosition: last.entries[0]?.position,
      });
      expect(above.entries.map(({ message }) => message.parts[0]?.text)).toEqual(["m1", "S"]);
      expect(above.hasMore).toBe(false);
    });

    test("shows the originals behind a summary", async () => {
      const provider = await numbered(6);
      await provider.addCompaction("S", "m2", "m4");
      const { entries } = await provider.getWindow();
      const originals = await provider.getWindow({
        overlays: false,
        afterPosition: entries[0]?.position,
        beforePosition: entries[2]?.position,
      });
      expect(shownIds(originals)).toEqual(["m2", "m3", "m4"]);
      expect(originals.entries[0]?.parentId).toBe("m1");
      expect(shownIds(await provider.getWindow({ overlays: false }))).toHaveLength(6);
    });

    test("of an unknown leaf is empty", async () => {
      const provider = await numbered(2);
      expect(await provider.getWindow({ leafId: "nowhere" })).toEqual({
        entries: [],
        leafId: null,
        hasMore: false,
      });
    });
  });

  describe("recent history", () => {
    test("is the newest suffix that fits, with the number of omitted messages", async () => {
      const provider = await make();
      for (let n = 1; n <= 6; n++) await provider.appendMessage(user(`m${n}`, "x".repeat(1_000)));
      const recent = await provider.getRecentHistory(3_900);
      expect(ids(recent.messages)).toEqual(["m4", "m5", "m6"]);
      expect(recent.omittedMessages).toBe(3);
    });

    test("measures messages as the sizes of stored messages do", async () => {
      const provider = await make();
      for (const text of ["short", "Größe 🌳", "x".repeat(300)])
        await provider.appendMessage({ ...user(text.slice(0, 3), text), metadata: { text } });
      const stats = await provider.getHistoryRowStats();
      const whole = stats.reduce((sum, { bytes }) => sum + bytes, 0);
      expect((await provider.getRecentHistory(whole)).omittedMessages).toBe(0);
      expect((await provider.getRecentHistory(whole - 1)).omittedMessages).toBe(1);
    });

    test("contains at least the leaf, or the requested minimum", async () => {
      const provider = await numbered(5);
      expect(ids((await provider.getRecentHistory(0)).messages)).toEqual(["m5"]);
      expect(ids((await provider.getRecentHistory(0, 3)).messages)).toEqual(["m3", "m4", "m5"]);
      const all = await provider.getRecentHistory(1_000_000);
      expect(all.messages).toEqual(await provider.getHistory());
      expect(all.omittedMessages).toBe(0);
    });

    test("counts a summary as one message even when its range starts before the window", async () => {
      const provider = await numbered(8);
      const { id } = await provider.addCompaction("S", "m2", "m7");
      const recent = await provider.getRecentHistory(0, 2);
      expect(ids(recent.messages)).toEqual([`compaction_${id}`, "m8"]);
      expect(recent.omittedMessages).toBe(1);
    });
  });

  describe("a long history", () => {
    test("tells the size of each stored message of a path, also under a summary", async () => {
      const provider = await numbered(3);
      const text = { ...user("m4", "Größe 🌳"), metadata: { a: 1 } };
      await provider.appendMessage(text);
      await provider.appendMessage(user("side"), "m1");
      await provider.addCompaction("S", "m1", "m3").catch(() => undefined);
      await provider.deleteMessages(["m2"]);
      const stats = await provider.getHistoryRowStats("m4");
      const { parts, metadata } = text;
      const bytes = new TextEncoder().encode(JSON.stringify({ parts, metadata })).length;
      expect(ids(stats)).toEqual(["m1", "m3", "m4"]);
      expect(stats.at(-1)).toEqual({ id: "m4", role: "user", bytes });
      expect(ids(await provider.getHistoryRowStats())).toEqual(["m1", "side"]);
      expect(await provider.getHistoryRowStats("unknown")).toEqual([]);
    });

    test("is read in batches that add up to it", async () => {
      const provider = await numbered(25);
      await provider.addCompaction("S", "m3", "m12");
      await provider.setPinned("m5", true);
      const batches = await collect(provider.iterateHistory({ batchSize: 4 }));
      expect(batches.flat()).toEqual(await provider.getHistory());
      expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(4);
      const upTo = await collect(provider.iterateHistory({ leafId: "m20" }));
      expect(upTo.flat()).toEqual(await provider.getHistory("m20"));
    });

    test(`of ${longPath} messages comes back complete`, async () => {
      const provider = await numbered(longPath);
      const history = await provider.getHistory();
      expect(history).toHaveLength(longPath);
      expect(history[0]?.id).toBe("m1");
      expect(history.at(-1)?.id).toBe(`m${longPath}`);
      expect(await provider.getPathLength()).toBe(longPath);
    }, 120_000);
  });
}

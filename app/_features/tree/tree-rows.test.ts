import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TreeNodeWire } from "@/lib/chat/wire/branches";
import type { TreeCompaction } from "./tree-items";
import { type ShownTreeRow, treeRows } from "./tree-rows";

function node(
  id: string,
  parentId: string | null,
  change: Partial<TreeNodeWire> = {},
): TreeNodeWire {
  const role = id.startsWith("a") ? "assistant" : "user";
  return {
    id,
    parentId,
    role,
    preview: id,
    pinned: false,
    label: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    ...change,
  };
}

/** q1 → a1 → (q2 → a2 | q3 → a3) */
const forked = [
  node("q1", null),
  node("a1", "q1"),
  node("q2", "a1"),
  node("a2", "q2"),
  node("q3", "a1"),
  node("a3", "q3"),
];

function outline(rows: readonly ShownTreeRow[]): string[] {
  return rows.map((row) => `${"  ".repeat(row.indent)}${row.id}`);
}

describe("treeRows", () => {
  test("keeps a conversation without alternatives on one level", () => {
    const rows = treeRows([node("q1", null), node("a1", "q1"), node("q2", "a1")], "q2");
    expect(outline(rows)).toEqual(["q1", "a1", "q2"]);
  });

  test("indents only where paths part", () => {
    expect(outline(treeRows(forked, "a3"))).toEqual(["q1", "a1", "  q2", "  a2", "  q3", "  a3"]);
  });

  test("says level, position and size as a tree of stretches", () => {
    const places = treeRows(forked, "a3").map((row) => [
      row.id,
      row.level,
      row.position,
      row.setSize,
    ]);
    expect(places).toEqual([
      ["q1", 1, 1, 1],
      ["a1", 2, 1, 1],
      ["q2", 3, 1, 2],
      ["a2", 4, 1, 1],
      ["q3", 3, 2, 2],
      ["a3", 4, 1, 1],
    ]);
  });

  test("leads back to the start of a branch, then to where it left", () => {
    const parents = treeRows(forked, null).map((row) => [row.id, row.parentRowId]);
    expect(parents).toEqual([
      ["q1", null],
      ["a1", "q1"],
      ["q2", "a1"],
      ["a2", "q2"],
      ["q3", "a1"],
      ["a3", "q3"],
    ]);
  });

  test("marks the path to the active leaf and names the leaf", () => {
    const rows = treeRows(forked, "q3");
    expect(rows.filter((row) => row.onActivePath).map((row) => row.id)).toEqual(["q1", "a1", "q3"]);
    expect(rows.filter((row) => row.isActiveLeaf).map((row) => row.id)).toEqual(["q3"]);
  });

  test("hides what lies under a folded row and counts it", () => {
    const rows = treeRows(forked, "a3", { folded: new Set(["a1"]) });
    expect(outline(rows)).toEqual(["q1", "a1"]);
    expect(rows.at(-1)).toMatchObject({ foldable: true, folded: true, hiddenCount: 4 });
  });

  test("folds one branch and leaves the other", () => {
    const rows = treeRows(forked, "a3", { folded: new Set(["q2"]) });
    expect(outline(rows)).toEqual(["q1", "a1", "  q2", "  q3", "  a3"]);
  });

  test("ignores a fold where nothing can fold", () => {
    expect(treeRows(forked, "a3", { folded: new Set(["a2", "gone"]) })).toHaveLength(6);
  });

  test("hangs a match under its nearest matching ancestor", () => {
    expect(outline(treeRows(forked, "a3", { filter: "mine" }))).toEqual(["q1", "  q2", "  q3"]);
  });

  test("finds a message by the name of its bookmark too", () => {
    const nodes = forked.map((each) => (each.id === "a2" ? { ...each, label: "Café" } : each));
    expect(outline(treeRows(nodes, "a3", { query: "cafe" }))).toEqual(["a2"]);
  });

  test("takes what was found in whole texts along, with the messages where their paths part", () => {
    const found = new Set(["a2", "a3"]);
    const rows = treeRows(forked, "a3", { query: "deep inside", found });
    expect(rows.filter((row) => !row.isContext).map((row) => row.id)).toEqual(["a2", "a3"]);
    expect(rows.filter((row) => row.isContext)).toHaveLength(1);
    expect(rows[0]?.isContext).toBe(true);
    expect(treeRows(forked, "a3", { query: "deep", found: new Set(["a2"]) })).toHaveLength(1);
  });

  test("shows a summary in which something was found", () => {
    const compactions = [{ id: "c", fromMessageId: "q1", toMessageId: "a1" }];
    const found = new Set(["compaction_c"]);
    const shown = (query: string) =>
      treeRows(forked, "a3", { compactions, query, found }).map((row) => row.id);
    expect(shown("deep")).toEqual(["compaction_c"]);
    expect(shown("")).toHaveLength(forked.length + 1);
  });

  test("shows bookmarked messages alone", () => {
    const nodes = forked.map((each) => (each.id === "a2" ? { ...each, pinned: true } : each));
    expect(outline(treeRows(nodes, "a3", { filter: "bookmarks" }))).toEqual(["a2"]);
  });

  test("finds words in any order, without case or accents, also under a fold", () => {
    const nodes = [...forked, node("a4", "a3", { preview: "Ein Café in Zürich" })];
    const rows = treeRows(nodes, "a4", { query: "zurich cafe", folded: new Set(["a1"]) });
    expect(outline(rows)).toEqual(["a4"]);
  });

  test("puts a compaction after the last message it covers, before what continues it", () => {
    const compactions: TreeCompaction[] = [{ id: "c", fromMessageId: "q1", toMessageId: "a1" }];
    const rows = treeRows(forked, "a3", { compactions });
    expect(outline(rows)).toEqual(["q1", "a1", "compaction_c", "  q2", "  a2", "  q3", "  a3"]);
    expect(rows[2]?.item).toMatchObject({ kind: "compaction", messageCount: 2 });
    expect(rows[2]?.onActivePath).toBe(true);
  });

  test("leaves out a compaction whose end is not there", () => {
    const compactions: TreeCompaction[] = [{ id: "c", fromMessageId: "q1", toMessageId: "gone" }];
    expect(treeRows(forked, "a3", { compactions })).toHaveLength(6);
  });

  test("shows a message whose parent is not there as a root", () => {
    expect(outline(treeRows([node("q2", "gone"), node("a2", "q2")], null))).toEqual(["q2", "a2"]);
  });

  test("shows several first messages side by side", () => {
    const rows = treeRows([node("q1", null), node("a1", "q1"), node("q2", null)], "a1");
    expect(
      rows.map((row) => [row.id, row.level, row.position, row.setSize, row.startsBranch]),
    ).toEqual([
      ["q1", 1, 1, 2, true],
      ["a1", 2, 1, 1, false],
      ["q2", 1, 2, 2, true],
    ]);
  });

  test("is empty for an empty session", () => {
    expect(treeRows([], null)).toEqual([]);
  });

  test("lays out 10,000 messages in a row", () => {
    const long = Array.from({ length: 10_000 }, (_, at) =>
      node(`q${at}`, at === 0 ? null : `q${at - 1}`),
    );
    expect(treeRows(long, "q9999").at(-1)).toMatchObject({
      id: "q9999",
      indent: 0,
      position: 9_999,
    });
  });
});

interface Sample {
  nodes: TreeNodeWire[];
  leafId: string | null;
  folded: Set<string>;
}

/** Any tree: each message hangs under an earlier one or is a root. */
const anyTree: fc.Arbitrary<Sample> = fc
  .array(fc.tuple(fc.nat(), fc.boolean(), fc.boolean()), { maxLength: 60 })
  .map((choices) => {
    const nodes = choices.map(([choice, pinned], at) =>
      node(`${choice % 2 ? "a" : "q"}${at}`, null, { pinned }),
    );
    const linked = nodes.map((each, at) => {
      const parent = nodes[(choices[at]?.[0] ?? 0) % (at + 1)];
      return { ...each, parentId: parent && parent.id !== each.id ? parent.id : null };
    });
    const folded = new Set(linked.filter((_, at) => choices[at]?.[2]).map((each) => each.id));
    return { nodes: linked, leafId: linked.at(-1)?.id ?? null, folded };
  });

function ancestorsOf(nodes: readonly TreeNodeWire[], id: string): string[] {
  const parentId = nodes.find((each) => each.id === id)?.parentId;
  return parentId ? [parentId, ...ancestorsOf(nodes, parentId)] : [];
}

describe("treeRows on any tree", () => {
  test("shows every message exactly once when nothing is folded", () => {
    fc.assert(
      fc.property(anyTree, ({ nodes, leafId }) => {
        const ids = treeRows(nodes, leafId).map((row) => row.id);
        expect(ids.toSorted()).toEqual(nodes.map((each) => each.id).toSorted());
      }),
    );
  });

  test("shows parents before children", () => {
    fc.assert(
      fc.property(anyTree, ({ nodes, leafId }) => {
        const order = new Map(treeRows(nodes, leafId).map((row, at) => [row.id, at]));
        for (const { id, parentId } of nodes) {
          if (parentId) expect(order.get(parentId)).toBeLessThan(order.get(id) ?? -1);
        }
      }),
    );
  });

  test("marks exactly the path to the active leaf", () => {
    fc.assert(
      fc.property(anyTree, ({ nodes, leafId }) => {
        const marked = treeRows(nodes, leafId).filter((row) => row.onActivePath);
        const path = leafId ? [leafId, ...ancestorsOf(nodes, leafId)] : [];
        expect(marked.map((row) => row.id).toSorted()).toEqual(path.toSorted());
      }),
    );
  });

  test("counts under folds exactly what they hide", () => {
    fc.assert(
      fc.property(anyTree, ({ nodes, leafId, folded }) => {
        const rows = treeRows(nodes, leafId, { folded });
        const hidden = rows.reduce((sum, row) => sum + row.hiddenCount, 0);
        expect(rows.length + hidden).toBe(nodes.length);
        for (const row of rows) {
          expect(
            ancestorsOf(nodes, row.id).some((id) => rows.find((r) => r.id === id)?.folded),
          ).toBe(false);
        }
      }),
    );
  });

  test("numbers the children of every row without gaps, one level below it", () => {
    fc.assert(
      fc.property(anyTree, ({ nodes, leafId, folded }) => {
        const rows = treeRows(nodes, leafId, { folded });
        const levels = new Map<string | null, number>([
          [null, 0],
          ...rows.map((row) => [row.id, row.level] as const),
        ]);
        const groups = Map.groupBy(rows, (row) => `${row.parentRowId} ${row.startsBranch}`);
        for (const group of groups.values()) {
          expect(group.map((row) => row.position)).toEqual(group.map((_, at) => at + 1));
          for (const row of group) {
            expect(row.setSize).toBe(group.length);
            expect(row.level).toBe((levels.get(row.parentRowId) ?? 0) + 1);
          }
        }
      }),
    );
  });

  test("shows the matches of a filter and nothing else", () => {
    fc.assert(
      fc.property(anyTree, ({ nodes, leafId }) => {
        const shown = treeRows(nodes, leafId, { filter: "bookmarks" }).map((row) => row.id);
        const pinned = nodes.filter((each) => each.pinned).map((each) => each.id);
        expect(shown.toSorted()).toEqual(pinned.toSorted());
      }),
    );
  });
});

describe("the lines beside the rows", () => {
  test("are only as many as a panel has room for", () => {
    const turns = Array.from({ length: 40 }, (_, at) => {
      const parentId = at === 0 ? null : `a${at - 1}`;
      return [node(`a${at}`, parentId), node(`side${at}`, parentId)];
    });
    const deepest = treeRows(turns.flat(), "a39").reduce((one, row) =>
      row.indent > one.indent ? row : one,
    );
    expect(deepest.indent).toBe(39);
    expect(deepest.guides).toHaveLength(8);
  });

  const draw = { none: ".", line: "-", active: "A" } as const;
  function guides(row: ShownTreeRow): string {
    const columns = row.guides.map(({ up, down, right }) => draw[up] + draw[down] + draw[right]);
    return [row.id, ...columns, draw[row.joins.above] + draw[row.joins.below]].join(" ");
  }

  test("run along the active path past the branches before it", () => {
    expect(treeRows(forked, "a3").map(guides)).toEqual([
      "q1 .A",
      "a1 AA",
      "q2 AA- .-",
      "a2 AA. -.",
      "q3 A.A .A",
      "a3 ... A.",
    ]);
  });

  test("end where the last branch turns off and where a row is folded", () => {
    expect(treeRows(forked, "q1", { folded: new Set(["q3"]) }).map(guides)).toEqual([
      "q1 .-",
      "a1 --",
      "q2 --- .-",
      "a2 --. -.",
      "q3 -.- ..",
    ]);
  });
});

describe("answers that only call tools", () => {
  const silent = (id: string, parentId: string, change: Partial<TreeNodeWire> = {}) =>
    node(id, parentId, { preview: "", ...change });
  const nodes = [
    node("q1", null),
    silent("a1", "q1"),
    silent("a2", "a1"),
    silent("a3", "a2"),
    node("a4", "a3"),
  ];
  const outlineOf = (given: readonly TreeNodeWire[], leafId: string, opened: string[] = []) =>
    outline(treeRows(given, leafId, { folded: new Set(opened) }));

  test("are one row until it is opened", () => {
    expect(outlineOf(nodes, "a4")).toEqual(["q1", "calls_a1", "a4"]);
    expect(outlineOf(nodes, "a4", ["calls_a1"])).toEqual([
      "q1",
      "calls_a1",
      "a1",
      "a2",
      "a3",
      "a4",
    ]);
    const [, run] = treeRows(nodes, "a4");
    expect(run).toMatchObject({ folded: true, hiddenCount: 3, onActivePath: true });
  });

  test("lie one level below the row of their run", () => {
    const rows = treeRows(nodes, "a4", { folded: new Set(["calls_a1"]) });
    expect(rows.map(({ level, position, setSize }) => [level, position, setSize])).toEqual([
      [1, 1, 1],
      [2, 1, 2],
      [3, 1, 3],
      [3, 2, 3],
      [3, 3, 3],
      [2, 2, 2],
    ]);
  });

  test("stay rows of their own where paths part, where the reader is and when marked", () => {
    const parting = [...nodes, silent("a5", "a2")];
    expect(outlineOf(parting, "a4")).toEqual(["q1", "a1", "a2", "  a3", "  a4", "  a5"]);
    expect(outlineOf(nodes, "a2")).toEqual(["q1", "a1", "a2", "a3", "a4"]);
    const pinned = nodes.map((each) => (each.id === "a3" ? { ...each, pinned: true } : each));
    expect(outlineOf(pinned, "a4")).toEqual(["q1", "a1", "a2", "a3", "a4"]);
  });

  test("are all there in a search", () => {
    const rows = treeRows(nodes, "a4", { query: "x", found: new Set(["a2"]) });
    expect(outline(rows)).toEqual(["a2"]);
  });
});

import { describe, expect, test } from "vitest";
import { checkTree, type SharedSession } from "./shared-tree";

const moment = (startedAt: number, endedAt: number) => ({ startedAt, endedAt });
const root = { id: "root", parentId: null, text: "", ...moment(0, 1) };
const middle = { id: "middle", parentId: "root", text: "", ...moment(2, 3) };

function brokenBy(
  last: { parentId: string | null; startedAt: number; endedAt: number },
  { under, middleDeletedAt = [] }: { under: string; middleDeletedAt?: [number, number][] },
): string[] {
  const session: SharedSession = {
    id: "s",
    sent: [root, middle, { ...last, id: "last", text: "" }],
    deletedAt: new Map(),
    deletions: [],
    runs: [],
  };
  if (middleDeletedAt.length > 0)
    session.deletedAt.set(
      "middle",
      middleDeletedAt.map(([start, end]) => moment(start, end)),
    );
  const nodes = [
    { id: "root", parentId: null },
    { id: "middle", parentId: "root" },
    { id: "last", parentId: under },
  ];
  const broken: string[] = [];
  checkTree(session, { tree: { nodes, activeLeafId: "last" }, broken });
  return broken;
}

describe("a message hangs where its reply said", () => {
  const moved = ["Message last hangs under another one than acknowledged."];

  test("and nowhere else", () => {
    expect(brokenBy({ parentId: "middle", ...moment(10, 20) }, { under: "middle" })).toEqual([]);
    expect(brokenBy({ parentId: "middle", ...moment(10, 20) }, { under: "root" })).toEqual(moved);
    expect(brokenBy({ parentId: null, ...moment(10, 20) }, { under: "root" })).toEqual(moved);
  });

  test("or under one that was deleted while it was sent, and restored since", () => {
    const last = { parentId: "root", ...moment(10, 20) };
    expect(brokenBy(last, { under: "middle", middleDeletedAt: [[15, 18]] })).toEqual([]);
    expect(brokenBy(last, { under: "middle", middleDeletedAt: [[5, 9]] })).toEqual(moved);
    expect(brokenBy(last, { under: "middle", middleDeletedAt: [[21, 22]] })).toEqual(moved);
    const again: [number, number][] = [
      [5, 9],
      [19, Number.POSITIVE_INFINITY],
    ];
    expect(brokenBy(last, { under: "middle", middleDeletedAt: again })).toEqual([]);
  });
});

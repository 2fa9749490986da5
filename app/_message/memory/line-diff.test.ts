import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DiffLine, diffHunks, lineDiff } from "./line-diff";

function marked(lines: readonly DiffLine[]): string[] {
  const marks = { same: " ", added: "+", removed: "-" } as const;
  return lines.map((line) => `${marks[line.kind]}${line.text}`);
}

function side(lines: readonly DiffLine[], without: DiffLine["kind"]): string {
  return lines
    .filter((line) => line.kind !== without)
    .map((line) => line.text)
    .join("\n");
}

describe("lineDiff", () => {
  test("shows a changed line as removed, then added", () => {
    expect(marked(lineDiff("a\nb\nc", "a\nx\nc"))).toEqual([" a", "-b", "+x", " c"]);
  });

  test("numbers lines on both sides from 1", () => {
    expect(lineDiff("a\nb", "b\nc")).toEqual([
      { kind: "removed", text: "a", before: 1, after: null },
      { kind: "same", text: "b", before: 2, after: 1 },
      { kind: "added", text: "c", before: null, after: 2 },
    ]);
  });

  test("takes an empty text as no lines", () => {
    expect(marked(lineDiff("", "a"))).toEqual(["+a"]);
    expect(lineDiff("", "")).toEqual([]);
  });

  test("does not mind how lines end", () => {
    expect(marked(lineDiff("a\r\nb", "a\nb"))).toEqual([" a", " b"]);
  });

  test("compares texts with too many changed lines as one replaced stretch", () => {
    const before = Array.from({ length: 1_500 }, (_, at) => `old ${at}`);
    const after = Array.from({ length: 1_500 }, (_, at) => `new ${at}`);
    const lines = lineDiff(
      ["start", ...before, "end"].join("\n"),
      ["start", ...after, "end"].join("\n"),
    );
    expect(lines).toHaveLength(3_002);
    expect(lines.map((line) => line.kind).indexOf("added")).toBe(1_501);
  });
});

const anyText = fc
  .array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 })
  .map((lines) => lines.join("\n"));

/** Reference: length of the longest common subsequence by brute force. */
function common(old: readonly string[], now: readonly string[]): number {
  const [oldHead, ...oldRest] = old;
  const [nowHead, ...nowRest] = now;
  if (oldHead === undefined || nowHead === undefined) return 0;
  if (oldHead === nowHead) return 1 + common(oldRest, nowRest);
  return Math.max(common(oldRest, now), common(old, nowRest));
}

describe("lineDiff on any two texts", () => {
  test("holds both texts whole", () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const lines = lineDiff(before, after);
        expect(side(lines, "added")).toBe(before);
        expect(side(lines, "removed")).toBe(after);
      }),
    );
  });

  test("puts removed lines before the added ones of the same change", () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const kinds = lineDiff(before, after).map(({ kind }) => kind);
        expect(kinds.join(" ")).not.toContain("added removed");
      }),
    );
  });

  test("keeps as many lines as possible", () => {
    const shortText = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 7 });
    fc.assert(
      fc.property(shortText, shortText, (old, now) => {
        const kept = lineDiff(old.join("\n"), now.join("\n")).filter(
          (line) => line.kind === "same",
        );
        expect(kept).toHaveLength(common(old, now));
      }),
    );
  });
});

describe("diffHunks", () => {
  test("leaves out unchanged lines far from a change and says how many", () => {
    const before = "1\n2\n3\n4\n5\n6\n7";
    const hunks = diffHunks(lineDiff(before, before.replace("6", "six")), 1);
    expect(
      hunks.map((hunk) => (hunk.kind === "skipped" ? hunk.count : marked(hunk.lines))),
    ).toEqual([4, [" 5", "-6", "+six", " 7"]]);
  });

  test("is empty when nothing changed", () => {
    expect(diffHunks(lineDiff("a", "a"))).toEqual([]);
  });

  test("keeps every line, shown or counted", () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const lines = lineDiff(before, after);
        const total = diffHunks(lines).reduce(
          (sum, hunk) => sum + (hunk.kind === "skipped" ? hunk.count : hunk.lines.length),
          0,
        );
        expect([0, lines.length]).toContain(total);
      }),
    );
  });
});

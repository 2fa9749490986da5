import { describe, expect, test } from "vitest";
import { entry } from "@/app/_data/testing/wire-builders";
import { openingRows, rowsBelow } from "./transcript-opening";
import type { TranscriptRow } from "./transcript-rows";

function row(id: string, text: string): TranscriptRow {
  const message = { id, role: "assistant", parts: [{ type: "text", text }] } as const;
  return {
    kind: "message",
    followers: [],
    run: null,
    key: id,
    startsDay: null,
    entry: entry(id, null, { message: { ...message, parts: [...message.parts] } }),
  };
}

const rowsOf = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => row(`a${index}`, text));
const keys = (rows: readonly TranscriptRow[]) => rows.map(({ key }) => key);

describe("the lines a conversation opens with", () => {
  test("are all of a short one", () => {
    expect(keys(openingRows(rowsOf(3, "Short.")))).toEqual(["a0", "a1", "a2"]);
  });

  test("are the last ones of a long one, enough to fill a window", () => {
    const opening = openingRows(rowsOf(1_000, "Short."));
    expect(opening.length).toBeGreaterThan(20);
    expect(opening.length).toBeLessThan(40);
    expect(opening.at(-1)?.key).toBe("a999");
  });

  test("do not count on long code to be as high as it is long", () => {
    const code = row("code", `\`\`\`\n${"line\n".repeat(500)}\`\`\``);
    expect(keys(openingRows([...rowsOf(2, "Short."), code]))).toEqual(["a0", "a1", "code"]);
  });

  test("end below a text that takes long to format", () => {
    const heavy = row("heavy", "word ".repeat(20_000));
    expect(keys(openingRows([row("a0", "Before."), heavy, row("a1", "After.")]))).toEqual(["a1"]);
  });

  test("are a heavy text alone if it is the last", () => {
    const heavy = row("heavy", "word ".repeat(20_000));
    expect(keys(openingRows([row("a0", "Before."), heavy]))).toEqual(["heavy"]);
  });

  test("are none if even the page would take long to send", () => {
    expect(openingRows([row("vast", "word ".repeat(200_000))])).toEqual([]);
  });

  test("are none of an empty one", () => {
    expect(openingRows([])).toEqual([]);
  });
});

describe("the rows that become live first", () => {
  test("are those that reach into the view", () => {
    expect(rowsBelow(100, [-300, -20, 90, 250])).toBe(2);
    expect(rowsBelow(100, [-300, -20, 100, 250])).toBe(2);
    expect(rowsBelow(100, [-3_000])).toBe(1);
  });

  test("are unknown while there may be more above", () => {
    expect(rowsBelow(100, [120, 250])).toBeNull();
    expect(rowsBelow(100, [])).toBeNull();
  });
});

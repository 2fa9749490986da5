import { describe, expect, test } from "vitest";
import { asCsv, asMarkdown } from "./table-copies";
import { nextSort, numberIn, sortedPlaces } from "./table-order";
import { cellWords, readLongTable, readTable, splitLongTables } from "./table-text";

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => `| ${at} | row ${at} |\n`).join("");
const head = "| n | name |\n|--:|------|\n";

describe("a text with tables", () => {
  test("is parted at long ones, and joined is the same", () => {
    const text = `Before.\n\n${head}${rows(300)}\nAfter.\n\n${head}${rows(3)}\nEnd.`;
    const parts = splitLongTables(text);
    expect(parts.map((part) => part.text).join("")).toBe(text);
    expect(parts.map(({ isTable }) => isTable)).toEqual([false, true, false]);
    expect(readLongTable(parts[1]?.text ?? "")?.rows).toHaveLength(300);
  });

  test("leaves a table in code alone", () => {
    expect(splitLongTables(`\`\`\`\n${head}${rows(300)}\`\`\`\n`)).toHaveLength(1);
  });

  test.each([
    ["a paragraph", "Words | and words\n".repeat(300)],
    ["a short table", head + rows(3)],
    ["a table with words after it", `${head}${rows(300)}\nWords`],
  ])("%s is no long table", (_, text) => {
    expect(readLongTable(text)).toBeNull();
  });
});

test("reads cells with escaped pipes, alignment, and too few or too many of them", () => {
  expect(readTable("a | b | c\n:-- | :-: | --:\n| x \\| y |\n1 | 2 | 3 | 4")).toEqual({
    heads: ["a", "b", "c"],
    aligns: ["left", "center", "right"],
    rows: [
      ["x | y", "", ""],
      ["1", "2", "3"],
    ],
  });
});

test.each([
  ["**bold** and *less*", "bold and less"],
  ["`a | b` [text](https://a.b)", "a | b text"],
  ["one<br>two", "one\ntwo"],
  ["snake_case_name", "snake_case_name"],
  ["2 * 3 * 4", "2 * 3 * 4"],
  ["\\*kept\\*", "*kept*"],
])("the words of %s are %s", (cell, words) => {
  expect(cellWords(cell)).toBe(words);
});

describe("sorting", () => {
  const sorted = (
    cells: readonly string[],
    direction: "ascending" | "descending" = "ascending",
  ) => {
    const given = cells.map((cell) => [cell]);
    return sortedPlaces(given, { column: 0, direction }).map((place) => cells[place]);
  };

  test.each([
    ["numbers", ["10", "9", "-1", "1,234.5", ""], ["-1", "9", "10", "1,234.5", ""]],
    ["money", ["$10", "-$2", "€3.50"], ["-$2", "€3.50", "$10"]],
    ["percents", ["10%", "9.5 %"], ["9.5 %", "10%"]],
    ["decimal commas", ["1,5", "1.234,5", "0,7"], ["0,7", "1,5", "1.234,5"]],
    ["dates", ["2025-03-01", "2024-12-31"], ["2024-12-31", "2025-03-01"]],
    ["dates in words", ["3 March 2025", "Dec 1, 2024"], ["Dec 1, 2024", "3 March 2025"]],
    ["days first", ["13/01/2025", "02/02/2024"], ["02/02/2024", "13/01/2025"]],
    ["dates with dots", ["01.12.2024", "02.01.2024"], ["02.01.2024", "01.12.2024"]],
    ["text", ["b", "Ä", "a10", "a9", ""], ["Ä", "a9", "a10", "b", ""]],
    ["numbers and words", ["10", "9", "none"], ["9", "10", "none"]],
  ])("%s", (_, cells, expected) => {
    expect(sorted(cells)).toEqual(expected);
  });

  test("downwards keeps equal rows in order, and empty ones last", () => {
    const given = [
      ["1", "a"],
      ["", "b"],
      ["2", "c"],
      ["1", "d"],
    ];
    const places = sortedPlaces(given, { column: 0, direction: "descending" });
    expect(places.map((place) => given[place]?.[1])).toEqual(["c", "a", "d", "b"]);
  });

  test("goes up, down, and back", () => {
    const up = nextSort(null, 1);
    expect(up).toEqual({ column: 1, direction: "ascending" });
    expect(nextSort(up, 1)).toEqual({ column: 1, direction: "descending" });
    expect(nextSort(nextSort(up, 1), 1)).toBeNull();
    expect(nextSort(up, 0)).toEqual({ column: 0, direction: "ascending" });
  });

  test.each(["12 ms", "1.2.3", "", "1,23,4", "0x1f"])("%j is no number", (cell) => {
    expect(numberIn(cell)).toBeNull();
  });
});

describe("copies", () => {
  test("as CSV quote what needs it, and change no value", () => {
    const lines = [
      ["a", 'say "hi"', "x,y"],
      ["=1+1", "-2", "@me\nagain"],
    ];
    expect(asCsv(lines)).toBe('a,"say ""hi""","x,y"\r\n=1+1,-2,"@me\nagain"\r\n');
  });

  test("as Markdown read as the same table", () => {
    const table = {
      heads: ["a", "b"],
      aligns: ["right", null] as const,
      rows: [["x | y", "**1**"]],
    };
    expect(readTable(asMarkdown(table))).toEqual(table);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitBlocks as blocksOf, splitPieces, splitSections } from "./split-blocks";
import { linesOf, weightOf } from "./text-weight";
import { isTooHeavy } from "./too-heavy";

const splitBlocks = (text: string) => blocksOf(text).map((block) => block.text);

const worst: Record<string, string> = {
  bold: "**a**".repeat(20_000),
  quotes: "> ".repeat(10_000),
  brackets: "[".repeat(100_000),
  links: "[a](b) ".repeat(14_000),
  table: `|a|b|\n|-|-|\n${"|x|y|\n".repeat(15_000)}`,
  headings: "# a\n".repeat(25_000),
  list: "- item **b**\n".repeat(8_000),
  footnotes: `${"[^1] ".repeat(20_000)}\n\n[^1]: x`,
  html: "<div>".repeat(20_000),
  "unclosed fence": `\`\`\`\n${"text ".repeat(20_000)}`,
};

describe("worst cases", () => {
  it.each(Object.entries(worst))(
    "cuts 100 KB of %s at once and keeps every character",
    (_, text) => {
      const before = process.cpuUsage();
      const blocks = splitBlocks(text);
      expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
      expect(blocks.join("")).toBe(text);
    },
  );

  it.each(Object.entries(worst).filter(([name]) => !["unclosed fence", "list"].includes(name)))(
    "does not hand 100 KB of %s to the parser",
    (_, text) => {
      const parsed = splitBlocks(text).filter((block) => !isTooHeavy(block));
      expect(parsed.join("").length).toBeLessThan(100);
    },
  );
});

it("loses nothing, whatever the text", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("```js\n", "```\n", "\n\n", "- a\n", "> b\n", "~~~\n", "| a |\n"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join("");
      // The lexer changes white space at the ends of lines, which Markdown does not show.
      expect(splitBlocks(text).join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
    }),
  );
});

it("keeps a code block whole, however long and whatever is in it", () => {
  const code = `\`\`\`ts\n${"const a = 1;\n\n# no heading\n".repeat(600)}\`\`\`\n`;
  expect(splitBlocks(`Before\n\n${code}After`)).toEqual(["Before\n\n", code, "After"]);
});

it("formats a long text of ordinary paragraphs in full", () => {
  const text = "Some *words* with a [link](https://a.example) and `code`.\n\n".repeat(2_000);
  expect(splitBlocks(text).some(isTooHeavy)).toBe(false);
});

it("leaves the cuts of earlier text alone while text is appended", () => {
  const text = "A paragraph that is long enough to matter.\n\n".repeat(400);
  const before = splitBlocks(text);
  const after = splitBlocks(`${text}And one more.`);
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
});

it("cuts a text of formulas into light sections, and no formula in two", () => {
  const formula = "$$\na\n\nb\n$$\n\n";
  const sections = splitSections(formula.repeat(100));
  expect(sections.join("")).toBe(formula.repeat(100));
  expect(sections.every((section) => section.length % formula.length === 0)).toBe(true);
  expect(Math.max(...sections.map(weightOf))).toBeLessThan(7_000);
});

it("cuts on where a formula is never closed", () => {
  const sections = splitSections(`It costs $$ 5.\n\n${"Some words.\n\n".repeat(4_000)}`);
  expect(Math.max(...sections.map(({ length }) => length))).toBeLessThan(20_000);
});

const heavy: Record<string, string> = {
  "one line": "**a**".repeat(20_000),
  "one line of characters that are two": "😀".repeat(30_000),
  words: "some *words* ".repeat(8_000),
  lines: "*a* | b\n".repeat(12_000),
};

describe.each(Object.entries(heavy))("100 KB of %s", (_, text) => {
  const pieces = splitPieces(`${text}\n\nAnd the end.`);

  it("keeps every character", () => {
    expect(pieces.map((piece) => piece.text).join("")).toBe(`${text}\n\nAnd the end.`);
    expect(pieces.every((piece) => piece.text.isWellFormed())).toBe(true);
  });

  it("is shown as it is, a little at a time", () => {
    const plain = pieces.filter(({ heavy }) => heavy);
    expect(plain.filter(({ isFirst }) => isFirst)).toHaveLength(1);
    expect(plain.length).toBeGreaterThan(15);
    expect(Math.max(...plain.map((piece) => piece.text.length))).toBeLessThanOrEqual(4_000);
  });
});

it("keeps a long table in one piece, and what is around it apart", () => {
  const table = `|a|b|\n|-|-|\n${"|x|y|\n".repeat(15_000)}`;
  const pieces = splitPieces(`Before.\n\n${table}\nAfter.`);
  expect(pieces.map(({ text }) => text).join("")).toBe(`Before.\n\n${table}\nAfter.`);
  expect(pieces.find(({ isTable }) => isTable)?.text).toBe(table);
  expect(splitBlocks(`Before.\n\n${table}\nAfter.`)).toContain(table);
});

it("cuts between lines where there are any", () => {
  const pieces = splitPieces(heavy.lines ?? "");
  expect(pieces.every(({ text }) => text.endsWith("\n"))).toBe(true);
});

it("leaves what can be formatted, and code however long, in one piece", () => {
  const code = `\`\`\`js\n${"const a = 1;\n".repeat(3_000)}\`\`\`\n`;
  expect(splitPieces(`Some *words*.\n\n${code}`)).toEqual([
    { text: "Some *words*.\n\n", blocks: [{ text: "Some *words*.\n\n" }] },
    { text: code, blocks: [{ text: code }] },
  ]);
});

it("guesses how many lines a text fills", () => {
  expect(linesOf("one\n\nthree\n\n")).toBe(3);
  expect(linesOf("word ".repeat(170))).toBe(10);
});

import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, test } from "vitest";
import { innerText } from "./light-blocks";
import { MarkdownBody } from "./markdown-body";
import { parseMarkdown } from "./parse-markdown";
import { renderMarkdown } from "./render-markdown";
import { isShownPlain, splitBlocks, splitPieces } from "./split-blocks";
import { readLongTable } from "./table-text";
import { ordinaryMarkdown } from "./testing/ordinary-markdown";

const shown = (text: string) =>
  renderToStaticMarkup(createElement(MarkdownBody, { text, isStreaming: false }));

const wordsIn = (text: string) => new Set(text.match(/w\d+w/g));

it("shows no ordinary Markdown of up to 100,000 characters as it is written", {
  tags: "long",
}, () => {
  fc.assert(
    fc.property(ordinaryMarkdown(100_000), ({ text }) => {
      const pieces = splitPieces(text);
      expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      expect(pieces.filter(({ heavy }) => heavy).map((piece) => piece.text)).toEqual([]);
      expect(splitBlocks(text).filter(isShownPlain)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

it("loses no word of ordinary Markdown", { tags: "long" }, () => {
  fc.assert(
    fc.property(ordinaryMarkdown(30_000), ({ text, words }) => {
      const blocks = splitBlocks(text);
      const windowed = blocks.filter(({ isTable }) => isTable);
      const cells = windowed.flatMap((block) => {
        const table = readLongTable(innerText(block));
        return table ? [table.heads, ...table.rows].flat() : [];
      });
      const read = wordsIn(shown(text) + cells.join(" "));
      expect(words.filter((word) => !read.has(word))).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

/** Without what the cuts of lists and quotes add, and the paragraphs of loose items. */
function withoutCuts(html: string): string {
  let text = html
    .replace(/<\/?(?:p|div)\b[^>]*>/g, "")
    .replace(/\s+/g, "")
    .replace(/<liclass="unmarked">/g, "<more>")
    .replace(/<(\/?)(?:ul|ol)\b[^>]*?>|<(\/?)(?:ul|ol)(?:class|dir|start)[^>]*>/g, "<$1$2list>")
    .replace(/<li[^s>]*>/g, "<li>")
    .replace(/<blockquote[^>]*>/g, "<blockquote>");
  const rules = [/<\/li><\/list><list><more>/g, /<\/list><list>/g, /<\/blockquote><blockquote>/g];
  for (let before = ""; before !== text; ) {
    before = text;
    // The first rule comes first, until it applies no more.
    const applying = rules.find((each) => text.search(each) >= 0);
    if (applying) text = text.replace(applying, "");
  }
  return text;
}

const item = (words: number) => `${"word ".repeat(words)}**end**`;
const repeat = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("");

const long: Record<string, string> = {
  "a list of bullets": repeat(150, (at) => `- ${at} ${item(16)}\n`),
  "a numbered list with blank lines": repeat(150, (at) => `${at + 1}. ${at} ${item(16)}\n\n`),
  "a numbered list from 7": repeat(150, (at) => `${at + 7}) ${item(16)}\n`),
  "a list numbered by ones": repeat(150, () => `1. ${item(16)}\n`),
  "a list after words": `Words:\n${repeat(150, (at) => `- ${at} ${item(16)}\n`)}`,
  "nested lists": repeat(
    90,
    (at) => `- ${at} ${item(8)}\n  1. one ${item(8)}\n  2. two\n     - three\n`,
  ),
  "one item with a long list": `1. Chapter\n${repeat(200, (at) => `   - ${at} ${item(16)}\n`)}\n2. Next\n`,
  "one item with a long numbered list": `- Chapter\n${repeat(200, (at) => `  ${at + 1}. ${item(16)}\n`)}- Next\n`,
  "one item three lists deep": `- a\n  - b\n    - c\n${repeat(300, (at) => `      1. ${at} ${item(16)}\n`)}    - d\n  - e\n- f\n`,
  "an item of paragraphs": `1. a\n\n${repeat(150, (at) => `   ${at} ${item(20)}\n\n`)}2. b\n`,
  "an item of code": `1. a\n\n   \`\`\`js\n${repeat(700, (at) => `   - ${at} | "x" & y\n\n`)}   \`\`\`\n\n2. b\n`,
  tasks: repeat(200, (at) => `- [${at % 2 ? "x" : " "}] ${item(16)}\n`),
  "lazy lines": repeat(150, (at) => `1. ${at} ${item(9)}\n${item(9)}\n`),
  "a quote": repeat(150, (at) => `> ${at} ${item(16)}\n>\n`),
  "a quote of lists": `> Words\n>\n${repeat(150, (at) => `> ${at + 1}. ${item(16)}\n`)}`,
  "a quote of an item with a list": `> 1. a\n${repeat(200, (at) => `>    - ${at} ${item(16)}\n`)}> 2. b\n`,
  "a quote in an item": `- a\n\n${repeat(150, (at) => `  > ${at} ${item(16)}\n  >\n`)}- b\n`,
  "lists with other signs": `${repeat(120, () => `- ${item(12)}\n`)}${repeat(120, () => `* ${item(12)}\n`)}${repeat(120, (at) => `${at + 1}. ${item(12)}\n`)}`,
  "items with tabs": repeat(120, (at) => `-\t${at} ${item(12)}\n\n\t${item(6)}\n`),
  "items that begin with rules and headings": repeat(
    120,
    (at) => `1. # ${at} ${item(12)}\n   ---\n\n   ${item(4)}\n`,
  ),
  "items that drift to the right": repeat(40, (at) => `${" ".repeat(at % 4)}- ${at} ${item(60)}\n`),
  "dashes that are rules": repeat(80, (at) => `- ${at} ${item(30)}\n\n- - -\n\n`),
};

describe.each(Object.entries(long))("%s", (_, text) => {
  const whole = renderToStaticMarkup(renderMarkdown(parseMarkdown(text), text));

  it("is parted, and joined is the same text", () => {
    const blocks = splitBlocks(text);
    expect(blocks.map((block) => block.text).join("")).toBe(text);
    expect(blocks.length).toBeGreaterThan(1);
  });

  it("is shown as it would be shown in one piece", () => {
    expect(withoutCuts(shown(text))).toBe(withoutCuts(whole));
  });
});

const mixtures: readonly (readonly [string, ...string[]])[] = [
  ["- @\n", "- @\n", "  - @\n", "1. @\n", "    @\n", "\n"],
  ["1. @\n", "1. @\n", "   - @\n", "   @\n", "\n", "   ```\n   - @\n   ```\n"],
  ["- @\n", "@\n", "\n", "  > @\n", "  1. @\n", "     @\n"],
  ["> - @\n", "> @\n", ">\n", ">   @\n", ">   - @\n"],
  ["- @\n", "* @\n", "1) @\n", "1. @\n", "\n", " - @\n", "   - @\n", "---\n", "# @\n"],
  ["- [ ] @\n", "  - [x] @\n", "\n", "  @\n", "  | a |\n  |---|\n  | @ |\n"],
];

it("shows lines of lists and quotes in any order as in one piece", { tags: "long" }, () => {
  const linesOfOne = fc
    .constantFrom(...mixtures)
    .chain((lines) =>
      fc
        .array(fc.constantFrom(...lines), { minLength: 110, maxLength: 130 })
        .map((more) => [lines[0], ...more]),
    );
  fc.assert(
    fc.property(linesOfOne, (lines) => {
      const text = lines
        .map((line, at) => line.replace("@", `${at} ${"word ".repeat(22)}`))
        .join("");
      expect(
        splitBlocks(text)
          .map((block) => block.text)
          .join(""),
      ).toBe(text);
      const whole = renderToStaticMarkup(renderMarkdown(parseMarkdown(text), text));
      expect(withoutCuts(shown(text))).toBe(withoutCuts(whole));
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

describe("a list that goes on in a later block", () => {
  const startsOf = (text: string) => splitBlocks(text).map(({ start }) => start);

  it("keeps its numbers, whatever is written", () => {
    const byOnes = splitBlocks(long["a list numbered by ones"] ?? "");
    const counts = byOnes.map(({ text }) => text.split("\n").length - 1);
    expect(byOnes.map(({ start }) => start)).toEqual(
      counts.map((_, at) => {
        return at === 0
          ? undefined
          : 1 + counts.slice(0, at).reduce((sum, count) => sum + count, 0);
      }),
    );
    const html = shown(long["a numbered list from 7"] ?? "");
    for (const start of startsOf(long["a numbered list from 7"] ?? "").slice(1))
      expect(html).toContain(`start="${start}"`);
  });

  it("starts again at the number of a new list", () => {
    const text = `${repeat(80, () => `1. ${item(20)}\n`)}\nWords.\n\n${repeat(3, () => `1. ${item(2)}\n`)}`;
    expect(startsOf(text).at(-1)).toBeUndefined();
  });

  it("keeps its numbers within the item around it", () => {
    const blocks = splitBlocks(long["one item with a long numbered list"] ?? "");
    const numbers = blocks.map(({ text }) => Number(/^ {2}(\d+)\./.exec(text)?.[1]));
    expect(blocks.slice(1).filter(({ within }) => within === "i2").length).toBeGreaterThan(1);
    for (const [at, { within, start }] of blocks.entries())
      if (within === "i2" && start !== undefined) expect(start).toBe(numbers[at]);
  });

  it("stays as it is while the text grows", () => {
    for (const text of Object.values(long)) {
      const whole = splitBlocks(text);
      const before = splitBlocks(text.slice(0, -200));
      expect(whole.slice(0, before.length - 3)).toEqual(before.slice(0, -3));
    }
  });
});

test.each([
  ["bullets", 111, (at: number) => `- ${at} ${item(22)}\n`],
  ["numbers with blank lines", 112, (at: number) => `${at + 1}. ${at} ${item(22)}\n\n`],
])("formats a heading and %s at any length", (_, count, line) => {
  const text = `## Heading\n\n${repeat(count, line)}`;
  expect(text.length).toBeGreaterThan(12_000);
  const html = shown(text);
  expect(html).toContain("Heading</h2>");
  expect(html.match(/<li/g)).toHaveLength(count);
});

test("windows a table of few rows and many cells", () => {
  const row = (at: number) => `|${` **${at}** some words here |`.repeat(14)}\n`;
  const text = `${row(0)}${"|-".repeat(14)}|\n${repeat(40, row)}`;
  expect(splitBlocks(text)).toEqual([{ text, isTable: true }]);
  expect(shown(text)).toContain('aria-rowcount="41"');
});

test("leaves a table in an item of a list where it is", () => {
  const table = `  | a | b |\n  |---|---|\n${repeat(140, (at) => `  | ${at} | words |\n`)}`;
  const html = shown(`- Before\n\n${table}\n- After\n`);
  expect(html).toMatch(/<li[^>]*>.*139.*After<\/p>\s*<\/li>\s*<\/ul>/s);
});

describe("notes and references of a long text", () => {
  const filler = repeat(300, (at) => `${at} ${item(20)}\n\n`);
  const text = `One[^a] and [text][r].\n\n${filler}Two[^b].\n\n[^a]: Note one\n\n[^b]: Note two\n    goes on\n\n[R]: https://a.example/r\n`;

  it("are shown with what refers to them, however far it is", () => {
    const html = shown(text);
    expect(html).toContain("Note one");
    expect(html).toMatch(/Note two\s+goes on/);
    expect(html).toContain('href="https://a.example/r"');
    expect(html).not.toContain("[^a]");
    expect(html.match(/Note one/g)).toHaveLength(1);
  });

  it("are none in code", () => {
    expect(shown(`See [a].\n\n\`\`\`\n[a]: https://a.example\n\`\`\`\n`)).toContain("See [a].");
  });
});

test("shows only the block that is too heavy as it is written, and offers to format it", () => {
  const heavy = "**a".repeat(3_000);
  const html = shown(`## Heading\n\n${heavy} \\(x\\)\n\n- item\n`);
  expect(html).toContain("Heading</h2>");
  expect(html).toContain("**a**a");
  expect(html).toContain("\\(x\\)");
  expect(html).toContain("Format anyway");
  expect(html).toContain("<li");
});

test("shows a cell that is too heavy as it is written", () => {
  const text = `|a|b|\n|-|-|\n${repeat(120, (at) => `|${at}|${at === 3 ? "**a".repeat(3_000) : "b"}|\n`)}`;
  expect(shown(text)).toContain("**a**a**a");
});

test("closes the marks at the end of a growing text only", () => {
  const html = renderToStaticMarkup(
    createElement(MarkdownBody, { text: `2 * 3\n\n${item(3)}\n\nSome **bold`, isStreaming: true }),
  );
  expect(html).toContain("2 * 3");
  expect(html).toContain("<strong>bold</strong>");
});

it("tells a screen reader that a list goes on, in each part but its first", () => {
  const html = shown(
    Array.from({ length: 400 }, (_, n) => `- item ${n} of a long list`).join("\n"),
  );
  const lists = html.match(/<ul[^>]*>/g) ?? [];
  expect(lists.length).toBeGreaterThan(1);
  expect(lists[0]).not.toContain("aria-label");
  expect(lists.slice(1).every((list) => list.includes('aria-label="List, continued"'))).toBe(true);
});

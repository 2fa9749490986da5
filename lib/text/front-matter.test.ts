import { describe, expect, test } from "vitest";
import { readFrontMatter, withFields } from "./front-matter";

function fields(...lines: string[]) {
  const { fields } = readFrontMatter(["---", ...lines, "---", "Body."].join("\n"));
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}

describe("readFrontMatter", () => {
  test.each([
    ["a: One # note", "One"],
    ['a: "Says \\"hi\\": \\u0041"', 'Says "hi": A'],
    ["a: 'It''s'", "It's"],
    ["a: Use this: when asked", "Use this: when asked"],
    ["a: One\n  two", "One two"],
    ["a: >-\n  One\n  two", "One two"],
    ["a: |\n  One\n    two", "One\n  two"],
    ["a:", ""],
    ["a: []", []],
    ["a: [One, 'two, three']", ["One", "two, three"]],
    ["a: [Don't, 'It''s, so', \"\\\", x\"] # all", ["Don't", "It's, so", '", x']],
    ["a: { b: 'c, d', e: f }", { b: "c, d", e: "f" }],
    ["a: C# and F# # not G#", "C# and F#"],
    ["a:\n  - One\n  - two", ["One", "two"]],
    ["a:\n- One\n- two", ["One", "two"]],
    ["a:\n  write: false\n  bash: true", { write: "false", bash: "true" }],
    ["a: { write: false }", { write: "false" }],
    ["a:\n  b:\n    c: 1", null],
  ])("reads %j", (line, value) => {
    expect(fields(line)).toEqual({ a: value });
  });

  test("takes a text without front matter as body, with Windows line ends and a mark at its start", () => {
    expect(readFrontMatter("Only a body.")).toEqual({ fields: [], body: "Only a body." });
    expect(readFrontMatter("\uFEFF---\r\na: b\r\n---\r\nBody.\r\n")).toEqual({
      fields: [{ name: "a", value: "b" }],
      body: "Body.",
    });
  });

  test.each([
    ["---\na: b\n", "Line 1: no later line ends what begins here with ---."],
    ["---\na: b\nfree text\n---", "Line 3: “free text” is no “key: value”."],
    ["---\na:b\n---", "Line 2: “a:b” is no “key: value”."],
    ["---\na: b\n\ta: c\n---", "Line 3: indent with spaces, not with a tab."],
    ['---\nb: c\na: "open\n---', 'Line 3: a text in " does not end with it.'],
    ["---\na: [one, two\n---", "Line 2: “[” has no “]”."],
    ["---\na: b\na: c\n---", "Line 3: “a” is there twice."],
    [
      `---\na: b\nc: ${"d".repeat(20_000)}\n---`,
      "Line 3: above the second --- are more than 20,000 characters.",
    ],
  ])("names the line of %j", (text, message) => {
    expect(() => readFrontMatter(text)).toThrow(message);
  });
});

describe("withFields", () => {
  test("keeps comments and other fields as they are", () => {
    const text = "---\n# mine\nname: Old\nhooks:\n  Stop:\n    - run: x\ntools: [a]\n---\nBody.";
    expect(withFields(text, { name: "New: one", tools: null, icon: "🌱" }, "Other body.")).toBe(
      '---\n# mine\nname: "New: one"\nhooks:\n  Stop:\n    - run: x\nicon: 🌱\n---\n\nOther body.\n',
    );
  });

  test("keeps a field that is called as what every object has", () => {
    const text = "---\nconstructor: a\ntoString: b\n---\n\nBody.\n";
    expect(withFields(text, {}, "Body.")).toBe(text);
  });

  test.each([
    "plain",
    "true",
    "12",
    "a: b",
    "- item",
    "#tag",
    'quoted "word"',
    "two\nlines",
    "tab\there",
    " space ",
    "ünï 🌳",
    "\\n",
    "@at",
    "[x]",
  ])("reads back what it wrote of %j", (value) => {
    const text = withFields("", { a: value, list: [value, "other"] }, "");
    expect(readFrontMatter(text).fields).toEqual([
      { name: "a", value },
      { name: "list", value: [value, "other"] },
    ]);
  });
});

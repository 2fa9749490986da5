import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, test } from "vitest";
import { parseMarkdown } from "./parse-markdown";
import { renderMarkdown } from "./render-markdown";
import { topLevelBlocks } from "./top-level-blocks";

function shown(text: string): string {
  return renderToStaticMarkup(renderMarkdown(parseMarkdown(text), text)).replace(/\s+/g, "");
}

test.each([
  ["paragraphs", "One.\n\nTwo,\non two lines.\n\n", ["One.\n\n", "Two,\non two lines.\n\n"]],
  ["headings", "# One\nWords.\n## Two\n", ["# One\n", "Words.\n", "## Two\n"]],
  ["paragraphs from the list before", "- a\n\n  b\n\n- c\n\nEnd", ["- a\n\n  b\n\n- c\n\n", "End"]],
  ["tables", "Words.\n\n|a|\n|-|\n|b|\n\nEnd", ["Words.\n\n", "|a|\n|-|\n|b|\n\n", "End"]],
])("parts %s", (_, text, blocks) => {
  expect(topLevelBlocks(text)).toEqual(blocks);
});

test.each([
  ["details", "<details>\n\nOne.\n\nTwo.\n\n</details>\n"],
  ["a formula", "$$\na\n\nb\n$$\n"],
  ["a list in what may be a formula", "$$\n- [ ] a\n$$\n\n- [ ] b\n"],
  ["an indented fence", " ```\na\n\nb\n ```\n"],
  ["a comment", "<!-- a\n\nb -->\n"],
  ["a fence that may be HTML, and all after it", "<b>\n```\n\na\n```\n\nb\n"],
  ["references and their definitions", "A [word].\n\n[word]: https://a.example\n"],
])("keeps %s in one block", (_, text) => {
  expect(topLevelBlocks(text)).toEqual([text]);
});

it("shows a text in blocks as it would be shown in one piece", { tags: "long" }, () => {
  const line = fc.constantFrom(
    ...["words", "# head", "- item", "1. one", "  more", "> quote", "```", "~~~", "| a |", "|-|"],
    ...[
      "---",
      "===",
      "    code",
      "",
      "",
      "",
      "**b**",
      "- [ ] task",
      "<pre>",
      "</pre>",
      "<b>x</b>",
      "$$",
    ],
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 24 }), (lines) => {
      const text = lines.join("\n");
      const blocks = topLevelBlocks(text);
      expect(blocks.join("")).toBe(text);
      expect(blocks.map(shown).join("")).toBe(shown(text));
    }),
    { numRuns: 500, examples: [[["$$", "- [ ] task", "$$", "", "- [ ] task"]]] },
  );
});

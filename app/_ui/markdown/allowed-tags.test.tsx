import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { MarkdownBody } from "./markdown-body";

function shown(text: string): string {
  return renderToStaticMarkup(<MarkdownBody text={text} isStreaming={false} />)
    .replace(/<div[^>]*>|<\/div>/g, "")
    .replace(/ dir="(auto|ltr)"/g, "")
    .replace(/\n+/g, "\n")
    .replaceAll("<br/>\n", "<br/>")
    .trim();
}

test.each([
  ["H<sub>2</sub>O", "<p>H<sub>2</sub>O</p>"],
  ["E = mc<sup>2</sup>", "<p>E = mc<sup>2</sup></p>"],
  ["Press <kbd>Ctrl</kbd>+<kbd>C</kbd>", "<p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd></p>"],
  ["One<br>two<BR/>three", "<p>One<br/>two<br/>three</p>"],
  ["<sub>**bold**</sub>", "<p><sub><strong>bold</strong></sub></p>"],
])("shows %s as elements", (text, html) => {
  expect(shown(text)).toBe(html);
});

test("breaks lines within the cells of a table", () => {
  expect(shown("| a |\n|---|\n| x<br>y |")).toContain("<td>x<br/>y</td>");
});

test("aligns the cells of a table as their column says", () => {
  const html = shown("| a | b |\n|--:|---|\n| 1 | 2 |");
  expect(html).toContain('<td style="text-align:right">1</td><td>2</td>');
  expect(html).toMatch(/<th style="text-align:right"[^>]*>a<\/th><th>b<\/th>/);
});

test("folds what stands within details, Markdown included", () => {
  const html = shown("<details>\n<summary>More *here*</summary>\n\n- one\n- **two**\n\n</details>");
  expect(html).toMatch(/^<details><summary>More \*here\*<\/summary>/);
  expect(html).toMatch(/<strong>two<\/strong>[\s\S]*<\/details>$/);
  expect(html).not.toContain("&lt;");
});

test("keeps code within details together with them", () => {
  const html = shown(
    "<details><summary>Code</summary>\n\n```js\nlet a;\n```\n\n</details>\n\nAfter",
  );
  expect(html).toMatch(/<details>.*<figure[\s\S]*let a;[\s\S]*<\/details>[\s\S]*After/);
});

test("names details that have no summary", () => {
  expect(shown("<details>\n\nText\n\n</details>")).toContain("<summary>Details</summary>");
});

test("opens what says so, and takes no other attribute", () => {
  const html = shown(
    '<details open onclick="a()" style="x">\n<summary class="y">S</summary>\n\nT\n\n</details>\n\nA<sub onclick="b()">2</sub><br style="c" onload="d()">',
  );
  expect(html).toContain('<details open="">');
  expect(html).toContain("<sub>2</sub><br/>");
  expect(html).not.toMatch(/onclick|onload|style|class="y"/);
});

test.each([
  "<b>bold</b>",
  "a <script>x</script> b",
  '<img src="x" onerror="y">',
  "<subx>a</subx>",
  "<kbd>never closed",
  "</sub> never opened",
  "<summary>without details</summary>",
  "a <iframe></iframe><sup",
])("leaves %s as text", (text) => {
  expect(
    shown(text)
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&quot;/g, '"'),
  ).toContain(text);
});

test("shows tags nested a thousand deep", () => {
  expect(shown(`${"<sub>".repeat(700)}x`)).toContain("x");
});

import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { parseMarkdown } from "./parse-markdown";
import { renderMarkdown } from "./render-markdown";

function html(text: string): string {
  return renderToStaticMarkup(renderMarkdown(parseMarkdown(text), text))
    .replaceAll(/ (class|tabindex|data-[a-z-]+|target|rel)="[^"]*"/g, "")
    .replaceAll(/<(svg|button)\b.*?<\/\1>/gs, "")
    .replaceAll("\n", "");
}

test.each([
  ["a paragraph", "One *two* **three** ~~four~~", "<em>two</em> <strong>three</strong> <del>four"],
  ["headings", "# A\n\n###### B", '<h1 dir="auto">A</h1><h6 dir="auto">B</h6>'],
  ["a hard break", "a  \nb\\\nc", "a<br/>b<br/>c"],
  ["a tight list", "- a\n- b", '<ul dir="ltr"><li dir="ltr">a</li><li dir="ltr">b</li></ul>'],
  ["a loose list", "- a\n\n- b", '<li dir="ltr"><p dir="auto">a</p></li>'],
  ["where a list begins", "3) c\n4) d", '<ol dir="ltr" start="3">'],
  ["code in a line, also over two", "`a\nb`", '<code dir="ltr">a b</code>'],
  ["indented code as a block", "    a\n    b", "<figure"],
  ["a right-to-left quote", "> اقتباس", '<blockquote dir="rtl">'],
  ["a footnote at its end", "a[^1]\n\n[^1]: Note", "<sup><bdi>1</bdi></sup>"],
  ["what only looks like one", "a [^none]", "a [^none]"],
  ["a reference", "[Text][r]\n\n[r]: https://a.example/x", 'href="https://a.example/x"'],
  ["alignment in a table", "|a|\n|-:|\n|1|", '<td style="text-align:right">1</td>'],
])("shows %s", (_, text, expected) => {
  expect(html(text)).toContain(expected);
});

test("shows tasks as boxes that are ticked or not", () => {
  const shown = html("- [x] done\n- [ ] open");
  expect(shown.match(/<input[^>]*type="checkbox"[^>]*>/g)).toHaveLength(2);
  expect(shown.match(/checked/g)).toHaveLength(1);
});

test.each([
  ["a script", "<script>alert(1)</script>"],
  ["an event", '<b onclick="x()">a</b>'],
  ["an event of an allowed tag", '<kbd onclick="x()">a</kbd>'],
  ["an address that runs", "[a](javascript:alert(1))"],
  ["an address that holds a page", "[a](data:text/html,x)"],
  ["an address that hides", "[a](  java\tscript:alert(1))"],
  ["a style", "<style>* { display: none }</style>"],
  ["a frame", '<iframe src="https://evil.example"></iframe>'],
])("makes no element or address of %s", (_, text) => {
  expect(html(text)).not.toMatch(/<(script|style|iframe|b)\b|onclick="|href=/);
});

test("loads no image, and names its host", () => {
  const shown = html("![A tree](https://pictures.example/tree.png)");
  expect(shown).not.toContain("<img");
  expect(shown).toContain("A tree");
  expect(shown).toContain("pictures.example");
});

test("names the host of a link whose words name another", () => {
  expect(html("[https://bank.example](https://evil.example/x)")).toContain("(evil.example)");
});

test("keeps a backslash in an address", () => {
  expect(html("<https://a.example/\\b>")).toContain('href="https://a.example/%5Cb"');
});

import { renderToStaticMarkup } from "react-dom/server";
import remend from "remend";
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

test.each([
  ["**“重点”**内容", "<strong>“重点”</strong>内容"],
  ["**注意：**这里", "<strong>注意：</strong>这里"],
  ["这是**（重要）**的", "这是<strong>（重要）</strong>的"],
  ["*《红楼梦》*是小说", "<em>《红楼梦》</em>是小说"],
  ["これは**「重要」**です", "これは<strong>「重要」</strong>です"],
  ["**ﾃｽﾄ。**です", "<strong>ﾃｽﾄ。</strong>です"],
  ["**스크립트(script)**라고", "<strong>스크립트(script)</strong>라고"],
  ["价格~~（旧）~~是", "价格<del>（旧）</del>是"],
  ["***“两者”***都有", "<strong>“两者”</strong></em>都有"],
  ["使用**`code`**函数", '<strong><code dir="ltr">code</code></strong>函数'],
  ["**[链接](https://a.example)。**后面", "</bdi></a>。</strong>后面"],
  ["**𠮷。**野家", "<strong>𠮷。</strong>野家"],
  ["- **注意：**这里", "<strong>注意：</strong>这里"],
  ["|a|\n|-|\n|**“重点”**内容|", "<strong>“重点”</strong>内容"],
  ["**重点**内容", "<strong>重点</strong>内容"],
])("closes marks beside the punctuation of scripts without spaces: %s", (text, expected) => {
  expect(html(text)).toContain(expected);
  expect(html(remend(text))).toContain(expected);
});

test.each(["2 * 3 * 4", "snake_case_name", "a**b", '**"a"**b', "她说 ** 这 ** 不"])(
  "leaves %s as it is written",
  (text) => {
    expect(html(text)).toContain(text.replaceAll('"', "&quot;"));
  },
);

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

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readableText } from "./readable-text";

const url = "https://tea.example/a/";
const long = "Leaves that have not withered make green tea. ".repeat(8).trim();

describe("the readable text of a page", () => {
  test("is its article with headings, lists, code and links", async () => {
    const html = `<html><head><title>Green
      tea</title><style>p { color: red }</style></head><body>
      <nav><a href="/">Home</a></nav><header>Banner</header>
      <main><h1>Green tea</h1><p>${long} See <a href="b#c">the <b>guide</b></a>.</p>
      <ul><li>One</li><li>Two &amp; three</li></ul><pre>a
  b</pre><script>alert("x")</script><p hidden>Secret</p></main>
      <footer>Imprint</footer></body></html>`;
    expect(await readableText(html, url)).toEqual({
      title: "Green tea",
      text: `# Green tea\n\n\n${long} See [the guide](https://tea.example/a/b#c).\n- One\n- Two & three\n\n\`\`\`\na\n  b\n\`\`\``,
    });
  });

  test("is the whole page without menus where no article is marked", async () => {
    const html = `<div><a href="/x">Menu</a></div><aside>Aside</aside><div>${long}</div>`;
    expect(await readableText(html, url)).toEqual({ title: null, text: long });
  });

  test("is all there is on a page of links", async () => {
    const html = '<div><a href="/x">One</a></div><div><a href="javascript:x">Two</a></div>';
    const { text } = await readableText(html, url);
    expect(text).toBe("[One](https://tea.example/x)\n\nTwo");
  });

  test("comes of any markup, and has no script in it", async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<p>",
        "</p>",
        "<a href=x>",
        "</a>",
        "<main>",
        "</div>",
        "<script>",
        "</script>",
        "<!--",
        "<li>",
        "&amp",
        "<title>",
      ),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const { text } = await readableText(`${pieces.join("")}<script>SECRET</script>`, url);
        expect(typeof text).toBe("string");
      }),
    );
    const { text } = await readableText(`<p>Text</p><script>SECRET</script>`, url);
    expect(text).toBe("Text");
  });

  test("is refused of a page that is nested too deeply", async () => {
    await expect(readableText("<div>".repeat(500_000), url)).rejects.toThrow("nested too deeply");
  });
});

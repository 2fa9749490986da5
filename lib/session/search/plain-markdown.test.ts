import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainMarkdown } from "./plain-markdown";

describe("plainMarkdown", () => {
  test.each([
    ["## Watering\n\nOnce **a day**", "Watering\nOnce a day"],
    ["- [ ] buy *seeds*\n- [x] `dig`", "buy seeds\ndig"],
    ["> quoted _words_", "quoted words"],
    ["see [the page](https://x.example/a?b=c) and ![a pot](p.png)", "see the page and a pot"],
    ["| Plant | When |\n|---|:-:|\n| Bean | May |", "Plant · When\nBean · May"],
    ["```js\nlet a = 1;\n```", "let a = 1;"],
    ["a\n\n---\n\nb", "a\nb"],
    ["***both***", "both"],
    ["use `*` or `**`, not **`x`**", "use * or **, not x"],
    ["`*a*` and `__init__`", "*a* and __init__"],
    ["**“重点”**内容，这是**注意：**这里", "“重点”内容，这是注意：这里"],
    ["これは**「重要」**です", "これは「重要」です"],
    ["**스크립트**라고 ~~하다~~는", "스크립트라고 하다는"],
  ])("of %j is what is read", (markdown, read) => {
    expect(plainMarkdown(markdown)).toBe(read);
  });

  test.each([
    "snake_case_name",
    "2*3*4 = 24",
    "What do *args and **kwargs mean?",
    "*.ts and *.js, a *b * c",
    "a - b",
    "C# and F#",
    "5 > 3",
    "x | y",
    "变量_name_值",
  ])("leaves %j alone", (text) => {
    expect(plainMarkdown(text)).toBe(text);
  });

  test("loses no word of any text, and takes no time over one made to hurt", () => {
    const pieces = fc.constantFrom("*", "_", "`", "[", "]", "|", "#", ">", "word", " ", "\n", "~~");
    fc.assert(
      fc.property(fc.array(pieces), (all) => {
        const text = all.join("");
        // The word after a fence names its language.
        fc.pre(!/```|~~~/.test(text));
        const words = (each: string) => each.match(/word/g)?.length ?? 0;
        expect(words(plainMarkdown(text))).toBe(words(text));
      }),
    );
  });

  test.each([
    ..."` ``a` \t |\t ||- _\t *a **a _a ~~ [ [a]( [a](b\t ![ > # |- :-| |:-: 1. - ***".split(" "),
    "\n",
    "`\n",
    "* ",
  ])("takes linear time for %j, many times over", (mark) => {
    const text = mark.replaceAll("\t", " ").repeat(190_000 / mark.length);
    const before = process.cpuUsage();
    for (const hostile of [text, `|${text}|x`]) plainMarkdown(hostile);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});

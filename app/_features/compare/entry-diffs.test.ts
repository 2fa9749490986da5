import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wordDiff } from "./entry-diffs";

/** Own words in brackets. */
function marked(stretches: readonly { text: string; isOwn: boolean }[] = []): string {
  return stretches.map(({ text, isOwn }) => (isOwn ? `[${text}]` : text)).join("");
}

describe("wordDiff", () => {
  test("marks the words only one side has", () => {
    const diff = wordDiff("Steep it three minutes.", "Steep it two long minutes.");
    expect(marked(diff?.left)).toBe("Steep it [three] minutes.");
    expect(marked(diff?.right)).toBe("Steep it [two long ]minutes.");
    expect(diff?.ownWords).toBe(3);
  });

  test("marks nothing in equal texts", () => {
    expect(wordDiff("Same here.", "Same here.")).toEqual({
      left: [{ text: "Same here.", isOwn: false }],
      right: [{ text: "Same here.", isOwn: false }],
      ownWords: 0,
    });
  });

  test("knows words where no spaces stand between them", () => {
    const diff = wordDiff("我喜欢喝茶", "我喜欢喝咖啡");
    expect(marked(diff?.left)).toMatch(/^我.*\[.*茶\]$/);
    expect(marked(diff?.right)).toMatch(/^我.*\[.*咖啡\]$/);
  });

  test("gives up on texts with hardly a word in common", () => {
    expect(wordDiff("one two three four five", "six seven eight nine ten")).toBeNull();
  });

  test("never loses or invents text", () => {
    const text = fc.array(fc.constantFrom("a", "b", "tea", "Tee", " ", "\n", "é", "🌳"), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const diff = wordDiff(left.join(""), right.join(""));
        if (!diff) return;
        expect(diff.left.map((stretch) => stretch.text).join("")).toBe(left.join(""));
        expect(diff.right.map((stretch) => stretch.text).join("")).toBe(right.join(""));
      }),
    );
  });
});

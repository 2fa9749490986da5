import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { meantPart } from "@/lib/chat/wire/meant-parts";
import { thoughtTags, withoutTags } from "./thought-tags";

type Part = LanguageModelV4StreamPart;

interface Shown {
  type: string;
  text: string;
  providerMetadata?: unknown;
}

/** The parts that a person sees in the end; each start, delta and end must fit the ones before. */
function read(deltas: readonly string[], finish = "stop", before: readonly Part[] = []): string[] {
  const shown: Shown[] = [];
  const open = new Map<string, Shown>();
  const enqueue = (part: Part) => {
    if (!("id" in part)) return;
    const [kind = "", event] = part.type.split("-");
    const key = `${kind} ${part.id}`;
    if (event === "start") {
      expect(open.has(key)).toBe(false);
      const begun = { type: kind, text: "" };
      open.set(key, begun);
      shown.push(begun);
    } else {
      const there = open.get(key);
      if (!there) throw new Error(`${part.type} of nothing that is open.`);
      if ("delta" in part) there.text += part.delta;
      else {
        open.delete(key);
        const { providerMetadata } = part as { providerMetadata?: unknown };
        Object.assign(there, providerMetadata === undefined ? {} : { providerMetadata });
      }
    }
  };
  const output = { enqueue, terminate: () => undefined };
  const tags = thoughtTags();
  const parts = [
    ...before,
    { type: "text-start", id: "0" },
    ...deltas.map((delta) => ({ type: "text-delta", id: "0", delta })),
    { type: "text-end", id: "0" },
    { type: "finish", finishReason: { unified: finish } },
  ] as Part[];
  for (const part of parts) tags.transform(part, output);
  tags.flush?.(output);
  expect([...open.keys()]).toEqual([]);
  return shown.map((part) => meantPart(part)).map(({ type, text }) => `${type}: ${text}`);
}

const table: [string, string[]][] = [
  ["Plain words.", ["text: Plain words."]],
  ["<think>Hm.</think>Word", ["reasoning: Hm.", "text: Word"]],
  ["\n<think>\nHm.\n</think>\n\nWord", ["reasoning: \nHm.", "text: Word"]],
  ["<thinking>Hm.</thinking>Word", ["reasoning: Hm.", "text: Word"]],
  ["<THINK>Hm.</THINK>Word", ["reasoning: Hm.", "text: Word"]],
  ["<think></think>Word", ["reasoning: ", "text: Word"]],
  ["<think>a</think>\n<think>b</think>Word", ["reasoning: a", "reasoning: b", "text: Word"]],
  ["<think>a</think>one<think></think>two", ["reasoning: a", "text: one<think></think>two"]],
  ["Hm, so.\n</think>\n\nWord", ["reasoning: Hm, so.\n", "text: Word"]],
  ["Hm, so.</thinking>Word", ["reasoning: Hm, so.", "text: Word"]],
  ["</think>\n\nWord", ["text: Word"]],
  ["Start thoughts with <think> and go on.", ["text: Start thoughts with <think> and go on."]],
  ["Start thoughts with `<think>` and go on.", ["text: Start thoughts with `<think>` and go on."]],
  ["Write <think>a</think> there.", ["text: Write <think>a</think> there."]],
  ["End them with `</think>` always.", ["text: End them with `</think>` always."]],
  ["```xml\n</think>\n```\ndone", ["text: ```xml\n</think>\n```\ndone"]],
  ["~~~\nx </think>\n~~~", ["text: ~~~\nx </think>\n~~~"]],
  ["```js\nlet a\n```\nso\n</think>\nWord", ["reasoning: ```js\nlet a\n```\nso\n", "text: Word"]],
  ["An odd ` sign\n</think>\nWord", ["reasoning: An odd ` sign\n", "text: Word"]],
  ["<think> is the tag of a thought.", ["text: <think> is the tag of a thought."]],
  [
    "<think>The tag `</think>` ends it.</think>Word",
    ["reasoning: The tag `</think>` ends it.", "text: Word"],
  ],
  ["<thin", ["text: <thin"]],
  ["a < b and </thin", ["text: a < b and </thin"]],
  ["<thinker>no</thinker>", ["text: <thinker>no</thinker>"]],
  ["", []],
];

describe("thoughts between tags", () => {
  test.each(table)("are read in %j", (text, expected) => {
    expect(read([text]).filter((part) => part !== "reasoning: ")).toEqual(
      expected.filter((part) => part !== "reasoning: "),
    );
  });

  test.each(table)("are read in %j sign by sign", (text) => {
    expect(read([...text])).toEqual(read([text]));
  });

  test("stay thoughts in an answer that was cut off", () => {
    expect(read(["<think>Hm, so"], "length")).toEqual(["reasoning: Hm, so"]);
  });

  test("return to the text, tag and all, in one that is complete", () => {
    expect(read(["\n<think>Hm, so"], "tool-calls")).toEqual(["text: \n<think>Hm, so"]);
  });

  test("are not expected in text after a thought of the provider's own", () => {
    const thought = [
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "Hm." },
      { type: "reasoning-end", id: "r" },
    ] as Part[];
    const text = "An end </think> here.";
    expect(read([text], "stop", thought)).toEqual(["reasoning: Hm.", `text: ${text}`]);
  });

  test("of a whole answer are taken out of it", () => {
    expect(withoutTags("<think>hm</think>Hello")).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "Hello" },
    ]);
  });

  test("lose no word, however the text is cut", { tags: "long" }, () => {
    const piece = fc.constantFrom(
      ..."<think> </think> <thinking> </thinking> word ` ``` < / \n".split(" "),
      " ",
      "\n\n",
    );
    const texts = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(texts, fc.nat(), (text, seed) => {
        const at = text.length === 0 ? 0 : seed % text.length;
        const shown = read([text.slice(0, at), text.slice(at)]);
        const words = shown.join(" ").match(/word/g) ?? [];
        expect(words.length).toBe((text.match(/word/g) ?? []).length);
        expect(shown).toEqual(read([text]));
      }),
      { numRuns: 2_000 },
    );
  });
});

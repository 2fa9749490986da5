import { describe, expect, test } from "vitest";
import { checkWording, scanSource } from "./check-wording";

const problemsIn = (source: string, path = "lib/a.ts") =>
  checkWording(path, source).map(({ line, problem }) => `${line} ${problem}`);

describe("checkWording", () => {
  test("refuses a comment that opens with a question word", () => {
    expect(problemsIn("/** Whether it is\n * ready. */\n// How it ends.")).toEqual([
      "1 comment opens with “Whether”: begin with a verb or a noun",
      "3 comment opens with “How”: begin with a verb or a noun",
    ]);
  });

  test("reads consecutive line comments as one", () => {
    expect(problemsIn("// The reader decides\n// which one wins.")).toEqual([]);
  });

  test("refuses coined words in comments, test titles and sentences", () => {
    const source = `test("starts anew", () => fail("It ends by itself."));`;
    expect(problemsIn(source)).toEqual([
      "1 title says “anew”: again",
      "1 string says “by itself”: automatically",
    ]);
  });

  test("leaves identifiers and keywords of a search alone", () => {
    expect(problemsIn('const words = "put away note";')).toEqual([]);
  });

  test("refuses a session in the interface and accepts it elsewhere", () => {
    const source = "const note = <p>Open the session</p>;";
    expect(problemsIn(source, "app/_features/chat/a.tsx")).toEqual(["1 text says “session”: chat"]);
    expect(problemsIn(source, "app/api/a.tsx")).toEqual([]);
  });

  test.each([
    ["A compaction of 3 messages", "compaction", "summary, summarize"],
    ["Label this message", "Label this message", "bookmark"],
    ["Open the context gauge", "context gauge", "context"],
  ])("refuses a thing of the glossary by another name: %s", (text, found, name) => {
    expect(problemsIn(`const note = "${text}.";`, "app/_ui/a.ts")).toEqual([
      `1 string says “${found}”: ${name}`,
    ]);
  });

  test("refuses a space before the percent sign in the interface", () => {
    expect(problemsIn(`const share = \`Uses \${n} % of it\`;`, "app/_ui/a.ts")).toEqual([
      "1 string says “} %”: no space before %",
    ]);
  });
});

describe("scanSource", () => {
  const read = (source: string) => scanSource(source, true).map(({ kind, text }) => [kind, text]);

  test("tells patterns from divisions", () => {
    expect(read(`const a = b / c; const d = /["'\\/]/; const e = "f";`)).toEqual([["string", "f"]]);
  });

  test("reads strings inside interpolations", () => {
    expect(read(`const a = \`one \${b ? "two" : \`three \${c}\`} four\`;`)).toEqual([
      ["string", "two"],
      ["string", "three {}"],
      ["string", "one {} four"],
    ]);
  });

  test("reads text, attributes and expressions of elements", () => {
    const source = `return <a title="One" on={() => b < c}>Two {d && <i>three</i>} four</a>; // five`;
    expect(read(source)).toEqual([
      ["string", "One"],
      ["text", "Two"],
      ["text", "three"],
      ["text", "four"],
      ["comment", "five"],
    ]);
  });

  test("takes type arguments for no element", () => {
    expect(read('const a = useState<string | null>("b");')).toEqual([["string", "b"]]);
  });

  test("reads a comment between attributes", () => {
    expect(read("const a = <b\n// Why it is here.\nc />;")).toEqual([
      ["comment", "Why it is here."],
    ]);
  });
});

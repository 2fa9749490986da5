import { expect, it } from "vitest";
import { type ColouredCode, colourLines, type Grammar } from "./colour-lines";
import { grammarOf } from "./grammars";

const code = "const a = `one\ntwo\nthree`;\n\n/* why\n*/ export { a };";

async function typescript(): Promise<Grammar> {
  const grammar = await grammarOf("ts");
  if (!grammar) throw new Error("TypeScript has no grammar.");
  return grammar;
}

function whole(text: string, grammar: Grammar, known: ColouredCode | null = null): ColouredCode {
  const last = [...colourLines(text, { grammar, known })].at(-1);
  if (!last) throw new Error("Nothing was coloured.");
  return last;
}

const shown = ({ lines }: ColouredCode) =>
  lines.map((line) => line.map(({ content, color }) => [content, color]));

it("colours every line of a code, and keeps every character", async () => {
  const coloured = whole(code, await typescript());
  expect(coloured.source).toBe(code);
  expect(coloured.lines.map((line) => line.map(({ content }) => content).join(""))).toEqual(
    code.split("\n"),
  );
  expect(
    new Set(
      shown(coloured)
        .flat()
        .map(([, colour]) => colour),
    ).size,
  ).toBeGreaterThan(3);
});

it("gives a code that grew the colours it would have had at once", async () => {
  const grammar = await typescript();
  let known: ColouredCode | null = null;
  for (let length = 3; length < code.length; length += 3) {
    known = whole(code.slice(0, length), grammar, known);
  }
  expect(shown(whole(code, grammar, known))).toEqual(shown(whole(code, grammar)));
});

it("goes on from the lines it knows, and keeps them as they are", async () => {
  const grammar = await typescript();
  const known = whole("const a = 1;\nconst b", grammar);
  const grown = whole("const a = 1;\nconst b = 2;", grammar, known);
  expect(grown.lines[0]).toBe(known.lines[0]);
  expect(grown.lines[1]).not.toBe(known.lines[1]);
});

it("begins again when the code is another one", async () => {
  const grammar = await typescript();
  const known = whole("let a;\nlet b;", grammar);
  expect(shown(whole("const c = 1;", grammar, known))).toEqual(
    shown(whole("const c = 1;", grammar)),
  );
});

it("compiles one pattern of the grammar at a time", async () => {
  const grammar = await grammarOf("go");
  if (!grammar) throw new Error("Go has no grammar.");
  const compiled: string[] = [];
  const compile = (pattern: string) => {
    compiled.push(pattern);
    grammar.compile(pattern);
  };
  const counts: number[] = [];
  for (const _ of colourLines("x := 1", { grammar: { ...grammar, compile }, known: null })) {
    counts.push(compiled.length);
  }
  expect(compiled.length).toBeGreaterThan(20);
  expect(new Set(compiled).size).toBe(compiled.length);
  expect(counts.every((count, n) => count - (counts[n - 1] ?? 0) <= 1)).toBe(true);
});

it("knows languages by their short names, in any case, and no others", async () => {
  expect(await grammarOf("TS")).not.toBeNull();
  expect(await grammarOf("constructor")).toBeNull();
  expect(await grammarOf("no-such-language")).toBeNull();
});

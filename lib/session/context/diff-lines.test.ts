import fc from "fast-check";
import { expect, test } from "vitest";
import { diffLines } from "./diff-lines";

const marks = { same: " ", added: "+", removed: "-" };
const shown = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, line }) => marks[kind] + line);

test("shows removed and added lines in place", () => {
  expect(shown("a\nb\nc", "a\nx\nc\nd")).toEqual([" a", "-b", "+x", " c", "+d"]);
  expect(shown("", "a")).toEqual(["+a"]);
  expect(shown("a", "")).toEqual(["-a"]);
  expect(shown("a\nb", "a\nb")).toEqual([" a", " b"]);
});

test("either text can be read back from any change", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c"), { maxLength: 12 })
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const changes = diffLines(before, after);
      const without = (kind: string) =>
        changes
          .filter((change) => change.kind !== kind)
          .map(({ line }) => line)
          .join("\n");
      expect(without("added")).toBe(before);
      expect(without("removed")).toBe(after);
    }),
  );
});

test("gives up comparing texts of thousands of lines, not showing them", () => {
  const long = (letter: string) => Array.from({ length: 3_000 }, (_, n) => letter + n).join("\n");
  expect(diffLines(long("a"), long("b"))).toHaveLength(6_000);
});

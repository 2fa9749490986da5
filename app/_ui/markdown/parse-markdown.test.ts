import { expect, test, vi } from "vitest";
import { keptParses } from "./parse-markdown";

test("parses the same text once", () => {
  const parse = vi.fn((value: string) => ({ type: "text", value }));
  const parser = keptParses(parse);
  expect([parser("a"), parser("b"), parser("a")]).toEqual([
    { type: "text", value: "a" },
    { type: "text", value: "b" },
    { type: "text", value: "a" },
  ]);
  expect(parse).toHaveBeenCalledTimes(2);
});

test("forgets the text that was not used for longest", () => {
  const parse = vi.fn((text: string) => text.length);
  const parser = keptParses(parse);
  for (const text of ["a", "b", "a", "c"]) parser(text.repeat(900_000));
  parse.mockClear();
  parser("a".repeat(900_000));
  expect(parse).not.toHaveBeenCalled();
  parser("b".repeat(900_000));
  expect(parse).toHaveBeenCalledTimes(1);
});

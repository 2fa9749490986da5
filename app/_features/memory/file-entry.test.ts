import { expect, test } from "vitest";
import { knowledgeFromFile } from "./file-entry";

test("a text file becomes an entry named after it", () => {
  expect(knowledgeFromFile("plan.md", "Text")).toEqual({
    entry: { title: "plan", content: "Text" },
    problem: null,
  });
});

test("a binary file is refused with a sentence", () => {
  expect(knowledgeFromFile("a.zip", "PK\0").problem).toBe("“a.zip” is not a text file.");
});

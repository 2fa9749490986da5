import { expect, test } from "vitest";
import { knowledgeFromFile, skillFromFile } from "./file-entry";

test("a text file becomes an entry named after it", () => {
  expect(knowledgeFromFile("plan.md", "Text")).toEqual({
    entry: { title: "plan", content: "Text" },
    problem: null,
  });
});

test("a skill file becomes a skill with the name it gives itself", () => {
  expect(skillFromFile("SKILL.md", "---\nname: brew\ndescription: Tea\n---\nBoil.")).toEqual({
    entry: { title: "brew", description: "Tea", content: "Boil." },
    problem: null,
  });
});

test("a skill file without instructions and a binary file are refused with a sentence", () => {
  expect(skillFromFile("SKILL.md", "---\nname: brew\n---\n").problem).toBe(
    "“SKILL.md” has no instructions in it.",
  );
  expect(skillFromFile("a.zip", "PK\0").problem).toBe("“a.zip” is not a text file.");
});

import { describe, expect, test } from "vitest";
import { planImport, skillsToWrite } from "./import-plan";

const found = (...files: [path: string, text: string][]) => ({
  files: files.map(([path, text]) => ({ path, text, problem: null })),
  leftOut: 0,
  problems: [],
});
const known = {
  key: "tea",
  title: "tea",
  description: "Brews tea",
  content: "Boil.",
  version: 3,
};
const tea = "---\nname: tea\ndescription: Brews tea\n---\nBoil.";

describe("planImport", () => {
  test("says of each file whether it is new, replaces a skill or changes nothing", () => {
    const plan = planImport(
      found(
        ["a/SKILL.md", tea],
        ["cake/SKILL.md", "Bake."],
        ["x/SKILL.md", "---\nname: Mop!\n---\nMop."],
      ),
      [known, { ...known, key: "cake", title: "cake", description: null, content: "Old" }],
    );
    expect(plan.skills.map(({ title, status }) => [title, status])).toEqual([
      ["tea", "unchanged"],
      ["cake", "replaces"],
      ["Mop!", "new"],
    ]);
    expect(skillsToWrite(plan).map(({ key, seenVersion }) => [key, seenVersion])).toEqual([
      ["cake", 3],
      [expect.stringMatching(/^mop-/), null],
    ]);
  });

  test("refuses a file with nothing to do in it, one that is too long, and a second of the same name", () => {
    const plan = planImport(
      found(
        ["a/SKILL.md", tea],
        ["b/SKILL.md", "---\nname: TEA\n---\nOther."],
        ["c/SKILL.md", "---\nname: c\n---\n"],
        ["d/SKILL.md", "x".repeat(200_001)],
      ),
      [],
    );
    expect(plan.skills.slice(1)).toEqual([
      {
        path: "b/SKILL.md",
        title: "TEA",
        status: "invalid",
        problem: "“a/SKILL.md” in this import has the same name.",
      },
      {
        path: "c/SKILL.md",
        title: "c",
        status: "invalid",
        problem: "It has no instructions in it.",
      },
      {
        path: "d/SKILL.md",
        title: "d",
        status: "invalid",
        problem: "It is longer than 200,000 characters.",
      },
    ]);
  });

  test("names a skill without a name after its folder or its file, whatever the path says", () => {
    const plan = planImport(found(["../../x/SKILL.md", "One"], ["notes.md", "Two"]), []);
    expect(plan.skills.map(({ title }) => title)).toEqual(["x", "notes"]);
  });
});

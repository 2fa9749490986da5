import { describe, expect, test } from "vitest";
import { filesToWrite, planImport, skillsToWrite } from "./import-plan";

const found = (...files: [path: string, text: string][]) => ({
  files: files.map(([path, text]) => ({ path, text, problem: null })),
  companions: [],
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

  test("takes the files beside a skill along, under the name its text has for them", () => {
    const beside = (path: string, text: string | null, skillPath = "all/tea/SKILL.md") =>
      text === null
        ? { path, skillPath, text, problem: `“${path}” is not a text file.` }
        : { path, skillPath, text, problem: null };
    const plan = planImport(
      {
        ...found(["all/tea/SKILL.md", tea], ["all/x/SKILL.md", ""]),
        companions: [
          beside("all/tea/reference.md", "Leaves"),
          beside("all/tea/lists/green.md", "New"),
          beside("all/tea/old.md", "Same"),
          beside("all/tea/pot.png", null),
          beside("all/tea/empty.md", " "),
          beside(`all/tea/${"x".repeat(200)}.md`, "Long"),
          beside("all/x/lost.md", "Lost", "all/x/SKILL.md"),
        ],
      },
      [
        known,
        { ...known, key: "tea/reference.md", content: "Old", version: 5 },
        { ...known, key: "tea/old.md", content: "Same" },
      ],
    );
    expect(plan.skills[0]).toMatchObject({ status: "unchanged" });
    expect(skillsToWrite(plan)).toEqual([]);
    expect(filesToWrite(plan)).toMatchObject([
      { key: "tea/reference.md", status: "replaces", seenVersion: 5, content: "Leaves" },
      { key: "tea/lists/green.md", status: "new", path: "lists/green.md", seenVersion: null },
    ]);
    expect(plan.leftOutFiles).toEqual([
      "“all/tea/pot.png” is not a text file.",
      "“all/tea/empty.md” is empty.",
      expect.stringMatching(/has too long a name\.$/),
    ]);
  });

  test("takes no more files than a skill can name", () => {
    const companions = Array.from({ length: 101 }, (_, n) => ({
      path: `tea/${n}.md`,
      skillPath: "tea/SKILL.md",
      text: "x",
      problem: null,
    }));
    const plan = planImport({ ...found(["tea/SKILL.md", tea]), companions }, []);
    expect(filesToWrite(plan)).toHaveLength(100);
    expect(plan.leftOutFiles).toEqual(["“tea/100.md” is one of more than 100 files."]);
  });
});

test.each([
  ["name", `---\nname: ${"n".repeat(201)}\ndescription: d\n---\nSteps`, "Its name is longer"],
  [
    "description",
    `---\nname: n\ndescription: ${"d".repeat(1_025)}\n---\nSteps`,
    "Its description is longer",
  ],
])("refuses a skill whose %s is too long, instead of cutting it", (_, text, problem) => {
  const plan = planImport(found(["long/SKILL.md", text]), []);
  expect(plan.skills).toMatchObject([
    { status: "invalid", problem: expect.stringContaining(problem) },
  ]);
});

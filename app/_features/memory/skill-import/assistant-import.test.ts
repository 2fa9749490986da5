import { expect, test } from "vitest";
import { findAssistants, planAssistants, zipOfAssistants } from "./assistant-import";
import { makeZip } from "./testing/make-zip";

const file = (path: string, text: string) => ({ path, file: new File([text], path) });

test("every Markdown file of a folder is an assistant, named in it or by its file", async () => {
  const picked = [
    file("agents/reviewer.md", "---\nname: Reviewer\ntools: Read\n---\nReview."),
    file("agents/plan.md", "Plan first."),
    file("agents/broken.md", "---\nfree text\n---\n"),
    file("agents/copy.md", "---\nname: reviewer\n---\nReview again."),
    file("agents/notes.txt", "No assistant."),
  ];
  const known = [
    ...[{ key: "poet", title: "Plan", description: null, content: "Plan first.", version: 4 }],
    ...[{ key: "reviewer", title: "Critic", description: null, content: "Find it.", version: 2 }],
  ];
  const { skills, leftOut } = planAssistants(await findAssistants(picked), known);
  expect(
    skills.map((skill) => [
      "key" in skill ? [skill.key, skill.seenVersion] : skill.problem,
      skill.status,
    ]),
  ).toEqual([
    [["reviewer", null], "new"],
    [["poet", 4], "unchanged"],
    ["Line 2: “free text” is no “key: value”.", "invalid"],
    ["“agents/reviewer.md” in this import has the same name.", "invalid"],
  ]);
  expect(leftOut).toBe(1);
});

test("a zip archive of a folder holds the same assistants, and says what is too much", {
  tags: "long",
}, async () => {
  const zip = (names: readonly string[]) => {
    const archive = makeZip(names.map((name) => ({ name, content: `Text of ${name}` })));
    return [{ path: "agents.zip", file: new File([archive], "agents.zip") }];
  };
  const names = ["agents/plan.md", "agents/notes.txt", "__MACOSX/agents/._plan.md"];
  expect(await findAssistants(zip(names))).toEqual({
    files: [{ path: "agents/plan.md", text: "Text of agents/plan.md", problem: null }],
    companions: [],
    leftOut: 2,
    problems: [],
  });
  const hidden = ["./plan.md", "project/.claude/agents/plan.md", ".claude/agents/._plan.md"];
  const { files: found } = await findAssistants(zip(hidden));
  expect(found.map(({ path }) => path)).toEqual(hidden.slice(0, 2));
  const many = Array.from({ length: 201 }, (_, n) => `${n}.md`);
  const { files, problems } = await findAssistants(zip(many));
  expect(files).toEqual([]);
  expect(problems).toEqual(["“agents.zip” holds more than 200 assistants."]);
});

test("an archive of all assistants is taken back unchanged", async () => {
  const known = ["Poet", "Ärztin"].map((title, n) => {
    const content = `---\nname: ${title}\ncolor: blue\n---\n\nText of ${title}.\n`;
    return { key: `key-${n}`, title, description: null, content, version: 1 };
  });
  const file = new File([await zipOfAssistants(known)], "assistants.zip");
  const found = await findAssistants([{ path: "assistants.zip", file }]);
  const { skills } = planAssistants(found, known);
  expect(skills).toEqual(
    known.map(({ key, title, content }) =>
      expect.objectContaining({ key, title, content, status: "unchanged" }),
    ),
  );
  const [first] = planAssistants(found, []).skills;
  expect(first).toMatchObject({ path: "assistants/Poet.md", status: "new", key: "poet" });
});

test("an assistant without a name of its own is taken back under its title", async () => {
  const known = ["My / Poet", "My : Poet"].map((title, n) => {
    const content = `Write ${n} lines.\n`;
    return { key: `my-poet-${n}`, title, description: null, content, version: 1 };
  });
  const file = new File([await zipOfAssistants(known)], "assistants.zip");
  const found = await findAssistants([{ path: "assistants.zip", file }]);
  expect(planAssistants(found, []).skills.map(({ title, path }) => [title, path])).toEqual([
    ["My Poet", "assistants/My   Poet.md"],
    ["my-poet-1", "assistants/my-poet-1.md"],
  ]);
});

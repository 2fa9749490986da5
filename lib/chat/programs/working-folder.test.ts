import { expect, test } from "vitest";
import { workingFolderIn } from "./working-folder";

test.each([
  ["Codex", "<environment_context>\n  <cwd>/home/me/tea house</cwd>\n</environment_context>"],
  [
    "Claude Code",
    "Here is the environment:\n - Primary working directory: /home/me/tea house\n - Git: yes",
  ],
  ["opencode", "<env>\n  Working directory: /home/me/tea house\n  Platform: linux\n</env>"],
  ["pi", "Current date: today\nCurrent working directory: /home/me/tea house/"],
  ["Qwen Code", "I'm currently working in the directory: /home/me/tea house\nIt has files."],
  ["Cline", "# Current Working Directory (/home/me/tea house) Files\na.ts"],
])("a folder is named as %s does", (_, text) => {
  expect(workingFolderIn(["Be kind.", text])).toBe("/home/me/tea house");
});

test("a folder of Windows, or of a home, is one", () => {
  expect(workingFolderIn(["Working directory: C:\\work\\tea"])).toBe("C:\\work\\tea");
  expect(workingFolderIn(["Working directory: ~/tea."])).toBe("~/tea");
});

test("a folder is read to its own end, and no further", () => {
  const folders = [
    ["<cwd>C:\\Program Files (x86)\\tea</cwd>", "C:\\Program Files (x86)\\tea"],
    ["Working directory: /home/me/Bob's tea", "/home/me/Bob's tea"],
    ["Your working directory is /workspace. Always run tests.", "/workspace"],
    ["Your working directory is `/home/me/tea`, so look there", "/home/me/tea"],
  ] as const;
  expect(folders.map(([text]) => workingFolderIn([text]))).toEqual(folders.map(([, path]) => path));
});

test.each([
  "Working directory: /home/me/\u202eaet",
  "<cwd>/home/me/t\u200bea</cwd>",
  "Use the working directory of the user.",
  "The working directory is relative: src/app",
  `Working directory: /${"x".repeat(300)}`,
  "Explain what <cwd> means",
])("no folder is named in “%.50s”", (text) => {
  expect(workingFolderIn([text])).toBeNull();
});

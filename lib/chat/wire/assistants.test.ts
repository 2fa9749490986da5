import { expect, test } from "vitest";
import { assistantText, readAssistant } from "./assistants";

test("an assistant is read from a coding agent's file, and its other fields are named", () => {
  const text = `---
name: code-reviewer
description: Reviews code: use it after changes.
tools: Read, Grep
disallowedTools: Bash
model: inherit
effort: high
color: blue
hooks:
  Stop:
    - run: x
---

Review the code.`;
  expect(readAssistant(text, "x")).toEqual({
    name: "code-reviewer",
    description: "Reviews code: use it after changes.",
    icon: null,
    model: null,
    parameters: { reasoning: "high" },
    tools: ["Read", "Grep"],
    withoutTools: ["Bash"],
    skills: [],
    starters: [],
    body: "Review the code.",
    ignored: ["“color” is kept, and not used by Grove.", "“hooks” is kept, and not used by Grove."],
  });
});

test("a file that turns single tools off leaves the others, and takes its name from the file", () => {
  const text = "---\ntools:\n  write: false\n  read: true\ntemperature: 0.2\n---\nPlan.";
  expect(readAssistant(text, "plan")).toMatchObject({
    name: "plan",
    tools: null,
    withoutTools: ["write"],
    parameters: { temperature: 0.2 },
  });
});

test.each([
  "tools: [{name: x}]",
  "tools:\n  web:\n    search: true",
  "tools: []",
  "disallowedTools: {Bash: true}",
])("%j allows no tool", (field) => {
  const { tools, ignored } = readAssistant(`---\n${field}\n---`, "x");
  expect(tools).toEqual([]);
  const name = field.split(":")[0];
  const sentence = `“${name}” is not a list of names, so it may use no tool.`;
  expect(ignored).toEqual(field.endsWith(": []") ? [] : [sentence]);
});

test("a map of tools turns off all but what is true, names are used once, and too many are said", () => {
  const map = "---\ntools: {a: true, b: ask, c: no}\ndisallowedTools: d\n---";
  expect(readAssistant(map, "x")).toMatchObject({ tools: null, withoutTools: ["d", "b", "c"] });
  const keys = Array.from({ length: 60 }, (_, at) => `s${at}`);
  const many = `---\ntools: a, a,b\nskills: [${[...keys, "s1"].join()}]\n---`;
  const { tools, skills, ignored } = readAssistant(many, "x");
  expect(tools).toEqual(["a", "b"]);
  expect(skills).toEqual(keys.slice(0, 50));
  expect(ignored).toEqual(["“skills” has more than 50: the first are used."]);
});

test("values that do not fit are named and change nothing", () => {
  const text = "---\ntemperature: hot\nicon: leaf\nmodel: [a, b]\nskills: {a: b}\n---\n";
  expect(readAssistant(text, "x")).toMatchObject({
    parameters: {},
    icon: null,
    model: null,
    skills: [],
    ignored: [
      "“icon” is not used: it must be one emoji.",
      "“model” is not used: it must be a text.",
      "“skills” is not used: it must be a list.",
      "“temperature” is not used: “hot” is no value of it.",
    ],
  });
});

test("an icon is one emoji, also one of several characters", () => {
  for (const icon of ["✍️", "👩‍🔬", "🇬🇧"])
    expect(readAssistant(`---\nicon: ${icon}\n---`, "x").icon).toBe(icon);
  for (const icon of ["🌱🌱", "a", "7"])
    expect(readAssistant(`---\nicon: "${icon}"\n---`, "x").icon).toBeNull();
});

test("a form changes its fields and keeps what Grove does not use", () => {
  const text = "---\nname: Old\ncolor: blue\neffort: low\n---\n\nOld.";
  const fields = { name: "New", tools: null, starters: [], parameters: { temperature: 1 } };
  expect(assistantText(text, fields, "New.")).toBe(
    "---\nname: New\ncolor: blue\ntemperature: 1\n---\n\nNew.\n",
  );
});

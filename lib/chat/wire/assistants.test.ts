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

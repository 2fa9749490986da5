import { describe, expect, test } from "vitest";
import { parseSkill } from "./parse-skill";

function skill(...frontMatter: string[]): string {
  return ["---", ...frontMatter, "---", "", "# Heading", "Do it."].join("\n");
}

describe("parseSkill", () => {
  test("takes name and description from the front matter and the rest as content", () => {
    expect(
      parseSkill(skill("name: release-notes", "description: Writes release notes."), "x"),
    ).toEqual({
      title: "release-notes",
      description: "Writes release notes.",
      content: "# Heading\nDo it.",
    });
  });

  test.each([
    ['description: "Says \\"hello\\": twice"', 'Says "hello": twice'],
    ["description: 'It''s here'", "It's here"],
    ["description: Plain: with a colon", "Plain: with a colon"],
    ["description: Plain # a note", "Plain"],
    ["description: One\n  two\n  three", "One two three"],
    ["description: >-\n  One\n  two", "One two"],
    ["description: |\n  One\n    two", "One\n  two"],
    ["description:\n  One\n  two", "One two"],
    ["description:", null],
  ])("reads %j", (line, description) => {
    expect(parseSkill(skill("name: n", line), "x").description).toBe(description);
  });

  test("passes over other fields, nested ones too", () => {
    const text = skill("license: MIT", "metadata:", "  name: inner", "name: outer");
    expect(parseSkill(text, "x")).toMatchObject({ title: "outer", description: null });
  });

  test("does not mind Windows line ends and a byte order mark", () => {
    const text = `\uFEFF${skill("name: n", "description: d").replaceAll("\n", "\r\n")}`;
    expect(parseSkill(text, "x")).toMatchObject({ title: "n", description: "d" });
  });

  test("falls back to the first heading, then to the given title", () => {
    expect(parseSkill("Intro\n## How to brew ##\nText", "file").title).toBe("How to brew");
    expect(parseSkill("Just text", "file")).toEqual({
      title: "file",
      description: null,
      content: "Just text",
    });
  });

  test("keeps a file whose front matter never ends as content", () => {
    expect(parseSkill("---\nname: n\nText", "file").content).toBe("---\nname: n\nText");
  });
});

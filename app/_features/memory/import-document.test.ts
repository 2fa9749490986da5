import { describe, expect, test } from "vitest";
import { importDocument, titleFromFileName } from "./import-document";

describe("importDocument", () => {
  test("titles a text file by its name and keeps its content", () => {
    expect(importDocument("notes/My plan.v2.md", "\uFEFF# Plan\n")).toEqual({
      document: { title: "My plan.v2", content: "# Plan\n" },
      problem: null,
    });
  });

  test.each([
    ["photo.png", "\0PNG", "“photo.png” is not a text file."],
    ["old.txt", "caf\uFFFD", "“old.txt” is not a text file."],
    ["empty.md", " \n", "“empty.md” is empty."],
    [
      "long.txt",
      "x".repeat(200_001),
      "“long.txt” is longer than 200,000 characters. Split it and add the parts.",
    ],
  ])("refuses %s with a sentence", (name, text, problem) => {
    expect(importDocument(name, text)).toEqual({ document: null, problem });
  });
});

test("a name that is only an extension stays", () => {
  expect(titleFromFileName(".env")).toBe(".env");
});

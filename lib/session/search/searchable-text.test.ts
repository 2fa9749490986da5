import { describe, expect, test } from "vitest";
import { user } from "../testing/builders";
import { previewOf } from "./searchable-text";

describe("previewOf", () => {
  test.each([
    ["wrote **memory** and `todos`", "wrote memory and todos"],
    ["# A title\n\n- one\n- [two](https://example.org)", "A title one two"],
    ["```ts\nconst a = 1;\n```", "const a = 1;"],
    ["***", "***"],
    ["2 * 3 * 4 in snake_case_name", "2 * 3 * 4 in snake_case_name"],
  ])("reads %j as %j", (text, preview) => {
    expect(previewOf(user("q", text))).toBe(preview);
  });

  test("has at most 120 characters, with an ellipsis when there are more", () => {
    expect(previewOf(user("q", "**bold** ".repeat(100)))).toBe(`${"bold ".repeat(23)}bold…`);
    const exactly = "words ".repeat(20).trim();
    expect(previewOf(user("q", exactly))).toBe(exactly);
  });

  test("begins after the blocks that a program puts before the words", () => {
    const block = `<system-reminder>${"Be kind. ".repeat(50)}</system-reminder>`;
    expect(previewOf(user("q", `${block}\nMend the tests`))).toBe("Mend the tests");
    expect(previewOf(user("q", "<user_query>Mend it</user_query>"))).toBe("Mend it");
  });

  test("reports more messages behind a long gap", () => {
    expect(previewOf(user("q", `One.${" ".repeat(300)}Two.`))).toBe("One. Two.");
    expect(previewOf(user("q", `One.${" ".repeat(3_000)}Two.`))).toBe("One.…");
  });
});

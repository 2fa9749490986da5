import { expect, it } from "vitest";
import { openingBlocks, wordsAfterBlocks } from "./opening-blocks";

it("finds the blocks that begin a text, and the words after them", () => {
  const text =
    '<system-reminder>\nBe kind.\n</system-reminder>\n\n<env_info os="x">Linux</env_info>\nHi';
  expect(openingBlocks(text)).toEqual({
    blocks: [
      { name: "system-reminder", text: "Be kind." },
      { name: "env_info", text: "Linux" },
    ],
    rest: "Hi",
  });
});

it.each([
  ["HTML", "<div>What is this?</div> Tell me."],
  ["a block that does not end", "<system-reminder>Be kind. Hi"],
  ["a block after words", "Hi <system-reminder>Be kind.</system-reminder>"],
])("leaves %s in its place", (_, text) => {
  expect(openingBlocks(text)).toEqual({ blocks: [], rest: text });
});

it("takes the words of the last block where nothing follows", () => {
  const text = "<user_info>Linux</user_info>\n<user_query>Mend it</user_query>";
  expect(wordsAfterBlocks(text)).toBe("Mend it");
});

it("reads a long text of opening tags in a moment", () => {
  const text = "<a-b>".repeat(200_000);
  expect(openingBlocks(text).rest).toBe(text);
});

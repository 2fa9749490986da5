import { describe, expect, test } from "vitest";
import { passageAbout } from "./passage";

const text =
  "Harvest of 2024.\n\nThe quince gave 412 kilograms,\nmore than before. The medlar gave 37.5 kilograms. Prune in March.";

function marked(about: string): string | null {
  const found = passageAbout(text, about);
  return found && text.slice(...found);
}

describe("the passage that words are about", () => {
  test("is the sentence that shares most of them, also over the end of a line", () => {
    expect(marked("The orchard's quince gave 412 kilograms in all")).toBe(
      "The quince gave 412 kilograms,\nmore than before.",
    );
    expect(marked("Medlars are rare: 37.5 kilograms of medlar")).toBe(
      "The medlar gave 37.5 kilograms.",
    );
  });

  test("is none where less than two words are shared, or nothing is said", () => {
    expect(marked("Prune it")).toBeNull();
    expect(marked("")).toBeNull();
  });
});

import { describe, expect, test } from "vitest";
import { personalTitle } from "@/app/_data/memory/block-words";
import { promptSections } from "./prompt-text";

const rule = "═".repeat(46);
const soul = `${rule}\nSOUL [readonly]\n${rule}\nYou are calm.`;
const memory = `${rule}\nMEMORY (Facts (old) and new) [45% — 495/1100 tokens] [writable]\n${rule}\n- tea\n\n- no milk`;

describe("promptSections", () => {
  test("cuts at the ruled headers and keeps every block as it is", () => {
    expect(promptSections(`${soul}\n\n${memory}`)).toEqual([
      { title: "Instructions", description: "", source: soul },
      { title: "About you", description: "Facts (old) and new", source: memory },
    ]);
  });

  test("names a block as the memory panel does", () => {
    const rules = `${rule}\nHOUSE-RULES (What we agreed on) [writable]\n${rule}\n`;
    expect(promptSections(rules)).toMatchObject([
      { title: "House rules", description: "What we agreed on" },
    ]);
  });

  test("names sections by what it is given for those of another place", () => {
    const mine = `${rule}\nPERSONAL-MEMORY [readonly]\n${rule}\n- tea`;
    expect(promptSections(`Below is yours.\n\n${mine}`, personalTitle)).toMatchObject([
      { title: null, source: "Below is yours." },
      { title: "About you · yours", source: mine },
    ]);
  });

  test("shows text before the first block without a title", () => {
    expect(promptSections(`Hello.\n\n${soul}`).map((section) => section.title)).toEqual([
      null,
      "Instructions",
    ]);
  });

  test("shows a prompt without headers as one section", () => {
    expect(promptSections("Just text")).toEqual([
      { title: null, description: "", source: "Just text" },
    ]);
  });

  test("is empty for an empty prompt", () => {
    expect(promptSections("")).toEqual([]);
  });
});

import { expect, test } from "vitest";
import { textOf } from "./assistant-form";

const values = {
  ...{ name: "Poet", icon: "", description: "Rhymes.", model: "any", body: "Write." },
  ...{ starters: "", tools: "", skills: "" },
};

test.each(["tools: []\n", "", "tools: [{name: x}]\n"])(
  "an empty field of tools keeps %j",
  (tools) => {
    const stored = `---\nname: Poet\n${tools}---\n\nWrite.\n`;
    const expected = `---\nname: Poet\n${tools}description: Rhymes.\n---\n\nWrite.\n`;
    expect(textOf(stored, values)).toBe(expected);
  },
);

test("tools that are taken out of the field are all that the person allows", () => {
  const stored = "---\nname: Poet\ntools: [a]\ndescription: Rhymes.\n---\n\nWrite.\n";
  expect(textOf(stored, values)).toBe("---\nname: Poet\ndescription: Rhymes.\n---\n\nWrite.\n");
});

import { expect, test } from "vitest";
import { findSettings, settingsPagesFor } from "./settings-sections";

test.each([
  [null, "Version, what's new and this server."],
  ["owner", "Version, figures and what's new."],
] as const)("for %s, About says what is there", (role, note) => {
  const pages = settingsPagesFor(role);
  const [found] = findSettings("about", pages);
  expect(found?.section.note).toBe(note);
  expect(pages.at(-1)?.sections.some(({ label }) => label === "Server")).toBe(role === null);
});

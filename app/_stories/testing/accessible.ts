import axe from "axe-core";
import { expect } from "vitest";
import type { StoryPage } from "./story-page";

/** Needs layout and colours: what has a story in a browser is looked at there. */
const ofBrowsers = { "color-contrast": { enabled: false } };

/** Checks what the page shows, or one part of it, against every other rule of axe; `place` names it in a failure. */
export async function expectAccessible(_: StoryPage, place: string, part = "html"): Promise<void> {
  const { violations } = await axe.run(part, {
    rules: ofBrowsers,
    resultTypes: ["violations"],
    iframes: false,
  });
  const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  expect(found, place).toEqual([]);
}

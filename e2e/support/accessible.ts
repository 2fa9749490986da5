import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

const otherTheme = { light: "dark", dark: "light" } as const;

/** Checks what is in view, or one part of it, against every rule of axe in both themes; `place` names it in a failure. */
export async function expectAccessible(page: Page, place: string, part = "html"): Promise<void> {
  const theme = await page.evaluate(() =>
    matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  );
  await expectNoViolations(page, `${place}, ${theme}`, { part });
  const other = otherTheme[theme];
  await page.emulateMedia({ colorScheme: other });
  // Colours are all that differs.
  await expectNoViolations(page, `${place}, ${other}`, { part, runOnly: ["color-contrast"] });
  await page.emulateMedia({ colorScheme: theme });
}

interface Scan {
  readonly part: string;
  readonly runOnly?: string[];
}

async function expectNoViolations(page: Page, place: string, scan: Scan): Promise<void> {
  await endAnimations(page);
  // Once a page, and without a report of what passed: both take longer than the rules.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async ({ part, ...options }) => {
    const found = await window.axe.run(part, {
      ...options,
      resultTypes: ["violations"],
      iframes: false,
    });
    return found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  }, scan);
  await page.evaluate(() => {
    for (const pulse of document.getAnimations()) if (pulse.playState === "paused") pulse.play();
  });
  expect(violations, place).toEqual([]);
}

/** Fading elements briefly have less contrast; pulsing ones never finish, and are looked at as they begin. */
async function endAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    const animations = document.getAnimations();
    const isEndless = ({ effect }: Animation) =>
      effect?.getComputedTiming().iterations === Infinity;
    for (const pulse of animations.filter(isEndless)) {
      pulse.pause();
      pulse.currentTime = 0;
    }
    const ending = animations.filter((animation) => !isEndless(animation));
    return Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

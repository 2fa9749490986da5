import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** The same in both themes. */
export async function expectAccessibleInThemes(
  page: Page,
  place: string,
  part?: string,
): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `${place}, ${colorScheme}`, part);
  }
}

/** Checks what is in view, or one part of it, against every rule of axe; `place` names it in a failure. */
export async function expectAccessible(page: Page, place: string, part = "html"): Promise<void> {
  // Fading elements briefly have less contrast; pulsing ones never finish, and are looked at as they begin.
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
  const { violations } = await new AxeBuilder({ page }).include(part).analyze();
  await page.evaluate(() => {
    for (const pulse of document.getAnimations()) if (pulse.playState === "paused") pulse.play();
  });
  const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  expect(found, place).toEqual([]);
}

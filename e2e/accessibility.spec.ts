import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { composer, converse } from "./support/conversation";
import { test } from "./support/test";

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`In the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test("a new chat can be used by everybody", async ({ page }) => {
      await page.goto("/");
      await expect(page.getByRole("link", { name: "Connect a model" })).toBeVisible();
      await expectAccessible(page);
    });

    test("a conversation, its menus and the palette can be used by everybody", async ({ page }) => {
      await converse(page, `Show me a table with code in ${colorScheme}`);
      await expectAccessible(page);
      await page.getByRole("button", { name: "More actions" }).last().click();
      await expect(page.getByRole("menu")).toBeVisible();
      await expectAccessible(page, '[role="menu"]');
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search and commands" }).fill("table");
      await expect(page.getByRole("option", { name: /table with code/ }).first()).toBeVisible();
      await expectAccessible(page);
    });

    test("a phone shows a conversation without scrolling sideways", async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await converse(page, `Compare in a table, ${colorScheme}`);
      await expect(composer(page)).toBeInViewport({ ratio: 1 });
      await expectAccessible(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBe(390);
    });
  });
}

/** Nothing that axe knows to complain about, in the page or in one part of it. */
async function expectAccessible(page: Page, part = "html"): Promise<void> {
  // Fading elements briefly have less contrast.
  await expect.poll(() => page.evaluate(fadingCount)).toBe(0);
  const { violations } = await new AxeBuilder({ page }).include(part).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

/** Runs in the page. Marks that breathe for ever are left out. */
function fadingCount(): number {
  return document
    .getAnimations()
    .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY).length;
}

import { expect } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { test } from "./support/own-grove";

test.use({ groveEnvironment: { GROVE_SKILLS_DIR: "e2e/fixtures/skills" } });

test("everybody can read a skill of a folder", async ({ page }) => {
  await page.goto("/settings?section=skills");
  await page.getByRole("article").getByRole("list").getByRole("button").first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page.getByRole("status", { name: /^Loading/ })).toHaveCount(0);
  await expectAccessible(page, "a skill of a folder");
});

import { expect } from "@playwright/test";
import { test } from "./support/test";

test.describe("Settings", () => {
  test("I choose a theme, and it stays", { tag: "@essential" }, async ({ page }) => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto("/settings?section=appearance");
    const paper = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await paper();
    await page.getByRole("radio", { name: "Dark" }).click();
    await expect.poll(paper).not.toBe(light);
    await page.reload();
    await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
    await expect.poll(paper).not.toBe(light);
    await page.getByRole("radio", { name: "System" }).click();
    await expect.poll(paper).toBe(light);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(paper).not.toBe(light);
  });
});

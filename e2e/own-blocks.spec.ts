import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { openDrawer } from "./support/session-page";
import { test } from "./support/test";

test.describe("Blocks of my own", () => {
  test("everybody can make one, on a phone too", async ({ page }) => {
    await page.goto("/s/example-garden");
    const panel = await openDrawer(page, "Memory");
    const dialog = await newBlock(page, panel);
    await dialog.getByRole("button", { name: "Create" }).click();
    await expectAccessible(page, "new block, not filled in");
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page, "new block on a phone");
  });
});

async function newBlock(page: Page, place: Locator): Promise<Locator> {
  await place.getByRole("button", { name: "New section" }).click();
  return page.getByRole("dialog", { name: "New section" });
}

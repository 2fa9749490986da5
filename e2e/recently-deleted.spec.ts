import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { makeSession } from "./support/api";
import { test } from "./support/test";

async function openPalette(page: Page): Promise<void> {
  // A page that has just come may not listen yet.
  await expect(async () => {
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Search and commands" });
    await expect(field).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

test.describe("Recently deleted", () => {
  test("I open it from the palette on a phone", async ({ page, request }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const long = await makeSession(request, "A title that goes on and on ".repeat(4));
    await request.delete(`/api/sessions/${long}`, { data: {} });
    await page.goto("/");
    await page.keyboard.press("ControlOrMeta+K");
    await openPalette(page);
    await page.keyboard.type("recently del");
    await page.getByRole("option", { name: "Recently deleted" }).click();
    await expect(page.getByRole("list", { name: "Recently deleted" })).toBeVisible();
    const overflows = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(overflows).toBe(false);
    await expectAccessible(page, "recently deleted on a phone");
  });
});

import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { converse } from "./support/conversation";
import { test } from "./support/test";

const chart = (page: Page) => page.getByRole("slider", { name: /over time$/ });

test.describe("Usage", () => {
  // Other stories of this worker have used models, too.
  test.beforeEach(async ({ request }) => {
    const all = { data: { confirm: "delete everything" } };
    // Refused while an answer of an earlier story is still being written.
    await expect.poll(async () => (await request.delete("/api/data", all)).status()).toBe(200);
  });

  test("everybody can use it, on a phone too", async ({ page }) => {
    await converse(page, "Tell me about cocoa");
    await page.goto("/usage?range=30");
    await chart(page).focus();
    await expectAccessible(page, "usage");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("radio", { name: "Cost" }).click();
    await expectAccessible(page, "usage on a phone");
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });
});

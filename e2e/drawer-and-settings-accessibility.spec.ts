import { expect } from "@playwright/test";
import { settingsAddress, settingsPagesFor } from "@/app/_features/settings/settings-sections";
import { expectAccessible } from "./support/accessible";
import { openContext, openDrawer } from "./support/session-page";
import { test } from "./support/test";

test("everybody can use the memory and its dialogs", async ({ page }) => {
  await page.goto("/s/example-garden");
  const memory = await openDrawer(page, "Memory");
  await memory.getByRole("button", { name: "Edit Garden facts" }).click();
  await expectAccessible(page, "memory, edited");
  await memory.getByRole("button", { name: "History of Garden facts" }).click();
  await expect(page.getByRole("dialog").getByRole("list")).toBeVisible();
  await expectAccessible(page, "history");
  await page.keyboard.press("Escape");
  await memory.locator("summary", { hasText: /^Knowledge/ }).click();
  await memory.getByRole("button", { name: "Add text" }).last().click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expectAccessible(page, "new knowledge, not filled in");
});

test("everybody can use the context, the tree and a summary", async ({ page }) => {
  await page.goto("/s/example-garden");
  const seam = page.getByRole("region", { name: /summarized$/ });
  await seam.getByRole("button", { name: "View", exact: true }).click();
  await seam.getByRole("button", { name: "Show originals" }).click();
  await expect(seam.getByRole("region", { name: "Original messages" })).toBeVisible();
  const context = await openContext(page);
  await expect(context.getByRole("heading", { name: "Context window" })).toBeVisible();
  await expectAccessible(page, "context and summary");
  await context.getByRole("button", { name: "Summarize" }).click();
  await expect(page.getByRole("dialog").getByText("Summarizes")).toBeVisible();
  await expectAccessible(page, "compact");
  await page.keyboard.press("Escape");

  const tree = await openDrawer(page, "Tree");
  await expect(tree.getByRole("treeitem").first()).toBeVisible();
  await expectAccessible(page, "tree");
});

test("everybody can use every page of the settings", async ({ page }) => {
  await page.goto("/settings");
  const links = page.getByRole("navigation", { name: "Settings" });
  for (const { label, sections } of settingsPagesFor(null)) {
    const link = links.getByRole("link", { name: label });
    for (const { id } of sections) {
      if (id === sections[0].id) await link.click();
      else await page.goto(settingsAddress(id));
      await expect(link).toHaveAttribute("aria-current", "page");
      await expect(page.getByRole("main").getByRole("heading", { level: 2 }).first()).toBeVisible();
      await expect(page.getByRole("status", { name: /^Loading/ })).toHaveCount(0);
      await expectAccessible(page, id);
    }
  }
});

test("everybody can use the settings on a phone, as a list of pages", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/settings");
  const links = page.getByRole("navigation", { name: "Settings" });
  await expect(links.getByRole("link")).toHaveCount(6);
  await expectAccessible(page, "settings on a phone");
  await links.getByRole("link", { name: /^Connections/ }).click();
  await expect(links).toBeHidden();
  await page.getByRole("link", { name: /^API keys/ }).click();
  await expect(page.getByRole("heading", { name: "API keys" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Connections" }).click();
  await page.getByRole("main").getByRole("link", { name: "Settings" }).click();
  await expect(links).toBeVisible();
});

test("everybody can use the drawer on a phone", { tag: "@essential" }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/s/example-garden");
  await page.getByRole("button", { name: "Memory, context and tree" }).click();
  for (const name of ["Memory", "Context", "Tree"]) {
    await page.getByRole("tab", { name }).click();
    await expect(page.getByRole("tabpanel", { name })).toBeVisible();
    await expectAccessible(page, `${name} on a phone`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, name).toBe(390);
  }
});

test("everybody can add a provider", async ({ page }) => {
  await page.goto("/settings?section=models");
  await page.getByRole("button", { name: "Add provider" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Enter a key.")).toBeVisible();
  await expectAccessible(page, "new provider, not filled in");
});

import { expect } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { composer, converse } from "./support/conversation";
import { test } from "./support/test";

test("a new chat can be used by everybody", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Connect a model" })).toBeVisible();
  await expectAccessible(page, "new chat");
});

test("a conversation, its menus and the palette can be used by everybody", {
  tag: "@essential",
}, async ({ page }) => {
  await converse(page, "Show me a table with code");
  await expectAccessible(page, "conversation");
  await page.getByRole("button", { name: "More actions" }).last().click();
  await expect(page.getByRole("menu")).toBeVisible();
  await expectAccessible(page, "menu", '[role="menu"]');
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search and commands" }).fill("table");
  await expect(page.getByRole("option", { name: /table with code/ }).first()).toBeVisible();
  await expectAccessible(page, "palette");
});

test("a phone shows a conversation without scrolling sideways", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await converse(page, "Compare in a table");
  await expect(composer(page)).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, "conversation on a phone");
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(390);
});

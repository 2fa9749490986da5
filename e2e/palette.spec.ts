import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { composer, converse } from "./support/conversation";
import { test } from "./support/test";

test.describe("The palette", () => {
  test("keeps its height while results change", { tag: "@essential" }, async ({ page }) => {
    await converse(page, "Which branch of a plum bears?");
    // As it is laid out: it grows a little while it appears.
    const box = () =>
      page
        .getByRole("dialog")
        .evaluate((dialog: HTMLElement) => [dialog.offsetTop, dialog.offsetHeight]);
    const field = await openPalette(page);
    const before = await box();
    await field.fill("plum");
    await expect(page.getByRole("option", { name: /^You / }).first()).toBeVisible();
    expect(await box()).toEqual(before);
    await field.fill("nothingofthekindatall");
    await expect(page.getByText(/^No results for/)).toBeVisible();
    expect(await box()).toEqual(before);
  });

  test("leaves a command where it is when results come", async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/search?**", async (route) => {
      await held;
      await route.continue();
    });
    await converse(page, "Which branch of a plum bears?");
    await (await openPalette(page)).fill("Tags");
    const palette = page.getByRole("dialog", { name: "Search and commands" });
    const command = palette.getByRole("option", { name: "Tags…" });
    const top = () => command.evaluate((option: HTMLElement) => option.offsetTop);
    await expect(command).toBeVisible();
    const before = await top();
    release();
    await expect(palette.getByText(/^No exact matches\. Found/)).toBeVisible();
    expect(await top()).toBe(before);
  });
});

test.describe("On a touch screen", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } });

  test("nothing speaks of keys, and the operators are a tap away", async ({ page }) => {
    await page.goto("/");
    await expect(composer(page)).toBeVisible();
    await page.getByRole("button", { name: "Chats and search" }).click();
    const sidebar = page.getByRole("dialog", { name: "Chats and search" });
    await sidebar.getByRole("button", { name: /settings and usage$/ }).click();
    await expect(page.getByRole("menuitem", { name: "Settings" })).toBeVisible();
    await expect(page.getByRole("menuitem", { name: "Keyboard shortcuts" })).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(sidebar.locator("kbd:visible")).toHaveCount(0);
    await sidebar.getByRole("button", { name: "Search" }).click();
    const palette = page.getByRole("dialog", { name: "Search and commands" });
    const commands = palette.getByRole("group", { name: "Commands" });
    await expect(commands.getByRole("option", { name: "New chat" })).toBeVisible();
    await expect(palette.getByRole("option", { name: "Keyboard shortcuts" })).toHaveCount(0);
    await expect(palette.locator("kbd:visible")).toHaveCount(0);
    await palette.getByRole("button", { name: "Search filters" }).tap();
    await palette.getByRole("button", { name: "role:user" }).tap();
    await expect(palette.getByRole("combobox")).toHaveValue("role:user ");
    await expect(palette.getByText("Nothing to search for yet")).toBeVisible();
    await expectAccessible(page, "the palette on a phone");
  });
});

async function openPalette(page: Page) {
  const field = page.getByRole("combobox", { name: "Search and commands" });
  // A page that has just come may not listen yet.
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(field).toBeVisible({ timeout: 2_000 });
  }).toPass();
  return field;
}

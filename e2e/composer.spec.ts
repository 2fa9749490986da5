import { expect } from "@playwright/test";
import { composer, converse } from "./support/conversation";
import { test } from "./support/test";

test("a slash offers commands, and the keys choose one", { tag: "@essential" }, async ({
  page,
}) => {
  await converse(page, "Which branch of a fig bears?");
  await composer(page).fill("/");
  const commands = page.getByRole("listbox", { name: "Commands" });
  await expect(commands.getByRole("option")).toHaveText([
    /^\/compact/,
    /^\/branch/,
    /^\/find/,
    /^\/search/,
    /^\/new/,
  ]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Branch in new chat" })).toBeVisible();
  await page.keyboard.press("Escape");

  await composer(page).fill("/search fig bears");
  await composer(page).press("Enter");
  await expect(page.getByRole("combobox", { name: "Search and commands" })).toHaveValue(
    "fig bears",
  );
  await page.keyboard.press("Escape");

  await composer(page).fill("/new");
  await composer(page).press("Enter");
  await expect(page).toHaveURL(/\/$/);
});

test("what I type in one tab leaves what I type in another alone, and is kept under my name", async ({
  page,
  context,
  owner,
}) => {
  await converse(page, "Which branch of a fig bears?");
  await composer(page).fill("Typed here");
  const other = await context.newPage();
  await other.goto(page.url());
  await composer(other).fill("Typed in another tab");
  const drafts = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(":draft:")));
  await expect.poll(drafts).toContainEqual(expect.stringContaining(`grove:${owner}:draft:`));
  // Past the moment at which the other tab's draft is stored and announced.
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).join("\n")))
    .toContain("Typed in another tab");
  await expect(composer(page)).toHaveValue("Typed here");
});

test("with the demo alone, the list of models is as high as what is in it", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: /^Model: / }).click();
  await expect(page.getByRole("option")).toHaveCount(2);
  const list = page.getByRole("dialog", { name: "Choose a model" });
  await expect.poll(async () => (await list.boundingBox())?.height ?? 0).toBeLessThan(400);
  // A row moves while the list measures itself, and a click that a busy machine spreads over that meets none.
  await expect(async () => {
    if (await list.isVisible()) await page.getByRole("option").last().click({ timeout: 5_000 });
    await expect(list).toBeHidden({ timeout: 3_000 });
  }).toPass();
});

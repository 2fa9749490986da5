import { expect, type Page } from "@playwright/test";
import { test } from "./support/own-grove";
import { ask, askFirst, openDrawer } from "./support/session-page";

test.describe("Knowledge", () => {
  test("I add a text, search it, and the model finds it", async ({ page }) => {
    await askFirst(page, "What can you do?");
    const panel = await openDrawer(page, "Memory");
    await panel.getByRole("button", { name: "Add text" }).click();
    const dialog = page.getByRole("dialog", { name: "Add knowledge" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText("Give it a name to find it by.")).toBeVisible();
    await dialog.getByRole("textbox", { name: "Title" }).fill("Boiler manual");
    await dialog
      .getByRole("textbox", { name: "Text" })
      .fill("The boiler beeps twice when its pressure is below one bar. Open the filling valve.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await expect(panel.getByRole("button", { name: "Boiler manual", exact: true })).toBeVisible();

    const search = panel.getByRole("searchbox", { name: "Search knowledge" });
    await search.fill("filling valve");
    await expect(panel.getByRole("button", { name: "Boiler manual", exact: true })).toBeVisible();
    await expect(panel.getByRole("button", { name: "Sowing calendar" })).toHaveCount(0);
    await search.fill("zeppelin");
    await expect(panel.getByText("Nothing matches “zeppelin”.")).toBeVisible();

    const answer = await ask(page, "Search my knowledge for boiler pressure");
    await expect(answer.getByText("Searched")).toBeVisible();
    await expect(answer).toContainText("The boiler beeps twice");

    await search.fill("");
    await panel.getByRole("button", { name: "Actions for Boiler manual" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(panel.getByRole("button", { name: "Boiler manual", exact: true })).toBeHidden();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(panel.getByRole("button", { name: "Boiler manual", exact: true })).toBeVisible();
  });
});

test.describe("Skills", () => {
  test("I import a SKILL.md, and load and unload it myself", async ({ page }) => {
    await askFirst(page, "What can you do?");
    const panel = await openDrawer(page, "Memory");
    const picking = page.waitForEvent("filechooser");
    await panel.getByRole("button", { name: "Import SKILL.md" }).click();
    await (await picking).setFiles(skillFile);
    await expect(panel.getByText("Folds paper boats. Use it near water.")).toBeVisible();
    await expect(panel.getByRole("button", { name: "paper-boats", exact: true })).toBeVisible();

    await panel.getByRole("button", { name: "Load paper-boats" }).click();
    await expect(panel.getByText("Loaded", { exact: true })).toBeVisible();
    const context = await openDrawer(page, "Context");
    const loaded = context.getByRole("listitem").filter({ hasText: "paper-boats" });
    await expect(loaded).toContainText(/\d+ tokens/);
    await loaded.getByRole("button", { name: "Unload paper-boats" }).click();
    await expect(context.getByText("No skill is loaded.")).toBeVisible();
  });

  test("the model loads a skill when I ask for it, and puts it away", async ({ page }) => {
    await askFirst(page, "What can you do?");
    const before = await tokensInUse(page);
    const answer = await ask(page, "Load the skill plant-doctor");
    await expect(answer).toContainText("I loaded plant-doctor");

    const panel = await openDrawer(page, "Memory");
    await expect(panel.getByText("Loaded", { exact: true })).toBeVisible();
    const context = await openDrawer(page, "Context");
    const loaded = context.getByRole("listitem").filter({ hasText: "plant-doctor" });
    await expect(loaded).toContainText(/1\d\d tokens/);
    expect(await tokensInUse(page)).toBeGreaterThan(before + 100);

    await ask(page, "Unload the skill plant-doctor");
    await expect(context.getByText("No skill is loaded.")).toBeVisible();
  });
});

const skillFile = {
  name: "SKILL.md",
  mimeType: "text/markdown",
  buffer: Buffer.from(
    "---\nname: paper-boats\ndescription: Folds paper boats. Use it near water.\nlicense: none\n---\n\n# Paper boats\n\n1. Fold the sheet in half.\n2. Fold both corners down.\n",
  ),
};

async function tokensInUse(page: Page): Promise<number> {
  const context = await openDrawer(page, "Context");
  const words = await context.getByText(/^[\d,]+ of [\d,]+ tokens$/).innerText();
  return Number(words.split(" of ")[0]?.replaceAll(",", ""));
}

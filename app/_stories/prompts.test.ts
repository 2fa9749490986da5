import { expect } from "vitest";
import { composer } from "./testing/conversation";
import { test } from "./testing/test";

test("I save a prompt with fields, put it in with a slash, fill the fields with Tab, and undo its deletion", async ({
  page,
}) => {
  await page.goto("/settings?section=prompts");
  await page.getByRole("button", { name: "New prompt" }).click();
  const dialog = page.getByRole("dialog", { name: "New prompt" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Use up to 40 letters, digits and hyphens.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Name" }).fill("translate");
  await dialog.getByRole("textbox", { name: "Text" }).fill("Translate {{text}} to {{language}}.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("/translate")).toBeVisible();

  await page.goto("/");
  await composer(page).pressSequentially("/tra");
  await expect(page.getByRole("option", { name: "/translate" })).toBeVisible();
  await composer(page).press("Enter");
  await expect(composer(page)).toHaveValue("Translate {{text}} to {{language}}.");
  await expect
    .poll(() => composer(page).evaluate((field: HTMLTextAreaElement) => field.selectionEnd))
    .toBe(18);
  await page.keyboard.type("tree");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Welsh");
  await expect(composer(page)).toHaveValue("Translate tree to Welsh.");
  await page.keyboard.press("Tab");
  await expect(composer(page)).not.toBeFocused();

  await page.goto("/settings?section=prompts");
  await page.getByRole("button", { name: "Delete translate" }).click();
  await expect(page.getByText("No prompts yet")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("/translate", { exact: true })).toBeVisible();
});

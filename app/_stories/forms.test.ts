import { expect } from "vitest";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

const dialogOf = (page: StoryPage) => page.getByRole("dialog", { name: "New prompt" });

async function openNewPrompt(page: StoryPage) {
  await page.getByRole("button", { name: "New prompt" }).click();
  return dialogOf(page);
}

/** Answers each save by `answers` in turn, then by Grove itself. */
async function answerSaves(page: StoryPage, answers: (() => Promise<object> | object)[]) {
  await page.route("**/api/prompts/*", async (route) => {
    const answer = answers.shift();
    if (route.request().method() !== "PUT" || !answer) return route.fallback();
    return route.fulfill({ status: 503, json: { error: await answer() } });
  });
}

const away = { code: "database", message: "The database is away." };

test("a form that I closed keeps what I typed until I discard it", { tags: "long" }, async ({
  page,
}) => {
  await page.goto("/settings?section=prompts");
  const dialog = await openNewPrompt(page);
  await dialog.getByRole("textbox", { name: "Text" }).fill("Translate to Welsh.");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  await openNewPrompt(page);
  await expect(dialog.getByText("Unsaved changes from last time.")).toBeVisible();
  await expect(dialog.getByRole("textbox", { name: "Text" })).toHaveValue("Translate to Welsh.");
  await dialog.getByRole("button", { name: "Discard" }).click();

  await openNewPrompt(page);
  await expect(dialog.getByRole("textbox", { name: "Text" })).toHaveValue("");
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeVisible();
});

test("a save that fails leaves what I typed, says why, and Enter saves again", {
  tags: "long",
}, async ({ page }) => {
  await page.goto("/settings?section=prompts");
  await answerSaves(page, [() => away, () => ({ ...away, field: "name", message: "Taken." })]);
  const dialog = await openNewPrompt(page);
  const name = dialog.getByRole("textbox", { name: "Name" });
  await name.fill("welsh");
  await dialog.getByRole("textbox", { name: "Text" }).fill("Translate to Welsh.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("The database is away.")).toBeVisible();

  await name.press("Enter");
  await expect(dialog.getByText("Taken.")).toBeVisible();
  await expect(dialog.getByText("The database is away.")).toBeHidden();
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await name.fill("cymraeg");
  await expect(dialog.getByText("Taken.")).toBeHidden();

  await name.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("/cymraeg")).toBeVisible();
});

test("a save that fails after I closed its form says so, and can be retried", async ({ page }) => {
  await page.goto("/settings?section=prompts");
  const asked = Promise.withResolvers<void>();
  await answerSaves(page, [() => asked.promise.then(() => away)]);
  const dialog = await openNewPrompt(page);
  await dialog.getByRole("textbox", { name: "Name" }).fill("welsh");
  await dialog.getByRole("textbox", { name: "Text" }).fill("Translate to Welsh.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  asked.resolve();
  await expect(page.getByText("The database is away.")).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("/welsh")).toBeVisible();
  await openNewPrompt(page);
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("");
});

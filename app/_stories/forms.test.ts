import { expect } from "vitest";
import { expectAccessible } from "./testing/accessible";
import type { Locator } from "./testing/locator";
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

test("dialogs of a chat and of the list can be used by everybody", { tags: "long" }, async ({
  page,
}) => {
  await page.goto("/s/example-garden");
  const list = page.getByRole("complementary", { name: "Chats and search" });
  await shown(page, list.getByRole("button", { name: "New project" }));
  const ofChat = () => list.getByRole("button", { name: /^Actions for / }).first();
  for (const item of ["Tags", "Move to…", "Share…", "Save as web page"]) {
    await ofChat().click();
    await shown(page, page.getByRole("menuitem", { name: item }));
  }
  const more = () => page.getByRole("button", { name: "More actions" }).last();
  for (const item of ["Branch in new chat", "Show prompt"]) {
    await more().click();
    await shown(page, page.getByRole("menuitem", { name: item }));
  }
  await shown(page, page.getByRole("button", { name: /^Model: / }));
  await page.keyboard.press("Control+k");
  await shown(page, page.getByRole("button", { name: "Search filters" }));
  await page.keyboard.press("?");
  await expectAccessible(page, "shortcuts");
});

test("menus can be used by everybody", { tags: "long" }, async ({ page }) => {
  await page.goto("/s/example-garden");
  for (const name of [/^Actions for /, "Filter chats", /settings and usage$/, "More actions"]) {
    await page.getByRole("button", { name }).last().click();
    await expect(page.getByRole("menu")).toBeVisible();
    await expectAccessible(page, String(name), '[role="menu"]');
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toBeHidden();
  }
});

test("forms of the settings can be used by everybody", { tags: "long" }, async ({ page }) => {
  for (const [section, name] of [
    ["prompts", "New prompt"],
    ["assistants", "New assistant"],
    ["tools", "Add server"],
    ["programs", "Create key"],
    ["models", "Add provider"],
  ] as const) {
    await page.goto(`/settings?section=${section}`);
    await shown(page, page.getByRole("button", { name }).first());
  }
});

async function shown(page: StoryPage, opener: Locator): Promise<void> {
  await opener.click();
  const dialog = page.getByRole("dialog").last();
  await expect(dialog).toBeVisible();
  await expectAccessible(page, opener.toString());
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
}

import { expect, type Locator, type Page } from "@playwright/test";

export interface ProviderInput {
  kind: "OpenAI" | "Anthropic" | "OpenAI-compatible";
  baseUrl: string;
  key: string;
  name?: string;
}

/** Adds a provider on the settings page. */
export async function addProvider(page: Page, input: ProviderInput): Promise<void> {
  await page.goto("/settings?section=models");
  await page.getByRole("button", { name: "Add provider" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a provider" });
  await choose(page, dialog.getByRole("combobox", { name: "Type" }), input.kind);
  await dialog.getByRole("textbox", { name: "Key" }).fill(input.key);
  await dialog.getByRole("textbox", { name: "Base URL" }).fill(input.baseUrl);
  if (input.name) await dialog.getByRole("textbox", { name: "Name" }).fill(input.name);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
}

/** Makes a model the one that new sessions start with, on the settings page that is open. */
export async function chooseDefaultModel(page: Page, label: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: /^Default model: / }).click();
  await page.getByRole("dialog", { name: "Default model" }).waitFor();
  const options = page.getByRole("option", { name: label }).filter({ hasNotText: "Automatic" });
  await options.first().click();
  await expect(page.getByText("Answers in every chat where you chose no other.")).toBeVisible();
}

/** Chooses from a list that a field opens. */
export async function choose(page: Page, field: Locator, label: string | RegExp): Promise<void> {
  await field.click();
  const options = page.getByRole("option", { name: label });
  await options.filter({ hasNotText: "Automatic" }).first().click();
  await expect(page.getByRole("listbox")).toBeHidden();
}

import { expect, type Page } from "@playwright/test";
import OpenAI from "openai";
import { answers } from "./support/conversation";
import { ask } from "./support/session-page";
import { test } from "./support/test";

test.describe("Programs", () => {
  test("I give a program a key, read its conversation, continue it, and revoke the key", async ({
    page,
    baseURL,
  }) => {
    await page.goto("/settings?section=programs");
    await page.getByRole("button", { name: "Create key" }).click();
    const form = page.getByRole("dialog", { name: "Create a key" });
    await form.getByRole("button", { name: "Create" }).click();
    await expect(form.getByRole("alert")).toHaveText(/Name the program/);
    const apiKey = await secretOf(page, "Notebook");
    await expect(page.getByText("never used")).toBeVisible();
    expect(await page.content()).not.toContain(apiKey);

    const openai = new OpenAI({ apiKey, baseURL: `${baseURL}/v1`, maxRetries: 0 });
    const response = await openai.responses.create({ input: "Which trees keep their leaves?" });
    expect(response.output_text).toContain("Which trees keep their leaves?");

    const programs = page.getByRole("region", { name: "Programs" });
    await programs.getByRole("button", { name: "Programs" }).click();
    await programs.getByRole("button", { name: "Notebook" }).click();
    await programs.getByRole("link", { name: /Which trees keep their leaves/ }).click();
    await expect(page.getByText("from Notebook")).toBeVisible();
    await expect(answers(page).first()).toContainText("You said: “Which trees keep their leaves?”");
    await ask(page, "And in autumn?");
    await expect(answers(page)).toHaveCount(2);

    await page.goto("/settings?section=programs");
    await page.getByRole("button", { name: "Revoke Notebook" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await expect(page.getByText("Revoked", { exact: true })).toBeVisible();
    await expect(openai.models.list()).rejects.toMatchObject({ status: 401 });
  });
});

/** Fills the dialog of a new key. */
async function secretOf(page: Page, name: string): Promise<string> {
  const form = page.getByRole("dialog", { name: "Create a key" });
  await form.getByRole("textbox", { name: "Name" }).fill(name);
  await form.getByRole("button", { name: "Create" }).click();
  const shown = page.getByRole("dialog", { name: `The key of ${name}` });
  const secret = await shown.locator("code").first().innerText();
  await shown.getByRole("button", { name: "Done" }).click();
  return secret;
}

import { expect, type Page } from "@playwright/test";
import OpenAI from "openai";
import { expectAccessible } from "./support/accessible";
import { answered, answers, questions } from "./support/conversation";
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

    await page.getByRole("link", { name: /Which trees keep their leaves/ }).click();
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

  test("I watch one's answer as it is written and go on from it, while it goes on where it was", async ({
    page,
    baseURL,
  }) => {
    await page.goto("/settings?section=programs");
    await page.getByRole("button", { name: "Create key" }).click();
    const apiKey = await secretOf(page, "Writer");
    const openai = new OpenAI({ apiKey, baseURL: `${baseURL}/v1`, maxRetries: 0 });
    // Longer than a slow machine needs to open its chat.
    const input = "Forests in autumn, a walk without end";
    const asked = await openai.responses.create({ input, background: true });
    await page.getByRole("link", { name: /Forests in autumn/ }).click();
    await expect(page.getByRole("button", { name: "Stop writing" })).toBeVisible();
    const events = await openai.responses.retrieve(asked.id, { stream: true, starting_after: 3 });
    for await (const { sequence_number: number } of events) {
      expect(number).toBe(4);
      break;
    }
    expect(await openai.responses.cancel(asked.id)).toMatchObject({ status: "cancelled" });
    await answered(page);
    await ask(page, "A person adds this");

    const next = await openai.responses.create({ previous_response_id: asked.id, input: "On" });
    const { data } = await openai.responses.inputItems.list(next.id);
    expect(data).toMatchObject([{ role: "user", content: [{ text: "On" }] }]);
    await expect(questions(page).last()).toContainText("A person adds this");
    await page.getByRole("button", { name: "Next version" }).click();
    await expect(questions(page).last()).toContainText("On");
  });

  test("I give a program a part of my memory, and see which", async ({ page, baseURL }) => {
    await page.goto("/settings?section=programs");
    await page.getByRole("button", { name: "Create key" }).click();
    const form = page.getByRole("dialog", { name: "Create a key" });
    await form.getByRole("textbox", { name: "Name" }).fill("Diary");
    await expect(form.getByRole("group", { name: "Which memory" })).toBeHidden();
    await form.getByRole("switch", { name: "Use my memory and Grove's tools" }).click();
    const which = form.getByRole("group", { name: "Which memory" });
    await which.getByRole("switch", { name: "All of it" }).click();
    await form.getByRole("button", { name: "Create" }).click();
    await expect(form.getByRole("alert")).toHaveText(/Choose a part of your memory/);
    await which.getByRole("switch", { name: "knowledge" }).click();
    await expectAccessible(page, "a key for a part of memory");
    const apiKey = await secretOf(page, "Diary");
    await expect(page.getByText("Uses part of memory")).toBeVisible();
    await expect(page.getByText("memory: knowledge")).toBeVisible();
    const openai = new OpenAI({ apiKey, baseURL: `${baseURL}/v1`, maxRetries: 0 });
    const response = await openai.responses.create({ input: "Which birds do I like?" });
    expect(response.output_text).toContain("Which birds do I like?");
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

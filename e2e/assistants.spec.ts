import { expect } from "@playwright/test";
import type { AssistantsWire } from "@/lib/chat/wire/assistants";
import { expectAccessible } from "./support/accessible";
import { answers, composer } from "./support/conversation";
import { ask, openDrawer, openReceipt } from "./support/session-page";
import { test } from "./support/test";

test("I choose an assistant, it answers, and what changes in it waits for Update in Context", async ({
  page,
  request,
}) => {
  await page.goto("/");
  await page.getByRole("button", { name: /^Model: / }).click();
  await page.getByRole("combobox", { name: "Assistant" }).click();
  await page.getByRole("option", { name: /Critic/ }).click();
  await expectAccessible(page, "the model menu with an assistant");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Model: .*, as Critic$/ })).toBeVisible();
  await ask(page, "Here is a plan.");

  const { assistants } = (await (await request.get("/api/assistants")).json()) as AssistantsWire;
  const critic = assistants.find(({ name }) => name === "Critic");
  const content = "---\nname: Critic\n---\n\nFind one fault, the worst.\n";
  const written = await request.put(`/api/blocks/Assistants/entries/${critic?.key}`, {
    data: { title: "Critic", content, expectedVersion: critic?.version },
  });
  expect(written.ok()).toBe(true);
  const context = await openDrawer(page, "Context");
  await expect(context).toContainText(`Assistant: Critic, version ${critic?.version}`);
  await context.getByText("Show changes").click();
  await expect(context.getByText("Find one fault, the worst.")).toBeVisible();
  await context.getByRole("button", { name: "Update" }).click();
  const version = (critic?.version ?? 0) + 1;
  await expect(context).toContainText(`Assistant: Critic, version ${version}`);

  await ask(page, "And this one?");
  const receipt = await openReceipt(page, answers(page).last());
  await expect(receipt).toContainText(`Critic, version ${version}`);
  await page.keyboard.press("Escape");

  await composer(page).pressSequentially("@tra");
  await composer(page).press("Enter");
  await expect(page.getByText("@Translator")).toBeVisible();
  await expectAccessible(page, "a draft that asks an assistant");
});

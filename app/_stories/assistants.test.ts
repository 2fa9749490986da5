import { expect } from "vitest";
import type { AssistantsWire } from "@/lib/chat/wire/assistants";
import { answers } from "./testing/conversation";
import { ask, openDrawer, openReceipt } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

async function choose(page: StoryPage, name: string): Promise<void> {
  await page.getByRole("button", { name: /^Model: / }).click();
  await page.getByRole("combobox", { name: "Assistant" }).click();
  await page.getByRole("option", { name }).click();
  await page.keyboard.press("Escape");
}

test("an assistant that I choose answers at its version, and a newer one waits for Update", async ({
  page,
  request,
}) => {
  await page.goto("/");
  await choose(page, "Critic");
  await expect(page.getByRole("button", { name: /^Model: .*, as Critic$/ })).toBeVisible();
  await expect(await ask(page, "Here is a plan.")).toContainText("Critic");

  const { assistants } = (await (await request.get("/api/assistants")).json()) as AssistantsWire;
  const critic = assistants.find(({ name }) => name === "Critic");
  const content = "---\nname: Critic\n---\n\nFind one fault, the worst.\n";
  await request.put(`/api/blocks/Assistants/entries/${critic?.key}`, {
    data: { title: "Critic", content, expectedVersion: critic?.version },
  });
  const context = await openDrawer(page, "Context");
  await expect(context).toContainText("Assistant: Critic, version 1");
  await context.getByText("Show changes").click();
  await expect(context.getByText("Find one fault, the worst.")).toBeVisible();
  await context.getByRole("button", { name: "Update" }).click();
  await expect(context).toContainText("Assistant: Critic, version 2");

  await ask(page, "And this one?");
  const receipt = await openReceipt(page, answers(page).last());
  await expect(receipt).toContainText("Critic, version 2");
  await expect(receipt).toContainText("Find one fault, the worst.");
});

import { expect } from "vitest";
import type { AssistantsWire } from "@/lib/chat/wire/assistants";
import { answers, composer, questions } from "./testing/conversation";
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
  const starter = "Here is my plan. What is most likely to go wrong?";
  await page.getByRole("button", { name: starter }).click();
  await expect(composer(page)).toHaveValue(starter);
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

test("I write an assistant, change it as text, and restore one that came with Grove", {
  tags: "long",
}, async ({ page }) => {
  await page.goto("/settings?section=assistants");
  await page.getByRole("button", { name: "New assistant" }).click();
  const dialog = page.getByRole("dialog", { name: "New assistant" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Enter a name.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Name" }).fill("Poet");
  await dialog.getByRole("textbox", { name: "Instructions" }).fill("Answer in rhymes.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Edit Poet" }).click();
  const edit = page.getByRole("dialog", { name: "Edit assistant" });
  await edit.getByRole("button", { name: "Edit as text" }).click();
  const text = edit.getByRole("textbox", { name: "Text" });
  await expect(text).toHaveValue("---\nname: Poet\n---\n\nAnswer in rhymes.\n");
  await text.fill("---\nname: Poet\nfree text\n---\n\nAnswer in haiku.\n");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit.getByText("Line 3: “free text” is no “key: value”.")).toBeVisible();
  await text.fill("---\nname: Poet\nicon: 🪶\ncolor: blue\n---\n\nAnswer in haiku.\n");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("🪶 Poet")).toBeVisible();
  await page.getByRole("button", { name: "Edit Poet" }).click();
  await expect(edit.getByText("“color” is kept, and not used by Grove.")).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Actions for Tutor" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Restore Tutor" }).click();
  await expect(page.getByRole("button", { name: "Edit Tutor" })).toBeVisible();
});

test("I ask another assistant with @ for one answer, and the next is the chat's again", {
  tags: "long",
}, async ({ page }) => {
  await page.goto("/");
  await ask(page, "Hello");
  await composer(page).pressSequentially("@tra");
  await expect(page.getByRole("option", { name: "@Translator" })).toBeVisible();
  await composer(page).press("Enter");
  await expect(composer(page)).toHaveValue("");
  const drop = page.getByRole("button", { name: /^Do not ask .*Translator/ });
  await drop.click();
  await expect(drop).toBeHidden();
  await composer(page).fill("@translator Guten Tag");
  await expect(drop).toBeVisible();
  await expect(composer(page)).toHaveValue("Guten Tag");
  await composer(page).press("Control+Enter");
  await expect(answers(page)).toHaveCount(2);
  await expect(answers(page).last()).toContainText("Translator");
  await expect(questions(page).last()).toContainText("@");
  await expect(drop).toBeHidden();
  await expect(await ask(page, "And now?")).not.toContainText("Translator");
});

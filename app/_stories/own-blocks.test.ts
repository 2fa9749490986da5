import { describe, expect } from "vitest";
import { questions, startModelServer } from "@/e2e/support/model-server";
import { offerProvider } from "./testing/api";
import type { Locator } from "./testing/locator";
import {
  ask,
  askFirst,
  openContext,
  openDrawer,
  openReceipt,
  updatePrompt,
} from "./testing/session-page";
import { choose } from "./testing/settings-page";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

describe("Blocks of my own", () => {
  test("I make one, the chat takes it up when I update it, and the model may write it", async ({
    page,
  }) => {
    await askFirst(page, "What can you do?");
    const panel = await openDrawer(page, "Memory");
    const dialog = await newBlock(page, panel);
    await dialog.getByRole("button", { name: "Create" }).click();
    await expect(dialog.getByText("Enter a name with letters or digits.")).toBeVisible();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Memory");
    await dialog.getByRole("button", { name: "Create" }).click();
    await expect(dialog.getByText("A section called “memory” already")).toBeVisible();
    await dialog.getByRole("textbox", { name: "Name" }).fill("House rules");
    await expect(dialog.getByText("The model knows it as “house-rules”.")).toBeVisible();
    await dialog.getByRole("textbox", { name: "Description" }).fill("How we live together");
    await dialog.getByRole("textbox", { name: "Token limit" }).fill("300");
    await dialog.getByRole("button", { name: "Create" }).click();
    await expect(dialog).toBeHidden();

    const block = panel.getByRole("article", { name: "House rules" });
    await expect(block).toContainText("Editable by you and the model · All chats");
    await expect(block).toContainText("0 / 300 tokens");
    const context = await openContext(page);
    await expect(context.getByText("1 memory change not in the prompt yet")).toBeVisible();
    await expect(context.getByText("House rules added")).toBeVisible();
    await updatePrompt(page);

    await openDrawer(page, "Memory");
    await block.getByRole("button", { name: "Edit House rules" }).click();
    await block.getByRole("textbox").fill("Shoes stay at the door");
    await expect(block.getByRole("status")).toHaveText("Saved");
    await block.getByRole("button", { name: "Done" }).click();
    await updatePrompt(page);
    const answer = await ask(page, "What do you know about me?");
    const receipt = await openReceipt(page, answer);
    await expect(receipt).toContainText("HOUSE-RULES (How we live together)");
    await expect(receipt).toContainText("Shoes stay at the door");
  });

  test("I rename it with all its text, and what I delete comes back when I undo it", {
    tags: "long",
  }, async ({ page }) => {
    await askFirst(page, "What can you do?");
    const panel = await openDrawer(page, "Memory");
    const dialog = await newBlock(page, panel);
    await dialog.getByRole("textbox", { name: "Name" }).fill("Trip");
    await choose(page, dialog.getByRole("combobox", { name: "Editable by" }), "Only you");
    await choose(page, dialog.getByRole("combobox", { name: "Scope" }), "This chat only");
    await dialog.getByRole("button", { name: "Create" }).click();
    const trip = panel.getByRole("article", { name: "Trip" });
    await expect(trip).toContainText("Editable by you · This chat");
    await trip.getByRole("button", { name: "Nothing here yet" }).click();
    await trip.getByRole("textbox").fill("By train to Turin");
    await expect(trip.getByRole("status")).toHaveText("Saved");
    await trip.getByRole("button", { name: "Done" }).click();

    const setUp = await openSetUp(page, trip);
    await setUp.getByRole("textbox", { name: "Name" }).fill("Summer trip");
    await setUp.getByRole("textbox", { name: "Token limit" }).fill("20000000");
    await setUp.getByRole("button", { name: "Save" }).click();
    await expect(setUp.getByText("Enter a whole number from 10 to 20,000.")).toBeVisible();
    await setUp.getByRole("textbox", { name: "Token limit" }).fill("150");
    await setUp.getByRole("button", { name: "Save" }).click();
    const renamed = panel.getByRole("article", { name: "Summer trip" });
    await expect(renamed).toContainText("By train to Turin");
    await expect(renamed).toContainText("/ 150 tokens");

    await (await openSetUp(page, renamed)).getByRole("button", { name: "Delete" }).click();
    await expect(renamed).toHaveCount(0);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(renamed).toContainText("By train to Turin");

    await askFirst(page, "Another session");
    const other = await openDrawer(page, "Memory");
    await expect(other.getByRole("article", { name: "About you", exact: true })).toBeVisible();
    await expect(other.getByRole("article", { name: "Summer trip" })).toHaveCount(0);
  });

  test("what the model wrote into it can be undone where it was written, after I rename it", {
    tags: "long",
  }, async ({ page, request }) => {
    const server = await startModelServer({ models: ["house-model"] });
    try {
      await offerProvider(request, { baseUrl: `${server.url}/v1`, model: "house-model" });
      await page.goto("/settings?section=blocks");
      const dialog = await newBlock(page, page.getByRole("main"));
      await dialog.getByRole("textbox", { name: "Name" }).fill("Plan");
      await dialog.getByRole("button", { name: "Create" }).click();
      await expect(dialog).toBeHidden();

      const answer = await askFirst(page, questions.planning);
      const writes = answer.getByRole("list", { name: "Memory changes" });
      await expect(writes).toContainText("Wrote 1 line to Plan");
      const panel = await openDrawer(page, "Memory");
      const setUp = await openSetUp(page, panel.getByRole("article", { name: "Plan" }));
      await setUp.getByRole("textbox", { name: "Name" }).fill("Garden");
      await setUp.getByRole("button", { name: "Save" }).click();
      const garden = panel.getByRole("article", { name: "Garden" });
      await expect(garden).toContainText("Buy seeds");
      await expect(writes).toContainText("Wrote 1 line to Garden");
      await writes.getByRole("button", { name: "Undo" }).click();
      await expect(writes).toContainText("undone");
      await expect(garden).not.toContainText("Buy seeds");
    } finally {
      await server.stop();
    }
  });

  test("a collection of mine is searched on its own", { tags: "long" }, async ({ page }) => {
    await askFirst(page, "What can you do?");
    const panel = await openDrawer(page, "Memory");
    const dialog = await newBlock(page, panel);
    await dialog.getByRole("textbox", { name: "Name" }).fill("Recipes");
    await choose(page, dialog.getByRole("combobox", { name: "Content" }), /^Entries/);
    await expect(dialog.getByRole("textbox", { name: "Token limit" })).toHaveCount(0);
    await dialog.getByRole("button", { name: "Create" }).click();
    const recipes = panel.getByRole("article", { name: "Recipes" });
    await recipes.getByRole("button", { name: "Add text" }).click();
    const entry = page.getByRole("dialog", { name: "Add knowledge" });
    await entry.getByRole("textbox", { name: "Title" }).fill("Pancakes");
    await entry.getByRole("textbox", { name: "Text" }).fill("Three eggs, flour and milk.");
    await entry.getByRole("button", { name: "Save" }).click();
    await expect(recipes.getByRole("button", { name: "Pancakes", exact: true })).toBeVisible();
    await page.reload();
    await expect(recipes.getByRole("button", { name: "Pancakes", exact: true })).toBeVisible();
  });

  test("what every session starts with is made and set up in the settings", {
    tags: "long",
  }, async ({ page }) => {
    await page.goto("/settings?section=blocks");
    const main = page.getByRole("main");
    const dialog = await newBlock(page, main);
    await expect(dialog.getByRole("combobox", { name: "Scope" })).toHaveCount(0);
    await dialog.getByRole("textbox", { name: "Name" }).fill("Glossary");
    await dialog.getByRole("button", { name: "Create" }).click();
    await expect(main.getByRole("article", { name: "Glossary" })).toBeVisible();

    const memory = main.getByRole("article", { name: "About you", exact: true });
    const setUp = await openSetUp(page, memory);
    await expect(setUp.getByRole("textbox", { name: "Name" })).toHaveCount(0);
    await expect(setUp.getByRole("button", { name: "Delete" })).toHaveCount(0);
    await setUp.getByRole("textbox", { name: "Token limit" }).fill("2500");
    await setUp.getByRole("button", { name: "Save" }).click();
    await expect(memory).toContainText("/ 2,500 tokens");

    await askFirst(page, "Hello");
    const panel = await openDrawer(page, "Memory");
    await expect(panel.getByRole("article", { name: "Glossary" })).toBeVisible();
    const context = await openContext(page);
    await expect(context.getByText("not in the prompt yet")).toHaveCount(0);
  });
});

async function newBlock(page: StoryPage, place: Locator): Promise<Locator> {
  await place.getByRole("button", { name: "New section" }).click();
  return page.getByRole("dialog", { name: "New section" });
}

async function openSetUp(page: StoryPage, block: Locator): Promise<Locator> {
  await block.getByRole("button", { name: /^Set up / }).click();
  return page.getByRole("dialog", { name: /^Set up / });
}

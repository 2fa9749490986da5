import { describe, expect } from "vitest";
import { answerAgain, questions, sessionIdOf } from "./testing/conversation";
import type { Locator } from "./testing/locator";
import {
  ask,
  askFirst,
  openContext,
  openDrawer,
  openLine,
  openReceipt,
  updatePrompt,
} from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

describe("Memory", () => {
  test("asking for another answer notes nothing twice", async ({ page }) => {
    const answer = await askFirst(page, "Remember that I keep bees");
    await answerAgain(answer);
    await expect(answer).toContainText("I know that already");
    const lines = (await memoryBlock(page)).getByText("Keeps bees");
    await expect(lines).toContainText("Keeps bees");
    expect((await lines.innerText()).match(/Keeps bees/g)).toHaveLength(1);
  });

  test("I edit what is remembered, and put an older version back", { tags: "long" }, async ({
    page,
  }) => {
    await askFirst(page, "Remember that I play the cello");
    const memory = await memoryBlock(page);
    await expect(memory).toContainText("Plays the cello");
    const tokens = await tokensIn(memory);

    const field = await startEditing(memory);
    await field.press("ControlOrMeta+End");
    await field.pressSequentially("\n- and the viola, on Sundays, in a quartet");
    await expect(memory.getByRole("status")).toHaveText("Saved");
    await expect.poll(() => tokensIn(memory)).toBeGreaterThan(tokens);
    await memory.getByRole("button", { name: "Done" }).click();
    await expect(memory).toContainText("and the viola");

    const history = await openHistory(page, memory);
    const versions = history.getByRole("list", { name: "Versions, newest first" });
    await expect(versions.getByRole("button").first()).toContainText("You");
    await versions.getByRole("button").nth(1).click();
    await expect(history.getByRole("region", { name: /^Changes in version/ })).toContainText(
      "Added: - Plays the cello",
    );
    await history.getByRole("button", { name: /^Restore version \d+$/ }).click();
    await expect(page.getByText(/^Version \d+ restored\.$/)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(memory).toContainText("Plays the cello");
    await expect(memory).not.toContainText("and the viola");
  });

  test("a document of memory reads as one, and its tasks are ticked in place", {
    tags: "long",
  }, async ({ page }) => {
    await page.goto("/s/example-garden");
    const panel = await openDrawer(page, "Memory");
    const facts = panel.getByRole("article", { name: "Garden facts" }).getByRole("listitem");
    await expect(facts.first()).toHaveText("Grows vegetables on a south-west balcony of 6 m²");
    const todos = panel.getByRole("article", { name: "Tasks" });
    const task = todos.getByRole("checkbox", { name: /^Ask a neighbour/ });
    await expect(todos.getByRole("checkbox")).toHaveCount(3);
    await expect(task).not.toBeChecked();
    await task.check();
    await expect(todos.getByRole("checkbox", { checked: true })).toHaveCount(3);
    await page.reload();
    await expect(task).toBeChecked();
    await task.press("Space");
    await expect(task).not.toBeChecked();

    const history = await openHistory(page, todos);
    const versions = history.getByRole("list", { name: "Versions, newest first" });
    await expect(versions.getByRole("button", { name: /^Version \d+ · You/ })).toHaveCount(2);
    await expect(history.getByRole("region", { name: /^Changes in version/ })).toContainText(
      "Added: - [ ] Ask a neighbour",
    );
    await history.getByRole("button", { name: /Version 2 / }).click();
    await history.getByRole("button", { name: "Restore version 2" }).click();
    await page.keyboard.press("Escape");
    await expect(task).toBeChecked();
  });

  test("a task that was changed elsewhere meanwhile is shown as it is now", {
    tags: "long",
  }, async ({ page, request }) => {
    await page.goto("/s/example-garden");
    const panel = await openDrawer(page, "Memory");
    const todos = panel.getByRole("article", { name: "Tasks" });
    await expect(todos.getByRole("checkbox")).toHaveCount(3);
    // Somebody else is a moment faster.
    await page.route("**/api/blocks/todos**", async (route) => {
      const content = "- [ ] Something else";
      await request.put("/api/blocks/todos?session=example-garden", { data: { content } });
      await route.continue();
    });
    await todos.getByRole("checkbox").first().click();
    await expect(todos.getByRole("alert")).toContainText("This text has changed.");
    await expect(todos.getByRole("checkbox", { name: "Something else" })).not.toBeChecked();
  });

  test("a chat keeps its prompt until I update it", { tags: "long" }, async ({ page }) => {
    const first = await askFirst(page, "Remember that I collect lighthouses");
    const panel = await openContext(page);
    await expect(panel.getByText("1 memory change not in the prompt yet")).toBeVisible();
    await panel.getByText("Memory changed").click();
    await expect(panel.getByRole("region", { name: "Differences: Memory changed" })).toContainText(
      "Added: - Collects lighthouses",
    );
    const before = await openReceipt(page, first);
    await expect(before).not.toContainText("Collects lighthouses");
    await page.keyboard.press("Escape");

    const context = await updatePrompt(page);
    await context.locator("summary", { hasText: /^About you/ }).click();
    await expect(context.getByText("Collects lighthouses")).toBeVisible();

    const second = await ask(page, "What do you know about me?");
    const receipt = await openReceipt(page, second);
    await expect(receipt).toContainText("Collects lighthouses");
  });

  test("a chat whose prompt no provider keeps takes a change up with my next message", {
    tags: "long",
  }, async ({ page, request }) => {
    await askFirst(page, "Remember that I collect spoons");
    const uncached = { data: { parameters: { caching: "off" } } };
    await request.patch(`/api/sessions/${sessionIdOf(page)}`, uncached);
    await page.reload();
    const context = await openContext(page);
    await context.locator("summary", { hasText: /^About you/ }).click();
    await expect(context.getByText("Collects spoons")).toBeVisible();
    await expect(context.getByText("not in the prompt yet")).toHaveCount(0);
    const receipt = await openReceipt(page, await ask(page, "What do you know about me?"));
    await expect(receipt).toContainText("Collects spoons");
  });

  test("I see what of my memory the latest answer was made from", { tags: "long" }, async ({
    page,
  }) => {
    await askFirst(page, "Remember that I breed carp");
    await updatePrompt(page);
    const panel = await openDrawer(page, "Memory");
    await openLine(panel, "Knowledge");
    await panel.getByRole("button", { name: "Add text" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Title" }).fill("Pond manual");
    await dialog.getByRole("textbox", { name: "Text" }).fill("The pond pump runs at 40 watts.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    const entry = panel.getByRole("listitem").filter({ hasText: "Pond manual" });
    await expect(entry.getByRole("img", { name: /latest answer/ })).toHaveCount(0);

    await ask(page, "Search my knowledge for pond pump");
    await expect(entry.getByRole("img", { name: "Found for the latest answer" })).toBeVisible();
    const memory = panel.getByRole("article", { name: "About you", exact: true });
    await expect(memory.getByRole("img", { name: "Used in the latest answer" })).toBeVisible();
    const todos = panel.getByRole("article", { name: "Tasks" });
    await expect(todos.getByRole("img", { name: /latest answer/ })).toHaveCount(0);
  });

  test("with memory off the model reads but writes nothing", { tags: "long" }, async ({ page }) => {
    await askFirst(page, "What can you do?");
    const panel = await openDrawer(page, "Memory");
    const modes = panel.getByRole("radiogroup", { name: "Let the model update memory" });
    await expect(modes.getByRole("radio")).toHaveText(["Always", "Ask first", "Never"]);
    await modes.getByRole("radio", { name: "Never" }).click();
    await expect(panel.getByText("never changes it in this chat")).toBeVisible();

    const answer = await ask(page, "Remember that I am allergic to nuts");
    await expect(answer.getByRole("list", { name: "Memory changes" })).toHaveCount(0);
    await expect(await memoryBlock(page)).not.toContainText("allergic");
    const receipt = await openReceipt(page, answer);
    await expect(receipt).toContainText("session_search");
    await expect(receipt).not.toContainText("set_context");
    await page.keyboard.press("Escape");

    await page.reload();
    await expect(questions(page)).toHaveCount(2);
    await expect(modes.getByRole("radio", { name: "Never" })).toBeChecked();
  });
});

async function memoryBlock(page: StoryPage): Promise<Locator> {
  const panel = await openDrawer(page, "Memory");
  const block = panel.getByRole("article", { name: "About you" });
  await expect(block).toBeVisible();
  return block;
}

async function startEditing(block: Locator): Promise<Locator> {
  await block.getByRole("button", { name: /^Edit / }).click();
  return block.getByRole("textbox");
}

async function openHistory(page: StoryPage, block: Locator): Promise<Locator> {
  await block.getByRole("button", { name: /^History of / }).click();
  const history = page.getByRole("dialog", { name: /^History of / });
  await expect(history.getByRole("list", { name: "Versions, newest first" })).toBeVisible();
  return history;
}

async function tokensIn(block: Locator): Promise<number> {
  return Number(await block.getByRole("meter", { includeHidden: true }).getAttribute("value"));
}

import { expect, type Locator, type Page } from "@playwright/test";
import { askFirst, openDrawer } from "./support/session-page";
import { test } from "./support/test";

test.describe("Memory", () => {
  test("I see what the model wrote, where it wrote it, and undo it", async ({ page, request }) => {
    await request.put("/api/blocks/memory", { data: { content: "- Lives by the sea" } });
    const answer = await askFirst(page, "Remember that I love green tea");
    const writes = answer.getByRole("list", { name: "Memory changes" });
    await expect(writes).toContainText("Wrote 1 line to Memory");

    const memory = await memoryBlock(page);
    await expect(memory).toContainText("Loves green tea");

    const history = await openHistory(page, memory);
    await expect(history.getByRole("button", { name: /The model/ }).first()).toBeVisible();
    await expect(history.getByRole("region", { name: /^Changes in version/ })).toContainText(
      "Loves green tea",
    );
    await history.getByRole("button", { name: "show the message that changed it" }).click();
    await expect(history).toBeHidden();
    await expect(writes).toBeInViewport();

    await writes.getByRole("button", { name: "Undo" }).click();
    await expect(writes).toContainText("undone");
    await expect(memory).not.toContainText("Loves green tea");
    await expect(memory).toContainText("Lives by the sea");
  });

  test("when two tabs edit the same text, both texts stay in view until I choose", {
    tag: "@essential",
  }, async ({ page, context }) => {
    await askFirst(page, "What can you do?");
    const other = await context.newPage();
    await other.goto(page.url());

    const mine = await memoryBlock(page);
    const theirs = await memoryBlock(other);
    const myField = await startEditing(mine);
    const theirField = await startEditing(theirs);
    // Both texts begin with the one before: mine is typed first, and saved last.
    await page.route("**/api/blocks/**", (route) => route.abort());
    await myField.fill("Written in this tab");
    await theirField.fill("Written in the other tab");
    await expect(theirs.getByRole("status")).toHaveText("Saved");
    await page.unroute("**/api/blocks/**");
    await myField.pressSequentially("!");

    const choice = mine.getByRole("alert").filter({ hasText: "changed while you were editing" });
    await expect(choice).toBeVisible();
    await expect(choice).toContainText("Written in the other tab");
    await expect(choice).toContainText("Written in this tab!");
    await expect(myField).toHaveValue("Written in this tab!");

    await choice.getByRole("button", { name: "Keep mine" }).click();
    await expect(mine.getByRole("status")).toHaveText("Saved");
    await mine.getByRole("button", { name: "Done" }).click();
    await expect(mine).toContainText("Written in this tab!");
    await expect(theirs.getByRole("textbox")).toHaveValue("Written in this tab!");
  });
});

async function memoryBlock(page: Page): Promise<Locator> {
  const panel = await openDrawer(page, "Memory");
  const block = panel.getByRole("article", { name: "About you" });
  await expect(block).toBeVisible();
  return block;
}

async function startEditing(block: Locator): Promise<Locator> {
  await block.getByRole("button", { name: /^Edit / }).click();
  return block.getByRole("textbox");
}

async function openHistory(page: Page, block: Locator): Promise<Locator> {
  await block.getByRole("button", { name: /^History of / }).click();
  const history = page.getByRole("dialog", { name: /^History of / });
  await expect(history.getByRole("list", { name: "Versions, newest first" })).toBeVisible();
  return history;
}

import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import { makeSession, store } from "./support/api";
import { composer, newWord, questions } from "./support/conversation";
import { openDrawer } from "./support/session-page";
import { test } from "./support/test";

test.describe("The tree", () => {
  test("I walk through it with the keyboard", { tag: "@essential" }, async ({ page, request }) => {
    const tree = await openTree(page, request);
    await tree.focus();
    const current = () => currentRow(page, tree);
    await expect.poll(current).toContain("Third stop");
    await page.keyboard.press("Home");
    await expect.poll(current).toContain("First stop");
    await page.keyboard.press("ArrowDown");
    await expect.poll(current).toContain("Second stop");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(current).toContain("collapsed");
    await expect(tree.getByRole("treeitem")).toHaveCount(1);
    await page.keyboard.press("ArrowRight");
    await expect(tree.getByRole("treeitem")).toHaveCount(4);
    await page.keyboard.press("End");
    await expect.poll(current).toContain("Another third stop");
  });
});

test.describe("Finding in a session", () => {
  test("on a phone it leads from the list to the message", async ({ page, request }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    const { word } = await deepBranches(page, request);
    await composer(page).fill(`/find ${word}`);
    await composer(page).press("Enter");
    await page
      .getByRole("treeitem", { name: new RegExp(`You: .*${word}`) })
      .first()
      .click();
    await expect(page.getByRole("searchbox", { name: "Find in this chat" })).toBeHidden();
    await expect(questions(page).last()).toContainText("By train");
  });
});

/** A session with two endings, its tree open: first, second, and then a third stop or another one. */
async function openTree(page: Page, request: APIRequestContext): Promise<Locator> {
  const sessionId = await makeSession(request, "A journey");
  await store(request, sessionId, "First stop");
  const second = await store(request, sessionId, "Second stop");
  const third = await store(request, sessionId, "Third stop");
  const { id: parentId } = second.entry.message;
  await store(request, sessionId, "Another third stop", { id: crypto.randomUUID(), parentId });
  const opened = await request.patch(`/api/sessions/${sessionId}`, {
    data: { activeLeafId: third.entry.message.id },
  });
  expect(opened.status()).toBe(200);
  await page.goto(`/s/${sessionId}`);
  const panel = await openDrawer(page, "Tree");
  const tree = panel.getByRole("tree", { name: "Messages" });
  await expect(tree.getByRole("treeitem")).toHaveCount(4);
  return tree;
}

/** Three endings, the last one in view; the other two have a word far from their first words. */
async function deepBranches(page: Page, request: APIRequestContext): Promise<{ word: string }> {
  const word = newWord();
  const filler = "It goes on and on about the landscape that passes by. ".repeat(6);
  const sessionId = await makeSession(request, "Two journeys");
  const { entry } = await store(request, sessionId, "The start");
  const parentId = entry.message.id;
  const place = () => ({ id: crypto.randomUUID(), parentId });
  await store(request, sessionId, `By train. ${filler} There was a ${word}.`, place());
  await store(request, sessionId, `By boat. ${filler} Another ${word}, a wet one.`, place());
  await store(request, sessionId, "On foot.", place());
  await page.goto(`/s/${sessionId}`);
  return { word };
}

/** The name of the row the keyboard is at. */
async function currentRow(page: Page, tree: Locator): Promise<string> {
  const id = await tree.getAttribute("aria-activedescendant");
  if (id === null) return "";
  return (await page.locator(`[id="${id}"]`).getAttribute("aria-label")) ?? "";
}

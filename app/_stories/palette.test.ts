import { describe, expect } from "vitest";
import { expectAccessible } from "./testing/accessible";
import { makeSession, store } from "./testing/api";
import { newWord, questions } from "./testing/conversation";
import { openPalette } from "./testing/session-page";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

describe("The palette", () => {
  test("does everything there is to do with the open session, and offers only what applies", {
    tags: "long",
  }, async ({ page, request }) => {
    const sessionId = await makeSession(request, "A trip");
    const { entry } = await store(request, sessionId, "We go to the sea");
    const parentId = entry.message.id;
    await store(request, sessionId, "By train?", { id: crypto.randomUUID(), parentId });
    await store(request, sessionId, "By boat?", { id: crypto.randomUUID(), parentId });
    await page.goto(`/s/${sessionId}`);
    await expect(questions(page)).toHaveCount(2);
    const group = page.getByRole("group", { name: "This chat" });
    await openPalette(page);
    await expect(group.getByRole("option")).toHaveText([
      /^Find in this chat/,
      "Rename",
      "Pin",
      "Tags…",
      "Archive",
      "Move to…",
      "Share…",
      "Delete this chat",
      "Summarize…",
      "Branch in new chat…",
      "Compare with another branch…",
      "Open memory",
      "Open context",
      "Open tree",
      /^Print or save as PDF/,
      "Save as web page",
      "Copy as Markdown",
      "Export as Markdown",
      "Export as JSON",
    ]);
    await expectAccessible(page, "the palette in a session");
    await page.keyboard.press("Escape");

    await choose(page, "Rename");
    const title = page.getByRole("textbox", { name: "Title" });
    await expect(title).toBeFocused();
    await page.keyboard.type("A trip to the sea");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toContainText("A trip to the sea");

    await choose(page, "Pin");
    await openPalette(page);
    await expect(group.getByRole("option", { name: "Unpin" })).toBeVisible();
    await page.keyboard.press("Escape");

    for (const [command, dialog] of [
      ["Summarize…", "Summarize this chat"],
      ["Branch in new chat…", "Branch in new chat"],
      ["Tags…", "Tags"],
      ["Share…", "Share"],
      ["Save as web page", "Save as web page"],
    ] as const) {
      await choose(page, command);
      await expect(page.getByRole("dialog", { name: dialog })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    }

    await choose(page, "Compare with another branch…");
    const tree = page.getByRole("tabpanel", { name: "Tree" });
    await expect(tree.getByRole("tree", { name: "Messages" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(tree.getByRole("status")).toBeHidden();
    await choose(page, "Compare with another branch…");
    await expect(tree.getByRole("tree", { name: "Messages" })).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/compare\?left=.+&right=.+/);
    await page.getByRole("link", { name: "Back" }).click();

    const version = questions(page).last().getByRole("group", { name: "Version 2 of 2" });
    await version.getByRole("button", { name: "Previous version" }).click();
    await expect(questions(page).last()).toContainText("By train");
    await choose(page, "Carry context over…");
    await expect(page.getByRole("dialog", { name: "Carry context over" })).toBeVisible();
    await page.keyboard.press("Escape");

    await choose(page, "Archive");
    await expect(page.getByText("Chat archived")).toBeVisible();
    await choose(page, "Delete this chat");
    await expect(page.getByText("Chat deleted")).toBeVisible();
    await expect(page).toHaveURL(/\/$/);
    await openPalette(page);
    const commands = page.getByRole("group", { name: "Commands" });
    await expect(commands.getByRole("option", { name: "New chat" })).toBeVisible();
    await expect(group).toHaveCount(0);
  });

  test("always has a line for Enter, also when all that it found is replaced", {
    tags: "long",
  }, async ({ page, request }) => {
    const sessionId = await makeSession(request, "A garden");
    for (const text of ["plum one", "plum two", "quince one", "quince two"])
      await store(request, sessionId, text);
    await page.goto("/");
    const field = await openPalette(page);
    for (const word of ["plum", "quince", "plum"]) {
      await field.fill(word);
      await expect(page.getByRole("option", { name: word })).toHaveCount(2);
      await expect(page.getByRole("option", { selected: true })).toContainText(word);
    }
  });

  test("begins with commands, and shows its operators after a question mark", async ({
    page,
    request,
  }) => {
    await makeSession(request, "A garden");
    await page.goto("/");
    const field = await openPalette(page);
    await expect(page.getByRole("option", { selected: true })).toContainText("New chat");
    await expect(page.getByRole("option").nth(4)).toContainText("A garden");
    const operators = page.getByRole("group", { name: "Search filters" });
    await expect(operators).toHaveCount(0);
    await page.keyboard.type("?");
    await expect(page.getByRole("option", { name: "New chat" })).toBeVisible();
    await operators.getByRole("button", { name: "before:2026-01" }).click();
    await expect(field).toHaveValue("before:");
    await expect(field).toBeFocused();
    await expect(operators).toHaveCount(0);
    await field.fill("garden");
    const button = page.getByRole("button", { name: "Search filters" });
    await button.click();
    await expect(page.getByRole("option", { name: "A garden" })).toBeVisible();
    await operators.getByRole("button", { name: "exact words" }).click();
    await page.keyboard.type("two words");
    await expect(field).toHaveValue('garden "two words"');
    await button.click();
    await button.click();
    await expect(field).toHaveValue('garden "two words"');
    await expectAccessible(page, "the palette");
  });
});

async function choose(page: StoryPage, command: string): Promise<void> {
  const field = await openPalette(page);
  await field.fill(command.replace("…", ""));
  await page.getByRole("option", { name: command, exact: true }).click();
}

test("a search says how many it found, and shows more titles when I ask", { tags: "long" }, async ({
  page,
  request,
}) => {
  const word = newWord();
  for (let n = 1; n <= 7; n++) await makeSession(request, `${word} number ${n}`);
  await page.goto("/");
  await (await openPalette(page)).fill(word);
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await expect(palette.getByText("Found 7 in titles")).toBeVisible();
  await expect(palette.getByRole("option", { name: word })).toHaveCount(5);
  await palette.getByRole("option", { name: "Show 2 more chats" }).click();
  await expect(palette.getByRole("option", { name: word })).toHaveCount(7);
});

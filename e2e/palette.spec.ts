import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { makeSession, store } from "./support/api";
import { composer, converse, newWord, questions } from "./support/conversation";
import { test } from "./support/test";

test.describe("The palette", () => {
  test("does everything there is to do with the open session, and offers only what applies", async ({
    page,
    request,
  }) => {
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
      "Compact…",
      "Fork to new chat…",
      "Compare with another branch…",
      "Rename",
      "Pin",
      "Tags…",
      "Archive",
      "Export as JSON",
      "Export as Markdown",
      "Copy as Markdown",
      "Delete this chat",
      "Open memory",
      "Open context",
      "Open tree",
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
      ["Compact…", "Compact this chat"],
      ["Fork to new chat…", "Fork to new chat"],
      ["Tags…", "Tags"],
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

  test("keeps its height while results change", async ({ page }) => {
    await converse(page, "Which branch of a plum bears?");
    // As it is laid out: it grows a little while it appears.
    const box = () =>
      page
        .getByRole("dialog")
        .evaluate((dialog: HTMLElement) => [dialog.offsetTop, dialog.offsetHeight]);
    const field = await openPalette(page);
    const before = await box();
    await field.fill("plum");
    await expect(page.getByRole("option", { name: /^You / }).first()).toBeVisible();
    expect(await box()).toEqual(before);
    await field.fill("nothingofthekindatall");
    await expect(page.getByText(/^No results for/)).toBeVisible();
    expect(await box()).toEqual(before);
  });

  test("leaves a command where it is when results come", async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/search?**", async (route) => {
      await held;
      await route.continue();
    });
    await converse(page, "Which branch of a plum bears?");
    await (await openPalette(page)).fill("Tags");
    const palette = page.getByRole("dialog", { name: "Search and commands" });
    const command = palette.getByRole("option", { name: "Tags…" });
    const top = () => command.evaluate((option: HTMLElement) => option.offsetTop);
    await expect(command).toBeVisible();
    const before = await top();
    release();
    await expect(palette.getByText(/^No exact matches\. Found/)).toBeVisible();
    expect(await top()).toBe(before);
  });

  test("always has a line for Enter, also when all that it found is replaced", async ({
    page,
    request,
  }) => {
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

  test("has its operators at hand while its field is empty", async ({ page }) => {
    await page.goto("/");
    const field = await openPalette(page);
    const operators = page.getByRole("group", { name: "Search filters" });
    await operators.getByRole("button", { name: "before:2026-01" }).click();
    await expect(field).toHaveValue("before:");
    await expect(field).toBeFocused();
    await expect(operators).toBeHidden();
    await field.fill("");
    await operators.getByRole("button", { name: "exact words" }).click();
    await page.keyboard.type("two words");
    await expect(field).toHaveValue('"two words"');
  });
});

test.describe("On a touch screen", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } });

  test("nothing speaks of keys, and the operators are there to tap", async ({ page }) => {
    await page.goto("/");
    await expect(composer(page)).toBeVisible();
    await page.getByRole("button", { name: "Chats and search" }).click();
    const sidebar = page.getByRole("dialog", { name: "Chats and search" });
    await expect(sidebar.getByRole("link", { name: "Settings" })).toBeVisible();
    await expect(sidebar.getByRole("button", { name: "Keyboard shortcuts" })).toBeHidden();
    await expect(sidebar.locator("kbd:visible")).toHaveCount(0);
    await sidebar.getByRole("button", { name: "Search" }).click();
    const palette = page.getByRole("dialog", { name: "Search and commands" });
    const commands = palette.getByRole("group", { name: "Commands" });
    await expect(commands.getByRole("option", { name: "New chat" })).toBeVisible();
    await expect(palette.getByRole("option", { name: "Keyboard shortcuts" })).toHaveCount(0);
    await expect(palette.locator("kbd:visible")).toHaveCount(0);
    await palette.getByRole("button", { name: "role:user" }).tap();
    await expect(palette.getByRole("combobox")).toHaveValue("role:user ");
    await expect(palette.getByText("Nothing to search for yet")).toBeVisible();
    await expectAccessible(page, "the palette on a phone");
  });
});

async function openPalette(page: Page) {
  const field = page.getByRole("combobox", { name: "Search and commands" });
  // A page that has just come may not listen yet.
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(field).toBeVisible({ timeout: 2_000 });
  }).toPass();
  return field;
}

async function choose(page: Page, command: string): Promise<void> {
  const field = await openPalette(page);
  await field.fill(command.replace("…", ""));
  await page.getByRole("option", { name: command, exact: true }).click();
}

test("a search says how many it found, and shows more titles when I ask", async ({
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

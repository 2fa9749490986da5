import { expect } from "vitest";
import { questions as asked, greeting, startModelServer } from "@/e2e/support/model-server";
import {
  answered,
  answers,
  composer,
  newWord,
  questions,
  sessionIdOf,
  versions,
} from "./testing/conversation";
import type { Locator } from "./testing/locator";
import type { StoryPage } from "./testing/story-page";
import { test } from "./testing/test";

/** More stops than any page has; whatever is not reached by then cannot be reached. */
const maxStops = 150;

test("a question mark lists the keys, those of notifications too", async ({ page }) => {
  await page.goto("/settings");
  await openHelp(page);
});

test("with keys alone I get through my first hour, from a model to an undone deletion", {
  tags: "long",
}, async ({ page, request }) => {
  const house = await startModelServer({ models: ["house-model"] });
  const word = newWord();
  await request.post("/api/projects", {
    data: { id: `p-${crypto.randomUUID()}`, name: "Orchard" },
  });
  try {
    await page.goto("/");
    await connectModel(page, `${house.url}/v1`);
    await chooseModel(page, "house-model");
    await ask(page, `${asked.greeting}, ${word}`);
    await expect(answers(page)).toContainText(greeting);
    await regenerate(page);
    await editQuestion(page);
    for (const way of ["by train", "by boat"]) await continueAtFirstAnswer(page, way);
    await bookmark(page);
    await editMemory(page, `- Grows ${word}`);
    await search(page, word);
    const sessionId = sessionIdOf(page);
    for (const change of [
      { action: "Archive", done: "Chat archived" },
      { action: "Move to…", done: "Chat moved to" },
      { action: "Delete", done: "Chat deleted" },
    ])
      await changeAndUndo(page, { sessionId, ...change });
    await choose(page, page.getByRole("button", { name: /settings and usage$/ }), "Settings");
    await expect(page.getByRole("heading", { name: "General" }).first()).toBeVisible();
    await openHelp(page);
  } finally {
    await house.stop();
  }
});

async function connectModel(page: StoryPage, address: string): Promise<void> {
  await press(page, page.getByRole("link", { name: "Connect a model" }));
  await press(page, page.getByRole("button", { name: "Add provider" }));
  const dialog = page.getByRole("dialog", { name: "Add a provider" });
  await press(page, dialog.getByRole("combobox", { name: "Type" }));
  await page.keyboard.type("OpenAI-comp");
  await page.keyboard.press("Enter");
  await reach(page, dialog.getByRole("textbox", { name: "Base URL" }));
  await page.keyboard.type(address);
  await press(page, dialog.getByRole("button", { name: "Save" }));
  await expect(dialog).toBeHidden();
}

async function chooseModel(page: StoryPage, name: string): Promise<void> {
  await page.keyboard.press("Control+Shift+O");
  await expect(composer(page)).toBeFocused();
  await press(page, page.getByRole("button", { name: /^Model: / }));
  await expect(page.getByRole("combobox", { name: "Search models" })).toBeFocused();
  await page.keyboard.type(name);
  await expect(page.getByRole("option", { name: new RegExp(name) })).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: `Model: ${name}` })).toBeVisible();
}

async function ask(page: StoryPage, text: string): Promise<void> {
  await reach(page, composer(page));
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await expect(questions(page).last()).toContainText(text);
  await answered(page);
}

async function regenerate(page: StoryPage): Promise<void> {
  const shown = versions(answers(page));
  await press(page, answers(page).getByRole("button", { name: "Regenerate", exact: true }));
  await expect(shown).toHaveAccessibleName("Version 2 of 2");
  await answered(page);
  await press(page, shown.getByRole("button").first());
  await expect(shown).toHaveAccessibleName("Version 1 of 2");
}

async function editQuestion(page: StoryPage): Promise<void> {
  await press(page, questions(page).getByRole("button", { name: "Edit", exact: true }));
  await expect(questions(page).getByRole("textbox", { name: "Edit your message" })).toBeFocused();
  await page.keyboard.type(" again");
  await press(page, questions(page).getByRole("button", { name: "Send", exact: true }));
  await expect(versions(questions(page))).toHaveAccessibleName("Version 2 of 2");
  await answered(page);
}

async function continueAtFirstAnswer(page: StoryPage, way: string): Promise<void> {
  await choose(page, moreOf(answers(page).first()), "Continue here");
  await expect(composer(page)).toBeFocused();
  await ask(page, `${asked.greeting} ${way}`);
  await expect(questions(page)).toHaveCount(2);
}

async function bookmark(page: StoryPage): Promise<void> {
  await press(page, page.getByRole("button", { name: "Tree", exact: true }));
  const tree = page.getByRole("tree", { name: "Messages" });
  await expect(tree.getByRole("treeitem", { name: /by train/ })).toBeVisible();
  await reach(page, tree);
  await page.keyboard.press("End");
  await page.keyboard.press("Shift+B");
  await choose(page, moreOf(answers(page).first()), "Bookmark");
  await expect(page.getByRole("button", { name: "Bookmarked" })).toHaveCount(2);
}

async function editMemory(page: StoryPage, line: string): Promise<void> {
  const tab = page.getByRole("tab", { name: "Memory", exact: true });
  await reach(page, page.getByRole("tab", { selected: true }));
  await walk(page, "ArrowRight", tab);
  const section = page.getByRole("article", { name: "About you", exact: true });
  await press(page, section.getByRole("button", { name: /^Edit / }));
  await page.keyboard.type(line);
  await page.keyboard.press("Escape");
  await expect(section).toContainText(line.slice(2));
  await page.keyboard.press("Control+.");
}

async function search(page: StoryPage, word: string): Promise<void> {
  await page.keyboard.press("Control+Shift+O");
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeFocused();
  await page.keyboard.type(word);
  const hit = page.getByRole("option", { name: new RegExp(`^You .*${word}`) }).first();
  await expect(hit).toBeVisible();
  for (let stop = 0; stop < maxStops; stop++) {
    if ((await hit.getAttribute("aria-selected")) === "true") break;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await expect(questions(page).first()).toContainText(word);
}

interface Change {
  readonly sessionId: string;
  readonly action: string;
  readonly done: string;
}

async function changeAndUndo(page: StoryPage, { sessionId, action, done }: Change): Promise<void> {
  const list = page.getByRole("complementary", { name: "Chats and search" });
  const row = list.locator(`[data-session-link="${sessionId}"]`);
  const name = `Actions for ${await row.innerText()}`;
  await choose(page, list.getByRole("button", { name, exact: true }), action);
  if (action === "Move to…")
    await press(page, page.getByRole("dialog").getByRole("button", { name: "Orchard" }));
  await expect(page.getByText(done)).toBeVisible();
  await expect(row).toHaveCount(0);
  // Below the header of a chat, which is 52 pixels high.
  const notices = page.locator("[data-sonner-toaster]");
  await expect(notices).toHaveAttribute("style", /--offset-top: 60px/);
  await page.keyboard.press("Alt+T");
  await press(page, page.getByRole("button", { name: "Undo" }));
  await expect(row).toHaveCount(1);
}

async function openHelp(page: StoryPage): Promise<void> {
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help.getByText("Go to the latest, to undo for example")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
}

const moreOf = (message: Locator) => message.getByRole("button", { name: "More actions" });

async function reach(page: StoryPage, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await walk(page, "Tab", target);
}

async function press(page: StoryPage, target: Locator): Promise<void> {
  await reach(page, target);
  await page.keyboard.press("Enter");
}

/** Opens a menu at its button, and chooses from it. */
async function choose(page: StoryPage, button: Locator, action: string): Promise<void> {
  await press(page, button);
  const item = page.getByRole("menuitem", { name: action });
  await expect(item).toBeVisible();
  await walk(page, "ArrowDown", item);
  await page.keyboard.press("Enter");
  await expect(item).toBeHidden();
}

async function walk(page: StoryPage, key: string, target: Locator): Promise<void> {
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let stop = 0; stop < maxStops && !(await isThere()); stop++) await page.keyboard.press(key);
  await expect(target).toBeFocused();
}

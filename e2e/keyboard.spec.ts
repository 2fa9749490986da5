import { randomUUID } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";
import {
  answered,
  answers,
  composer,
  newWord,
  questions,
  sessionIdOf,
  versions,
} from "./support/conversation";
import { questions as asked, greeting, startModelServer } from "./support/model-server";
import { test } from "./support/test";

/** More stops than any page has; whatever is not reached by then cannot be reached. */
const maxStops = 150;

test("the up arrow edits my last question, and single keys act on a message at its buttons", {
  tag: "@essential",
}, async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const word = newWord();
  await page.goto("/");
  await composer(page).fill(`Where does a branch of ${word} ripen?`);
  await composer(page).press("Enter");
  await answered(page);
  const editor = questions(page).getByRole("textbox", { name: "Edit your message" });
  await composer(page).focus();
  await page.keyboard.type("draft");
  await page.keyboard.press("ArrowUp");
  await expect(editor).toHaveCount(0);
  await composer(page).fill("");
  await page.keyboard.press("ArrowUp");
  await expect(editor).toBeFocused();
  await expect(editor).toHaveValue(`Where does a branch of ${word} ripen?`);
  await page.keyboard.press("Escape");
  await expect(composer(page)).toBeFocused();

  await reach(page, moreOf(questions(page)));
  await page.keyboard.press("c");
  await expect(page.getByText("Copied", { exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(word);
  await page.keyboard.press("e");
  await expect(editor).toBeFocused();
  await page.keyboard.press("Escape");

  await reach(page, moreOf(answers(page)));
  await page.keyboard.press("r");
  await expect(answers(page).getByRole("group", { name: "Version 2 of 2" })).toBeVisible();
  await answered(page);

  // After a click, typing means text.
  await answers(page).getByRole("button", { name: "Copy", exact: true }).click();
  await page.keyboard.press("r");
  await reach(page, moreOf(answers(page)));
  await page.keyboard.press("b");
  await expect(composer(page)).toBeFocused();
  await expect(answers(page).getByRole("group", { name: "Version 2 of 2" })).toBeVisible();
});

test("a button says what it does when I point at it or reach it with Tab, until Escape", async ({
  page,
}) => {
  await page.goto("/");
  await expect(composer(page)).toBeFocused();
  // A stop that comes with the models.
  await expect(page.getByRole("link", { name: "Explore an example chat" })).toBeVisible();
  const hint = page.locator("[role=tooltip]");
  const hide = page.getByRole("button", { name: "Hide chat list" });
  await hide.hover();
  await expect(hint).toContainText("Hide chat list");
  await page.mouse.move(600, 300);
  await expect(hint).toHaveCount(0);
  await composer(page).focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(hint).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(hint).toHaveCount(0);
});

test("with keys alone I get through my first hour, from a model to an undone deletion", async ({
  page,
  request,
}) => {
  // A walk of hundreds of stops, each of them looked at.
  test.slow();
  const house = await startModelServer({ models: ["house-model"] });
  const word = newWord();
  await request.post("/api/projects", { data: { id: `p-${randomUUID()}`, name: "Orchard" } });
  try {
    await page.goto("/");
    await test.step("connect a model", () => connectModel(page, `${house.url}/v1`));
    await test.step("choose it", () => chooseModel(page, "house-model"));
    await test.step("ask", () => ask(page, `${asked.greeting}, ${word}`));
    await expect(answers(page)).toContainText(greeting);
    await test.step("regenerate", () => regenerate(page));
    await test.step("edit the question", () => editQuestion(page));
    await test.step("continue at an answer", async () => {
      for (const way of ["by train", "by boat"]) await continueAtFirstAnswer(page, way);
    });
    await test.step("walk the tree, and bookmark", () => bookmark(page));
    await test.step("edit memory", () => editMemory(page, `- Grows ${word}`));
    await test.step("summarize", () => summarize(page));
    await test.step("search", () => search(page, word));
    const sessionId = sessionIdOf(page);
    for (const change of [
      { action: "Archive", done: "Chat archived" },
      { action: "Move to…", done: "Chat moved to" },
      { action: "Delete", done: "Chat deleted" },
    ])
      await test.step(change.action, () => changeAndUndo(page, { sessionId, ...change }));
    await test.step("settings", async () => {
      await act(page, page.getByRole("button", { name: /settings and usage$/ }), "Settings");
      await expect(page.getByRole("heading", { name: "General" }).first()).toBeVisible();
    });
  } finally {
    await house.stop();
  }
});

async function connectModel(page: Page, address: string): Promise<void> {
  await press(page, page.getByRole("link", { name: "Connect a model" }));
  await press(page, page.getByRole("button", { name: "Add provider" }));
  const dialog = page.getByRole("dialog", { name: "Add a provider" });
  await press(page, dialog.getByRole("combobox", { name: "Type" }));
  await expect(page.getByRole("listbox")).toBeVisible();
  await page.keyboard.type("OpenAI-comp");
  await page.keyboard.press("Enter");
  await reach(page, dialog.getByRole("textbox", { name: "Base URL" }));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(address);
  await press(page, dialog.getByRole("button", { name: "Save" }));
  await expect(dialog).toBeHidden();
}

async function chooseModel(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+Shift+O");
  await expect(composer(page)).toBeFocused();
  await press(page, page.getByRole("button", { name: /^Model: / }));
  await expect(page.getByRole("combobox", { name: "Search models" })).toBeFocused();
  await page.keyboard.type(name);
  await expect(page.getByRole("option", { name: new RegExp(name) })).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: `Model: ${name}` })).toBeVisible();
}

async function ask(page: Page, text: string): Promise<void> {
  await reach(page, composer(page));
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await expect(questions(page).last()).toContainText(text);
  await answered(page);
}

async function regenerate(page: Page): Promise<void> {
  await press(page, answers(page).getByRole("button", { name: "Regenerate", exact: true }));
  const shown = versions(answers(page));
  await expect(shown).toHaveAccessibleName("Version 2 of 2");
  await answered(page);
  await press(page, shown.getByRole("button").first());
  await expect(shown).toHaveAccessibleName("Version 1 of 2");
}

async function editQuestion(page: Page): Promise<void> {
  await press(page, questions(page).getByRole("button", { name: "Edit", exact: true }));
  await expect(questions(page).getByRole("textbox", { name: "Edit your message" })).toBeFocused();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" again");
  await press(page, questions(page).getByRole("button", { name: "Send", exact: true }));
  await expect(versions(questions(page))).toHaveAccessibleName("Version 2 of 2");
  await answered(page);
}

async function continueAtFirstAnswer(page: Page, way: string): Promise<void> {
  await act(page, moreOf(answers(page).first()), "Continue here");
  await expect(composer(page)).toBeFocused();
  await ask(page, `${asked.greeting} ${way}`);
  await expect(questions(page)).toHaveCount(2);
}

async function bookmark(page: Page): Promise<void> {
  await press(page, page.getByRole("button", { name: "Tree", exact: true }));
  const tree = page.getByRole("tree", { name: "Messages" });
  await expect(tree.getByRole("treeitem", { name: /by train/ })).toBeVisible();
  await reach(page, tree);
  await page.keyboard.press("End");
  await page.keyboard.press("Shift+B");
  await act(page, moreOf(answers(page).first()), "Bookmark");
  await expect(page.getByRole("button", { name: "Bookmarked" })).toHaveCount(2);
}

async function editMemory(page: Page, line: string): Promise<void> {
  await chooseTab(page, "Memory");
  const section = page.getByRole("article", { name: "About you", exact: true });
  await press(page, section.getByRole("button", { name: /^Edit / }));
  await expect(section.getByRole("textbox")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(line);
  await page.keyboard.press("Escape");
  await expect(section).toContainText(line.slice(2));
}

async function summarize(page: Page): Promise<void> {
  await ask(page, `${asked.greeting} on foot`);
  await chooseTab(page, "Context");
  await press(page, page.getByRole("button", { name: "Summarize" }));
  const dialog = page.getByRole("dialog", { name: "Summarize this chat" });
  await press(page, dialog.getByRole("button", { name: "Summarize", exact: true }));
  await expect(dialog).toBeHidden();
  const seam = page.getByRole("region", { name: /summarized$/ });
  await press(page, seam.getByRole("button", { name: "View", exact: true }));
  await expect(seam.getByRole("button", { name: "Close", exact: true })).toBeFocused();
  await page.keyboard.press("Control+.");
}

async function search(page: Page, word: string): Promise<void> {
  await page.keyboard.press("Control+Shift+O");
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeFocused();
  await page.keyboard.type(word);
  const hit = page.getByRole("option", { name: new RegExp(`^You .*${word}`) }).first();
  await expect(hit).toBeVisible();
  await choose(page, hit);
  await page.keyboard.press("Enter");
  await expect(questions(page).first()).toContainText(word);
}

interface Change {
  readonly sessionId: string;
  readonly action: string;
  readonly done: string;
}

async function changeAndUndo(page: Page, { sessionId, action, done }: Change): Promise<void> {
  const list = page.getByRole("complementary", { name: "Chats and search" });
  const row = list.locator(`[data-session-link="${sessionId}"]`);
  const name = `Actions for ${await row.innerText()}`;
  // The list is one stop, and the button shows beside the row that has the focus.
  await reach(page, list.locator('[data-session-link]:not([tabindex="-1"])'));
  for (const key of ["ArrowDown", "ArrowUp"])
    for (let stop = 0; stop < 5 && !(await isFocused(row)); stop++) await page.keyboard.press(key);
  await expect(row).toBeFocused();
  await act(page, list.getByRole("button", { name, exact: true }), action);
  if (action === "Move to…")
    await press(page, page.getByRole("dialog").getByRole("button", { name: "Orchard" }));
  const notice = page.locator("[data-sonner-toast]", { hasText: done });
  await expect(notice).toBeVisible();
  await expect(row).toHaveCount(0);
  await expectBelowHeader(page, notice);
  await page.keyboard.press("Alt+t");
  await press(page, notice.getByRole("button", { name: "Undo" }));
  await expect(row).toHaveCount(1);
}

/** Once it has slid in. */
async function expectBelowHeader(page: Page, notice: Locator): Promise<void> {
  const header = await page.locator("header").first().boundingBox();
  const end = (header?.y ?? 0) + (header?.height ?? 0);
  expect(end).toBeGreaterThan(40);
  await expect.poll(async () => (await notice.boundingBox())?.y).toBeGreaterThanOrEqual(end);
}

const moreOf = (message: Locator) => message.getByRole("button", { name: "More actions" });

async function press(page: Page, target: Locator): Promise<void> {
  await reach(page, target);
  await page.keyboard.press("Enter");
}

/** Opens a menu at its button, and chooses from it. */
async function act(page: Page, button: Locator, action: string): Promise<void> {
  await press(page, button);
  const item = page.getByRole("menuitem", { name: action });
  await expect(item).toBeVisible();
  for (let stop = 0; stop < maxStops && !(await isFocused(item)); stop++)
    await page.keyboard.press("ArrowDown");
  await expect(item).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(item).toBeHidden();
}

/** Moves the focus on with Tab until it is at `target`. */
async function reach(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const stops: string[] = [];
  while (stops.length < maxStops && !(await isFocused(target))) {
    await page.keyboard.press("Tab");
    stops.push(await page.evaluate(focused));
  }
  await expect(target, `reached ${[...new Set(stops)].join(", ")}`).toBeFocused();
}

/** Runs in the page. What a person would call the place the focus is at. */
function focused(): string {
  const { activeElement } = document;
  const name = activeElement?.getAttribute("aria-label") ?? activeElement?.textContent ?? "";
  return `${activeElement?.tagName.toLowerCase()} “${name.slice(0, 40)}”`;
}

/** Opens a tab of the drawer, which is open. */
async function chooseTab(page: Page, name: string): Promise<void> {
  const tab = page.getByRole("tab", { name, exact: true });
  await reach(page, page.getByRole("tab", { selected: true }));
  for (let stop = 0; stop < maxStops && !(await isFocused(tab)); stop++) {
    await page.keyboard.press("ArrowRight");
  }
  await expect(tab).toHaveAttribute("aria-selected", "true");
}

/** Moves through the list of the palette to `option`. */
async function choose(page: Page, option: Locator): Promise<void> {
  const chosen = page.getByRole("option", { selected: true });
  await expect(chosen).toBeVisible();
  for (let stop = 0; stop < maxStops; stop++) {
    if ((await option.getAttribute("aria-selected")) === "true") return;
    const before = await chosen.innerText();
    await page.keyboard.press("ArrowDown");
    await expect(chosen).not.toHaveText(before, { useInnerText: true });
  }
  await expect(option).toHaveAttribute("aria-selected", "true");
}

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

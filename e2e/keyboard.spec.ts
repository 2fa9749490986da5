import { expect, type Locator, type Page } from "@playwright/test";
import { answered, answers, composer, newWord, questions } from "./support/conversation";
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

  const more = (message: Locator) => message.getByRole("button", { name: "More actions" });
  await reach(page, more(questions(page)));
  await page.keyboard.press("c");
  await expect(page.getByText("Copied", { exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(word);
  await page.keyboard.press("e");
  await expect(editor).toBeFocused();
  await page.keyboard.press("Escape");

  await reach(page, more(answers(page)));
  await page.keyboard.press("r");
  await expect(answers(page).getByRole("group", { name: "Version 2 of 2" })).toBeVisible();
  await answered(page);

  // After a click, typing means text.
  await answers(page).getByRole("button", { name: "Copy", exact: true }).click();
  await page.keyboard.press("r");
  await reach(page, more(answers(page)));
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

test("without a pointer I send, branch, walk the tree, edit memory, compact and search", async ({
  page,
}) => {
  // A walk of hundreds of stops, each of them looked at.
  test.slow();
  const word = newWord();
  await page.goto("/");
  await reach(page, composer(page));

  await test.step("send", async () => {
    await page.keyboard.type(`Where does a branch of ${word} ripen?`);
    await page.keyboard.press("Enter");
    await answered(page);
  });

  await test.step("branch", async () => {
    await reach(page, questions(page).getByRole("button", { name: "Edit", exact: true }));
    await page.keyboard.press("Enter");
    const field = questions(page).getByRole("textbox", { name: "Edit your message" });
    await expect(field).toBeFocused();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Show me a table of pears");
    await reach(page, questions(page).getByRole("button", { name: "Send", exact: true }));
    await page.keyboard.press("Enter");
    await answered(page);
    const versions = questions(page).getByRole("group", { name: "Version 2 of 2" });
    await reach(page, versions.getByRole("button").first());
    await page.keyboard.press("ArrowLeft");
    await expect(questions(page)).toContainText(word);
  });

  await test.step("walk the tree", async () => {
    await reach(page, page.getByRole("button", { name: "Tree", exact: true }));
    await page.keyboard.press("Enter");
    const tree = page.getByRole("tree", { name: "Messages" });
    await expect(tree.getByRole("treeitem")).toHaveCount(4);
    await reach(page, tree);
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await expect(questions(page)).toContainText("Show me a table of pears");
  });

  await test.step("edit memory", async () => {
    await chooseTab(page, "Memory");
    const block = page.getByRole("article", { name: "About you", exact: true });
    await reach(page, block.getByRole("button", { name: /^Edit / }));
    await page.keyboard.press("Enter");
    const field = block.getByRole("textbox");
    await expect(field).toBeFocused();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type(`\n- Grows ${word}`);
    await page.keyboard.press("Escape");
    await expect(block).toContainText(`Grows ${word}`);
  });

  await test.step("compact", async () => {
    await reach(page, composer(page));
    for (const question of ["And plums?", "And quinces?"]) {
      await page.keyboard.type(question);
      await page.keyboard.press("Enter");
      await answered(page);
      await expect(questions(page).last()).toContainText(question);
    }
    await chooseTab(page, "Context");
    await reach(page, page.getByRole("button", { name: "Summarize" }));
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Summarize this chat" });
    await reach(page, dialog.getByRole("button", { name: "Summarize", exact: true }));
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
    const seam = page.getByRole("region", { name: /summarized$/ });
    await reach(page, seam.getByRole("button", { name: "View", exact: true }));
    await page.keyboard.press("Enter");
    await expect(seam.getByRole("button", { name: "Close", exact: true })).toBeFocused();
  });

  await test.step("search", async () => {
    await page.keyboard.press("ControlOrMeta+k");
    await expect(page.getByRole("combobox", { name: "Search and commands" })).toBeFocused();
    await page.keyboard.type(word);
    const hit = page.getByRole("option", { name: new RegExp(`^You .*${word}`) });
    await expect(hit).toBeVisible();
    await choose(page, hit);
    await page.keyboard.press("Enter");
    await expect(questions(page)).toContainText(word);
    await expect(answers(page)).toHaveCount(1);
  });
});

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

import type { Locator, Page } from "@playwright/test";
import { settingsAddress, settingsPagesFor } from "@/app/_features/settings/settings-sections";
import { act, answered, answers, composer, questions, say } from "./conversation";
import type { GalleryContent } from "./gallery-content";
import { fileScenes } from "./gallery-files";

/** One screen in one state. */
export interface GalleryScene {
  readonly name: string;
  readonly path: string;
  readonly show?: (page: Page) => Promise<void>;
}

const example = "/s/example-garden";

/** Every screen of Grove: empty where it can be, as usual, and with content that is hard to show. */
export function galleryScenes(content: GalleryContent): readonly GalleryScene[] {
  return [
    { name: "new-chat", path: "/" },
    { name: "new-temporary-chat", path: "/", show: (page) => press(page, "Temporary chat") },
    { name: "temporary-chat", path: "/", show: beginTemporaryChat },
    { name: "model-picker", path: "/", show: openModels },
    { name: "model-search", path: "/", show: (page) => searchModels(page, "gpt-1") },
    { name: "several-models", path: "/", show: chooseSeveral },
    { name: "parameters", path: `/s/${content.together}`, show: openParameters },
    { name: "four-answers", path: `/s/${content.together}` },
    { name: "formats", path: `/s/${content.formats}` },
    { name: "formats-end", path: `/s/${content.formats}`, show: showFormats },
    { name: "edit-question", path: example, show: (page) => editMessage(page, questions(page)) },
    { name: "edit-answer", path: example, show: (page) => editMessage(page, answers(page)) },
    { name: "dictation", path: "/", show: showDictation },
    { name: "command-menu", path: example, show: (page) => composer(page).fill("/") },
    { name: "conversation", path: example },
    ...["Memory", "Context", "Tree"].map((tab) => ({
      name: `drawer-${tab.toLowerCase()}`,
      path: example,
      show: (page: Page) => openTab(page, tab),
    })),
    {
      name: "new-block",
      path: example,
      show: (page) => openTabAndPress(page, "Memory", "New section"),
    },
    {
      name: "compact",
      path: example,
      show: (page) => openTabAndPress(page, "Context", "Summarize"),
    },
    { name: "fork", path: example, show: (page) => chooseAction(page, "Branch in new chat") },
    {
      name: "receipt",
      path: example,
      show: (page) => chooseAction(page, "Show prompt"),
    },
    { name: "bookmark", path: example, show: nameBookmark },
    { name: "message-menu", path: example, show: openMessageMenu },
    { name: "palette", path: example, show: (page) => page.keyboard.press("ControlOrMeta+k") },
    { name: "palette-hits", path: example, show: (page) => search(page, "tomato") },
    { name: "palette-typo", path: example, show: (page) => search(page, "tomatos balcny") },
    { name: "palette-nothing", path: example, show: (page) => search(page, "zyzzyva") },
    { name: "shortcuts", path: example, show: (page) => page.keyboard.press("?") },
    {
      name: "compare",
      path: `/s/${content.siblings}/compare?left=${content.siblingLeaves.left}&right=${content.siblingLeaves.right}`,
    },
    { name: "settings", path: "/settings" },
    ...settingsPagesFor(null)
      .flatMap(({ sections }) => sections)
      .map(({ id }) => ({ name: `settings-${id}`, path: settingsAddress(id) })),
    {
      name: "new-prompt",
      path: "/settings?section=prompts",
      show: (page) => press(page, "New prompt"),
    },
    {
      name: "add-server",
      path: "/settings?section=tools",
      show: (page) => press(page, "Add server"),
    },
    {
      name: "create-key",
      path: "/settings?section=programs",
      show: (page) => press(page, "Create key"),
    },
    {
      name: "add-provider",
      path: "/settings?section=models",
      show: (page) => page.getByRole("button", { name: "Add provider" }).click(),
    },
    { name: "usage", path: "/usage" },
    { name: "not-found", path: "/s/nowhere" },
    { name: "odd-texts", path: `/s/${content.odd}` },
    { name: "odd-tree", path: `/s/${content.odd}`, show: (page) => openTab(page, "Tree") },
    {
      name: "fifty-versions",
      path: `/s/${content.siblings}`,
      show: (page) => openTab(page, "Tree"),
    },
    ...fileScenes(content.files),
    { name: "session-list", path: "/", show: openSessions },
  ];
}

function press(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole("button", { name }).first().click();
}

async function showDictation(page: Page): Promise<void> {
  const phoneMenu = page.getByRole("button", { name: "Attach and more" });
  if (!(await phoneMenu.isVisible())) return press(page, "Dictate");
  await phoneMenu.click();
  await page.getByRole("menuitem", { name: "Dictate" }).click();
}

async function beginTemporaryChat(page: Page): Promise<void> {
  await press(page, "Temporary chat");
  await say(page, "How long does a boiled egg take?");
  await page.waitForURL(/\/s\//);
  await answered(page);
}

async function openModels(page: Page): Promise<void> {
  await press(page, /^(Model|Ask \d models): /);
  await page.getByRole("combobox", { name: "Search models" }).waitFor();
}

async function searchModels(page: Page, text: string): Promise<void> {
  await openModels(page);
  await page.getByRole("combobox", { name: "Search models" }).fill(text);
}

async function chooseSeveral(page: Page): Promise<void> {
  await searchModels(page, "gpt");
  await press(page, "Several at once");
  for (const place of [1, 2, 3]) await page.getByRole("option").nth(place).click();
}

async function openParameters(page: Page): Promise<void> {
  await openModels(page);
  await press(page, /^More…/);
  await page.getByRole("dialog", { name: "Parameters of this chat" }).waitFor();
}

async function showFormats(page: Page): Promise<void> {
  await answers(page).getByRole("button", { name: "Preview" }).last().click();
  await answers(page).locator("iframe").last().waitFor();
}

async function editMessage(page: Page, messages: Locator): Promise<void> {
  const edit = messages.last().getByRole("button", { name: "Edit", exact: true });
  const isPhone = (page.viewportSize()?.width ?? 0) < 640;
  if (isPhone) return act(page, messages.last(), "Edit");
  await messages.last().hover();
  await edit.click();
}

async function openTab(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name, exact: true });
  const onPhone = page.getByRole("button", { name: "Memory, context and tree" });
  await button.or(onPhone).first().waitFor();
  if (await onPhone.isVisible()) await onPhone.click();
  else await button.click();
  await page.getByRole("tab", { name }).click();
  await page.getByRole("tabpanel", { name }).waitFor();
}

async function openTabAndPress(page: Page, tab: string, name: string): Promise<void> {
  await openTab(page, tab);
  await page.getByRole("button", { name, exact: true }).click();
  await page
    .getByRole("dialog", { name: new RegExp(name.split(" ")[0] ?? name) })
    .last()
    .waitFor();
}

async function openMessageMenu(page: Page): Promise<void> {
  const answer = answers(page).last();
  await answer.hover();
  await answer.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menu").waitFor();
}

async function chooseAction(page: Page, name: string): Promise<void> {
  await openMessageMenu(page);
  await page.getByRole("menuitem", { name }).click();
  await page.getByRole("dialog").waitFor();
}

async function nameBookmark(page: Page): Promise<void> {
  const bookmark = answers(page).last().getByRole("button", { name: "Bookmarked" });
  if (!(await bookmark.isVisible())) {
    await openMessageMenu(page);
    await page.getByRole("menuitem", { name: "Bookmark" }).click();
  }
  await bookmark.click();
  await page.getByRole("dialog").waitFor();
}

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox").last().fill(text);
}

async function openSessions(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Chats and search" });
  if (await button.isVisible()) await button.click();
}

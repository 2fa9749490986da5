import type { Locator, Page } from "@playwright/test";
import { settingsAddress, settingsPagesFor } from "@/app/_features/settings/settings-sections";
import { act, answered, answers, composer, questions, say } from "./conversation";
import type { GalleryContent } from "./gallery-content";
import { fileScenes } from "./gallery-files";
import {
  type GalleryScene,
  openedPlaces,
  openModels,
  openPalette,
  openTab,
  press,
} from "./opened-places";

const example = "/s/example-garden";

/** Every screen of Grove: empty where it can be, as usual, and with content that is hard to show. */
export function galleryScenes(content: GalleryContent): readonly GalleryScene[] {
  return [
    { name: "new-chat", path: "/" },
    { name: "new-temporary-chat", path: "/", show: (page) => press(page, "Temporary chat") },
    { name: "temporary-chat", path: "/", show: beginTemporaryChat },
    { name: "model-search", path: "/", show: (page) => searchModels(page, "gpt-1") },
    { name: "several-models", path: "/", show: chooseSeveral },
    { name: "four-answers", path: `/s/${content.together}` },
    { name: "formats", path: `/s/${content.formats}` },
    { name: "formats-end", path: `/s/${content.formats}`, show: showFormats },
    { name: "edit-question", path: example, show: (page) => editMessage(page, questions(page)) },
    { name: "edit-answer", path: example, show: (page) => editMessage(page, answers(page)) },
    { name: "command-menu", path: example, show: (page) => composer(page).fill("/") },
    { name: "conversation", path: example },
    { name: "palette-hits", path: example, show: (page) => search(page, "tomato") },
    { name: "palette-typo", path: example, show: (page) => search(page, "tomatos balcny") },
    { name: "palette-nothing", path: example, show: (page) => search(page, "zyzzyva") },
    {
      name: "compare",
      path: `/s/${content.siblings}/compare?left=${content.siblingLeaves.left}&right=${content.siblingLeaves.right}`,
    },
    { name: "settings", path: "/settings" },
    ...settingsPagesFor(null)
      .flatMap(({ sections }) => sections)
      .map(({ id }) => ({ name: `settings-${id}`, path: settingsAddress(id) })),
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
    ...openedPlaces(content),
  ];
}

async function beginTemporaryChat(page: Page): Promise<void> {
  await press(page, "Temporary chat");
  await say(page, "How long does a boiled egg take?");
  await page.waitForURL(/\/s\//);
  await answered(page);
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

async function search(page: Page, text: string): Promise<void> {
  await openPalette(page);
  await page.getByRole("combobox").last().fill(text);
}

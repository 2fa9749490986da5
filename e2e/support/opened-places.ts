import { expect, type Page } from "@playwright/test";
import { answered, answers, composer, questions, say } from "./conversation";
import type { GalleryContent } from "./gallery-content";
import { attachFiles, chooseExport, open } from "./gallery-files";

/** One screen in one state. */
export interface GalleryScene {
  readonly name: string;
  readonly path: string;
  readonly show?: (page: Page) => Promise<void>;
}

/** A dialog, menu or panel that is open; names of menus end in “-menu”. */
export interface OpenedPlace extends GalleryScene {
  /** The component below `app`. */
  readonly opens: string;
  readonly show: (page: Page) => Promise<void>;
  /** Default: every width. */
  readonly only?: "phone" | "wide";
}

/** Their own stories look at them, in a Grove with accounts or a folder of skills. */
export const openedElsewhere: Readonly<Record<string, string>> = {
  "_data/accounts/confirm-person": "accounts.spec.ts",
  "_features/accounts/delete-account-dialog": "accounts.spec.ts",
  "_features/accounts/everyone-section": "accounts.spec.ts",
  "_features/accounts/invite-dialog": "accounts.spec.ts",
  "_features/accounts/limits-dialog": "accounts.spec.ts",
  "_features/accounts/own-dialogs": "accounts.spec.ts",
  "_features/accounts/people-section": "accounts.spec.ts",
  "_features/accounts/sign-out-button": "accounts.spec.ts",
  "_features/memory/read-memory": "accounts.spec.ts",
  "_features/memory/source-block-card": "skill-sources.spec.ts",
  "_features/projects/members-dialog": "accounts.spec.ts",
};

const example = "/s/example-garden";
const features = "_features/";

export function openedPlaces(content: GalleryContent): readonly OpenedPlace[] {
  return [
    ...inChats(content),
    ...inDrawer(),
    ...inSettings(),
    ...ofChats(content),
    ...ofShell(content),
  ];
}

function inChats({ siblings, files, formats, together }: GalleryContent): OpenedPlace[] {
  const chat = `${features}chat/`;
  return [
    { name: "bookmark", path: example, opens: `${chat}bookmark-dialog`, show: nameBookmark },
    {
      ...{ name: "composer-menu", path: "/", opens: `${chat}composer/composer`, only: "phone" },
      show: (page) => press(page, "Attach and more"),
    },
    {
      ...{ name: "dictation", path: "/", opens: `${chat}composer/dictation-consent` },
      show: showDictation,
    },
    {
      ...{ name: "fork", path: example, opens: `${chat}fork-dialog` },
      show: (page) => chooseAction(page, "Branch in new chat"),
    },
    { name: "message-menu", path: example, opens: `${chat}message-actions`, show: openMessageMenu },
    { name: "model-reason", path: "/", opens: `${chat}model-reason`, show: openReason },
    {
      ...{ name: "version-menu", path: `/s/${siblings}`, opens: `${chat}sibling-switcher` },
      show: (page) => press(page, /version menu$/),
    },
    {
      ...{ name: "receipt", path: example, opens: `${features}context/receipt-dialog` },
      show: (page) => chooseAction(page, "Show prompt"),
    },
    {
      ...{
        name: "over-window-menu",
        path: `/s/${siblings}`,
        opens: `${features}context/use-over-window`,
      },
      show: async (page) => {
        await composer(page).fill("birch ".repeat(6_400));
        await press(page, "Choose another model");
      },
    },
    {
      ...{ name: "files-untaken-menu", path: "/", opens: `${features}files/untaken-files` },
      show: async (page) => {
        await openModels(page);
        await page.getByRole("combobox", { name: "Search models" }).fill("gpt-1");
        await page
          .getByRole("option", { name: /^gpt-1\b/ })
          .first()
          .click();
        await attachFiles(page);
        await press(page, "Use another model");
      },
    },
    { name: "model-picker", path: "/", opens: "_message/models/model-panel", show: openModels },
    {
      ...{
        name: "parameters",
        path: `/s/${together}`,
        opens: `${features}models/parameters-panel`,
      },
      show: openParameters,
    },
    {
      ...{ name: "summary-menu", path: example, opens: "_message/compaction/compaction-row" },
      show: (page) => press(page, "Summary actions"),
    },
    ...["leaf.png", "report.pdf", "table.xlsx", "encrypted.pdf"].map((file) => ({
      ...{ name: `files-view-${file}`, path: `/s/${files}`, opens: "_message/files/file-viewer" },
      show: open(file),
    })),
    {
      ...{ name: "table-menu", path: `/s/${formats}`, opens: "_ui/markdown/table-frame" },
      show: (page) => press(page, "Copy table"),
    },
    { name: "preview-beside", path: `/s/${formats}`, opens: "_shell/workspace", show: openBeside },
  ];
}

function inDrawer(): OpenedPlace[] {
  const memory = `${features}memory/`;
  return [
    ...["Memory", "Context", "Tree"].map((tab) => ({
      ...{ name: `drawer-${tab.toLowerCase()}`, path: example, opens: "_shell/workspace" },
      show: (page: Page) => openTab(page, tab),
    })),
    {
      ...{ name: "new-block", path: example, opens: `${memory}block-dialog` },
      show: (page) => openTabAndPress(page, "Memory", "New section"),
    },
    {
      ...{ name: "history", path: example, opens: `${memory}version-history` },
      show: async (page) => {
        await openTab(page, "Memory");
        await press(page, "History of Garden facts");
        await page.getByRole("dialog", { name: "History of Garden facts" }).waitFor();
      },
    },
    {
      ...{ name: "compact", path: example, opens: `${features}context/compact-dialog` },
      show: (page) => openTabAndPress(page, "Context", "Summarize"),
    },
    {
      name: "tree-menu",
      path: example,
      opens: `${features}tree/tree-row-menu`,
      show: openTreeMenu,
    },
    {
      ...{ name: "carry-over", path: example, opens: `${features}tree/notes/note-dialog` },
      show: async (page) => {
        await openTreeMenu(page, page.getByRole("treeitem", { name: /Peppers need less/ }));
        await page.getByRole("menuitem", { name: "Carry context over…" }).click();
        await page.getByRole("dialog", { name: "Carry context over" }).waitFor();
      },
    },
  ];
}

function inSettings(): OpenedPlace[] {
  const [memory, settings] = [`${features}memory/`, `${features}settings/`];
  const at = (section: string, name: string, opens: string, button: string | RegExp) => ({
    ...{ name, opens, path: `/settings?section=${section}` },
    show: (page: Page) => press(page, button),
  });
  const after = (place: OpenedPlace, next: (page: Page) => Promise<void>): OpenedPlace => ({
    ...place,
    show: async (page) => {
      await place.show(page);
      await next(page);
    },
  });
  const provider = at("models", "provider-menu", `${settings}provider-list`, "Actions for House");
  return [
    at("assistants", "new-assistant", `${memory}assistant-form`, "New assistant"),
    at("assistants", "assistant-menu", `${memory}assistants-section`, "Actions for Coder"),
    at("knowledge", "new-knowledge", `${memory}entry-form`, /^Add text/),
    at("knowledge", "knowledge-menu", `${memory}entry-list`, "Actions for Kettle"),
    {
      ...{ name: "skill-import", path: "/settings?section=skills" },
      ...{ opens: `${memory}skill-import-dialog`, show: importSkill },
    },
    at("prompts", "new-prompt", `${features}prompts/prompts-section`, "New prompt"),
    at("data", "delete-everything", `${settings}delete-line`, "Delete"),
    at("deleted", "delete-for-good", `${settings}deleted-section`, /^Delete for good/),
    {
      ...{ name: "import-preview", path: "/settings?section=data", show: chooseExport },
      opens: `${settings}history-dialog`,
    },
    {
      ...{ name: "import-offers", path: "/settings?section=data", show: chooseOffers },
      opens: `${settings}import-offers-dialog`,
    },
    at("programs", "create-key", `${settings}key-dialog`, "Create key"),
    at("programs", "change-key", `${settings}key-changes`, "Change Robot"),
    at("programs", "revoke-key", `${settings}programs-section`, "Revoke Robot"),
    at("models", "add-provider", `${settings}provider-dialog`, "Add provider"),
    provider,
    {
      ...after(provider, (page) => page.getByRole("menuitem", { name: "Remove" }).click()),
      name: "remove-provider",
    },
    {
      ...{ name: "edit-model", path: "/settings?section=models", opens: `${settings}model-list` },
      show: async (page) => {
        await page.getByText("Advanced", { exact: true }).click();
        await press(page, /^Edit gpt-1$/);
      },
    },
    at("tools", "add-server", `${settings}tool-servers`, "Add server"),
  ];
}

function ofChats({ project, siblings }: GalleryContent): OpenedPlace[] {
  const [projects, sessions] = [`${features}projects/`, `${features}sessions/`];
  const inMenu = [
    ["Share…", "share-dialog"],
    ["Move to…", "move-dialog"],
    ["Save as web page", "save-page-dialog"],
    ["Tags", "tags-dialog"],
  ] as const;
  return [
    {
      ...{ name: "new-project", path: "/", opens: `${projects}project-dialog` },
      show: async (page) => {
        await pressInList(page, "New project");
        await page.getByRole("dialog", { name: "New project" }).waitFor();
      },
    },
    {
      ...{ name: "project-menu", path: `/p/${project}`, opens: `${projects}project-start` },
      show: (page) => press(page, "More of this project"),
    },
    {
      ...{ name: "filter-menu", path: "/", opens: `${sessions}session-filter-menu` },
      show: (page) => pressInList(page, "Filter chats"),
    },
    {
      name: "session-menu",
      path: example,
      opens: `${sessions}session-menu`,
      show: openSessionMenu,
    },
    {
      ...{ name: "forks-menu", path: `/s/${siblings}`, opens: `${sessions}session-heading` },
      show: (page) => press(page, /^continued in/),
    },
    ...inMenu.map(([item, opens]) => ({
      ...{ name: opens.replace("-dialog", ""), path: example, opens: `${sessions}${opens}` },
      show: (page: Page) => chooseInSessionMenu(page, item),
    })),
  ];
}

function ofShell(_: GalleryContent): OpenedPlace[] {
  return [
    { name: "palette", path: example, opens: `${features}search/palette`, show: openPalette },
    {
      ...{ name: "palette-filters", path: example, opens: `${features}search/palette` },
      show: async (page) => {
        await openPalette(page);
        await press(page, "Search filters");
      },
    },
    {
      ...{ name: "session-list", path: "/", opens: "_shell/app-shell", only: "phone" },
      show: openSessions,
    },
    {
      ...{ name: "person-menu", path: "/", opens: "_shell/person-menu" },
      show: (page) => pressInList(page, /settings and usage$/),
    },
    {
      ...{ name: "shortcuts", path: example, opens: "_shell/shortcuts-dialog", only: "wide" },
      show: async (page) => {
        await pressInList(page, /settings and usage$/);
        await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
        await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      },
    },
  ];
}

export function press(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole("button", { name }).first().click();
}

async function showDictation(page: Page): Promise<void> {
  const phoneMenu = page.getByRole("button", { name: "Attach and more" });
  if (!(await phoneMenu.isVisible())) return press(page, "Dictate");
  await phoneMenu.click();
  await page.getByRole("menuitem", { name: "Dictate" }).click();
}

export async function openModels(page: Page): Promise<void> {
  await press(page, /^(Model|Ask \d models): /);
  await page.getByRole("combobox", { name: "Search models" }).waitFor();
}

async function openParameters(page: Page): Promise<void> {
  await openModels(page);
  await press(page, /^More…/);
  await page.getByRole("dialog", { name: "Parameters of this chat" }).waitFor();
}

async function openReason(page: Page): Promise<void> {
  await say(page, "How long does a boiled egg take?");
  await answered(page);
  await press(page, /why this model\?$/);
}

export async function openTab(page: Page, name: string): Promise<void> {
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
  await page.getByRole("dialog", { name: new RegExp(`^${name}`) }).waitFor();
}

async function openTreeMenu(page: Page, row = page.getByRole("treeitem").last()): Promise<void> {
  await openTab(page, "Tree");
  await row.hover();
  await row.getByRole("button", { name: "Actions for this message" }).click();
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
}

async function nameBookmark(page: Page): Promise<void> {
  const bookmark = answers(page).last().getByRole("button", { name: "Bookmarked" });
  await answers(page).last().waitFor();
  if (!(await bookmark.isVisible())) await chooseAction(page, "Bookmark");
  await bookmark.click();
}

async function openBeside(page: Page): Promise<void> {
  await answers(page).getByRole("button", { name: "Preview" }).last().click();
  // The blocks above grow as they are drawn, and a click that a busy machine spreads over that meets none.
  const beside = page.getByRole("dialog").or(page.getByRole("region", { name: "Preview" }));
  await expect(async () => {
    await answers(page).getByRole("button", { name: "Expand" }).last().click({ timeout: 5_000 });
    await expect(beside.last()).toBeVisible({ timeout: 3_000 });
  }).toPass();
}

export async function openPalette(page: Page): Promise<void> {
  await questions(page).first().waitFor();
  await page.keyboard.press("ControlOrMeta+k");
}

export async function openSessions(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Chats and search" });
  if (await button.isVisible()) await button.click();
}

async function pressInList(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("main").waitFor();
  await openSessions(page);
  const list = page.getByRole("complementary", { name: "Chats and search" });
  await list.or(page.getByRole("dialog")).getByRole("button", { name }).first().click();
}

async function openSessionMenu(page: Page): Promise<void> {
  await page
    .locator("header")
    .getByRole("button", { name: /^Actions for / })
    .first()
    .click();
}

async function chooseInSessionMenu(page: Page, item: string): Promise<void> {
  await openSessionMenu(page);
  await page.getByRole("menuitem", { name: item }).click();
  await page.getByRole("dialog", { name: item.replace("Share…", "Share") }).waitFor();
}

async function importSkill(page: Page): Promise<void> {
  const skill = "---\nname: kettle\ndescription: Boils.\n---\nBoil.";
  const given = { name: "SKILL.md", mimeType: "text/markdown", buffer: Buffer.from(skill) };
  await page.locator('input[aria-label="Import file or zip"]').first().setInputFiles(given);
}

async function chooseOffers(page: Page): Promise<void> {
  const preset = { id: "p", name: "Careful", model: null, parameters: { temperature: 0 } };
  const settings = { type: "settings", defaultModel: null, modelOverrides: [], presets: [preset] };
  const exportedAt = "2026-01-01T00:00:00.000Z";
  const lines = [
    { type: "grove-export", format: 1, exportedAt },
    settings,
    { type: "end", sessions: 0 },
  ].map((line) => JSON.stringify(line));
  const given = { name: "grove.jsonl", mimeType: "application/x-ndjson" };
  await page
    .getByLabel("Import a file", { exact: true })
    .last()
    .setInputFiles({ ...given, buffer: Buffer.from(lines.join("\n")) });
}

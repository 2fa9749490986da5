import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { testOwnerCookie } from "@/lib/server/owner-of";
import { expectAccessible } from "./support/accessible";
import { composer, converse, isLive } from "./support/conversation";
import { fillGallery, type GalleryContent } from "./support/gallery-content";
import { startManyModels } from "./support/many-models";
import { type OpenedPlace, openedPlaces } from "./support/opened-places";
import { test } from "./support/test";

test("a new chat can be used by everybody", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Connect a model" })).toBeVisible();
  await expectAccessible(page, "new chat");
});

test("a conversation, its menus and the palette can be used by everybody", {
  tag: "@essential",
}, async ({ page }) => {
  await converse(page, "Show me a table with code");
  await expectAccessible(page, "conversation");
  await page.getByRole("button", { name: "More actions" }).last().click();
  await expect(page.getByRole("menu")).toBeVisible();
  await expectAccessible(page, "menu", '[role="menu"]');
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search and commands" }).fill("table");
  await expect(page.getByRole("option", { name: /table with code/ }).first()).toBeVisible();
  await expectAccessible(page, "palette");
});

test("a phone shows a conversation without scrolling sideways", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await converse(page, "Compare in a table");
  await expect(composer(page)).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, "conversation on a phone");
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(390);
});

interface Filled {
  /** One owner's data, which no place changes. */
  filled: { readonly owner: string; readonly content: GalleryContent };
}

const opened = test.extend<object, Filled>({
  filled: [
    async ({ playwright }, use, { project }) => {
      const owner = `story-${randomUUID()}`;
      const models = await startManyModels();
      const api = await playwright.request.newContext({
        ...(project.use.baseURL !== undefined && { baseURL: project.use.baseURL }),
        extraHTTPHeaders: { Cookie: `${testOwnerCookie}=${owner}` },
      });
      await use({ owner, content: await fillGallery(api, models.url, 3) });
      await api.dispose();
      await models.stop();
    },
    { scope: "worker", timeout: 240_000 },
  ],
  owner: ({ filled }, use) => use(filled.owner),
});

const none = { siblingLeaves: { left: "", right: "" }, odd: "", files: "", siblings: "" };
const names = openedPlaces({ ...none, formats: "", together: "", project: "" });

for (const [device, options] of [
  ["phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  ["wide", { viewport: { width: 1440, height: 900 } }],
] as const) {
  opened.describe(device === "phone" ? "On a phone" : "On a wide screen", () => {
    opened.use({ ...options, contextOptions: { reducedMotion: "reduce" } });
    for (const { name, only = device } of names) {
      if (only !== device) continue;
      opened(`everybody can use what opens as “${name}”`, async ({ page, filled }) => {
        const place = openedPlaces(filled.content).find((each) => each.name === name);
        if (!place) throw new Error(`“${name}” is not listed.`);
        await scan(page, place);
      });
    }
  });
}

async function scan(page: Page, { name, path, show }: OpenedPlace): Promise<void> {
  page.setDefaultTimeout(40_000);
  await page.goto(path);
  await (path.includes("/s/") ? isLive(page) : expect(page.getByRole("main")).toBeVisible());
  await show(page);
  const isMenu = name.endsWith("-menu");
  const [dialog, menu] = [page.getByRole("dialog"), page.getByRole("menu")];
  const panel = page.getByRole("tabpanel").or(page.getByRole("region", { name: "Preview" }));
  await expect(isMenu ? menu : dialog.or(panel).last()).toBeVisible();
  await expect(menu).toHaveCount(isMenu ? 1 : 0);
  await expect(page.getByRole("status", { name: /^Loading/ })).toHaveCount(0);
  // A menu lies outside of all landmarks, and hides them.
  await expectAccessible(page, name, isMenu ? "[role=menu]" : undefined);
}

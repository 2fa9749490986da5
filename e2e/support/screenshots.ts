import { join } from "node:path";
import type { BrowserContextOptions, Page } from "@playwright/test";
import { takePicture, withGroveToPicture } from "./picture-taking";

interface Scene {
  name: string;
  browser: BrowserContextOptions;
  show(page: Page): Promise<void>;
}

const wide = { viewport: { width: 1440, height: 900 } };

// In this order: the second scene adds a question to the conversation.
const scenes: Scene[] = [
  {
    name: "tree-light",
    browser: { ...wide, colorScheme: "light" },
    show: (page) => openDrawer(page, "Tree"),
  },
  {
    name: "memory-dark",
    browser: { ...wide, colorScheme: "dark" },
    async show(page) {
      await openDrawer(page, "Memory");
      await page
        .getByRole("textbox", { name: "Message" })
        .fill("Remember that my canister now holds 40 litres.");
      await page.keyboard.press("Enter");
      await page.getByRole("list", { name: "Memory changes" }).last().waitFor();
      await page.getByRole("tabpanel", { name: "Memory" }).getByText("40 litres").waitFor();
    },
  },
  {
    name: "phone",
    browser: {
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      isMobile: true,
      hasTouch: true,
      colorScheme: "light",
    },
    show: (page) =>
      page.getByRole("button", { name: "Jump to latest" }).waitFor({ state: "hidden" }),
  },
];

/** Takes the pictures of the documentation from the example session. */
await withGroveToPicture(async (browser, address) => {
  for (const { name, browser: options, show } of scenes) {
    const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.goto(`${address}/s/example-garden`);
    await page.getByRole("article").last().waitFor();
    await show(page);
    await takePicture(page, join("docs", "screenshots", `${name}.png`));
    await context.close();
  }
});

async function openDrawer(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("tabpanel", { name }).waitFor();
  // The pointer would be on another button now, which would show its tooltip.
  await page.mouse.move(0, 0);
}

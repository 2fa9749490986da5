import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import { startGrove } from "@/lib/server/cli/bench/grove-process";
import { withTemporaryFolder } from "@/lib/server/cli/bench/temporary-folder";
import { ensureBuild } from "@/lib/server/cli/ensure-build";
import { runCommand } from "@/lib/server/cli/run-command";
import { findChromium } from "./chromium";

interface Scene {
  name: string;
  browser: BrowserContextOptions;
  show(page: Page): Promise<void>;
}

const folder = join("docs", "screenshots");
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
      await page.getByRole("list", { name: "Written to memory" }).last().waitFor();
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

/** Takes the pictures of the documentation from the example session, in a Grove made for them. */
await runCommand(async (signal) => {
  const projectDir = process.cwd();
  const say = (line: string) => console.info(line);
  await ensureBuild({ projectDir, environment: process.env, signal, say });
  await mkdir(folder, { recursive: true });
  const { executablePath, args, env } = await findChromium();
  const browser = await chromium.launch({ executablePath, args, env: { ...inherited(), ...env } });
  await withTemporaryFolder(async (dataDir) => {
    const grove = await startGrove({ dataDir, environment: { GROVE_DEMO_DELAY_MS: "0" } });
    try {
      for (const scene of scenes) {
        const context = await browser.newContext({ ...scene.browser, reducedMotion: "reduce" });
        await picture(await context.newPage(), { scene, address: grove.address });
        await context.close();
      }
    } finally {
      await browser.close();
      await grove.stop();
    }
  });
});

async function picture(
  page: Page,
  { scene, address }: { scene: Scene; address: string },
): Promise<void> {
  await page.goto(`${address}/s/example-garden`);
  await page.getByRole("article").last().waitFor();
  await scene.show(page);
  await page.evaluate(() => document.fonts.ready);
  // Colours of code and the last of the layout come a moment after the text.
  await page.waitForTimeout(1_500);
  const path = join(folder, `${scene.name}.png`);
  await page.screenshot({ path, caret: "hide" });
  console.info(path);
}

async function openDrawer(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("tabpanel", { name }).waitFor();
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

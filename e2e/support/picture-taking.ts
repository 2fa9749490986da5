import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { ensureBuild } from "@/lib/commands/ensure-build";
import { runCommand } from "@/lib/commands/run-command";
import { startGrove, withTemporaryFolder } from "@/lib/commands/testing/grove-process";
import { findChromium } from "./chromium";

/** Calls `take` with a browser and a Grove made for it, with nothing but the example session; both are gone afterwards. */
export async function withGroveToPicture(
  take: (browser: Browser, address: string) => Promise<void>,
): Promise<void> {
  await runCommand(async (signal) => {
    const say = (line: string) => console.info(line);
    await ensureBuild({ projectDir: process.cwd(), environment: process.env, signal, say });
    const { executablePath, args, env } = await findChromium();
    const browser = await chromium.launch({
      executablePath,
      args,
      env: { ...inherited(), ...env },
    });
    await withTemporaryFolder(async (dataDir) => {
      const grove = await startGrove({ dataDir, environment: { GROVE_DEMO_DELAY_MS: "0" } });
      try {
        await take(browser, grove.address);
      } finally {
        await browser.close();
        await grove.stop();
      }
    });
  });
}

/** Writes what the page shows to `path`, once it has come to rest. */
export async function takePicture(page: Page, path: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  // Colours of code and the last of the layout come a moment after the text.
  await page.waitForTimeout(1_000);
  await mkdir(dirname(path), { recursive: true });
  await page.screenshot({ path, caret: "hide" });
  console.info(path);
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "playwright";
import type { GroveProcess } from "@/lib/commands/testing/grove-process";
import { lastWord, noteScript, type PageNotes } from "./page-readings";

interface Visit {
  readonly browser: Browser;
  readonly grove: GroveProcess;
  readonly path: string;
  readonly rate: number;
  readonly script?: string;
}

/** Opens a page in a fresh context, throttled from the start; `seen` are the addresses it requests. */
export async function onPage<Result>(
  { browser, grove, path, rate, script }: Visit,
  use: (page: Page, seen: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  try {
    const page = await context.newPage();
    const seen: string[] = [];
    page.on("request", (request) => seen.push(request.url()));
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate });
    await page.addInitScript(noteScript);
    if (script) await page.addInitScript(script);
    await page.goto(`${grove.address}${path}`);
    return await use(page, seen);
  } finally {
    await context.close();
  }
}

export function notesOf(page: Page): Promise<PageNotes> {
  return page.evaluate<PageNotes>("window.pageNotes");
}

/** Waits until the page has had no long task for a second. */
export async function atRest(page: Page): Promise<void> {
  let count = -1;
  for (;;) {
    const now = await page.evaluate<number>("window.pageNotes.longTasks.length");
    if (now === count) return;
    count = now;
    await delay(1_000);
  }
}

/** Waits until a text that is hard to show is whole, and the page at rest. */
export async function shownWhole(page: Page): Promise<void> {
  await page.getByText(lastWord).first().waitFor({ timeout: 60_000 });
  await page.locator("[data-waiting]").first().waitFor({ state: "detached", timeout: 120_000 });
  await atRest(page);
}
